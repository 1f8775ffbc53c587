<?php

declare(strict_types=1);

namespace RetryClient\Guzzle;

use GuzzleHttp\Exception\RequestException;
use GuzzleHttp\Promise\FulfilledPromise;
use GuzzleHttp\Promise\Promise;
use GuzzleHttp\Promise\PromiseInterface;
use GuzzleHttp\Promise\RejectedPromise;
use GuzzleHttp\Psr7\LazyOpenStream;
use GuzzleHttp\Psr7\Response;
use GuzzleHttp\Psr7\StreamWrapper;
use GuzzleHttp\Psr7\Utils as Psr7;
use GuzzleHttp\TransferStats;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamInterface;
use RetryClient\Attempt;
use RetryClient\ClientInterface;
use RetryClient\GaveUpException;
use RetryClient\Internal\ArrivingBody;
use RetryClient\Internal\HeaderNames;
use RetryClient\Internal\MemoryBody;
use RetryClient\Internal\Outgoing;
use RetryClient\Internal\RedactedUri;
use RetryClient\Pending;
use RetryClient\Reason;
use RetryClient\Response as Answer;
use RetryClient\StreamedResponse;

/**
 * One request on its way, and what Guzzle is told of it.
 *
 * @internal
 */
final class Transfer
{
    /** Null: the request is synchronous. */
    public ?Promise $promise = null;

    private ?Pending $pending = null;
    private int $began = 0;

    /** @var array{int, array<string, list<string>>, string, string}|null status, headers, protocol and reason phrase of the answer that arrives */
    private ?array $head = null;

    /** With that head: what callbacks have seen, and what exceptions carry. */
    private ?Response $response = null;

    private ResponseInterface|\Throwable|null $result = null;

    /** The body of the response; null: one of its own, at the end. */
    private ?StreamInterface $sink;

    /** @var string|resource|null what the client writes to; null: what arrives is written to the sink from here */
    private readonly mixed $target;

    /** Something is to be told at the end. */
    private readonly bool $isObserved;

    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestInterface $request,
        private readonly Settings $settings,
    ) {
        $sink = $settings->sink;
        if ($sink === null) {
            $this->target = null;
            $this->sink = $settings->onHeaders !== null && !$settings->stream ? Psr7::streamFor() : null;
        } elseif ($settings->isWatched) {
            $this->target = null;
            $this->sink = is_string($sink) ? new LazyOpenStream($sink, 'w+') : Psr7::streamFor($sink);
        } else {
            // A client that writes by itself sends again where a body breaks, unless what it wrote cannot be cut off, as that
            // of a StreamInterface.
            $this->target = $sink instanceof StreamInterface ? StreamWrapper::getResource($sink) : $sink;
            $this->sink = is_string($sink) ? new LazyOpenStream($sink, 'r+') : Psr7::streamFor($sink);
        }
        $this->isObserved = $settings->onStats !== null || $settings->debug !== null;
    }

    /** @return Pending|null null: it cannot begin, and `settle()` tells why */
    public function start(): ?Pending
    {
        $this->began = hrtime(true);
        try {
            $request = Outgoing::request($this->sent(), $this->target, limitKey: $this->settings->limitKey, cost: $this->settings->cost);
            return $this->pending = $this->client->start($request);
        } catch (\Throwable $e) {
            $this->fail($e);
            return null;
        }
    }

    /** Takes what has arrived. True: it has ended, and is to be settled. */
    public function advance(): bool
    {
        $pending = $this->pending ?? throw new \LogicException('It has not begun');
        if ($pending->done()) {
            $this->end($pending);
            return true;
        }
        $status = $pending->status();
        if ($status === null) {
            $this->head = $this->response = null;
            return false;
        }
        if ($this->head !== null && !$this->settings->isWatched) {
            return false;
        }
        try {
            if ($this->head === null) {
                $this->show([$status, $pending->headers(), $pending->protocol() ?? '1.1', $pending->reasonPhrase() ?? '']);
            }
            if ($this->settings->sink !== null && $this->target === null) {
                $this->write($pending->read());
            }
            $this->report($pending->received());
        } catch (\Throwable $e) {
            $pending->cancel();
            $this->fail($e);
            return true;
        }
        return false;
    }

    /** The end: of its promise if it has one, else as a promise. */
    public function settle(): PromiseInterface
    {
        $result = $this->result ?? throw new \LogicException('It has not ended');
        $this->result = $this->pending = $this->response = null;
        if ($this->promise === null) {
            return $result instanceof \Throwable ? new RejectedPromise($result) : new FulfilledPromise($result);
        }
        if ($result instanceof \Throwable) {
            $this->reject($result);
        } elseif ($this->promise->getState() === PromiseInterface::PENDING) {
            $this->promise->resolve($result);
        }
        return $this->promise;
    }

    public function reject(\Throwable $reason): void
    {
        if ($this->promise?->getState() === PromiseInterface::PENDING) {
            $this->promise->reject($reason);
        }
    }

    public function cancel(): void
    {
        $this->pending?->cancel();
        $this->pending = null;
    }

    /**
     * Without a length, which the body has: Guzzle's `prepare_body` writes that of the whole stream, be it read in part
     * already, or under a decorator that changes it.
     */
    private function sent(): RequestInterface
    {
        return $this->request->hasHeader('Content-Length') && $this->request->getBody()->getSize() !== 0
            ? $this->request->withoutHeader('Content-Length')
            : $this->request;
    }

    /** Sends it, and returns when the body begins to arrive. */
    public function stream(): PromiseInterface
    {
        $this->began = hrtime(true);
        try {
            $request = $this->sent();
            $answer = $this->client->stream(
                $request->getMethod(),
                (string) $request->getUri(),
                Outgoing::headers($request),
                Outgoing::body($request),
                limitKey: $this->settings->limitKey,
                cost: $this->settings->cost,
            );
            $body = ArrivingBody::of($answer);
            if ($this->settings->progress !== null) {
                $body = new ReportingBody($body, fn(int $received) => $this->report($received));
            }
            $this->show(self::head($answer), $body);
            $this->succeed($this->shown(), $answer);
        } catch (\Throwable $e) {
            $this->fail($e);
        }
        return $this->settle();
    }

    private function end(Pending $pending): void
    {
        try {
            $answer = self::answer($pending);
            if (!$this->settings->isWatched || $this->sink === null) {
                $this->head = self::head($answer);
                $this->fill($answer);
                $response = $this->respond($this->sink ?? new MemoryBody($answer->body, Psr7::streamFor(...)));
            } else {
                if ($this->head !== self::head($answer)) {
                    $this->show(self::head($answer));
                }
                $this->write($answer->body);
                $response = $this->shown();
            }
            if ($this->sink?->isSeekable()) {
                $this->sink->rewind();
            }
            if ($this->settings->isWatched) {
                $this->report($pending->received());
            }
            $this->succeed($response, $answer);
        } catch (\Throwable $e) {
            $this->fail($e);
        }
    }

    /** The body of an answer that the client gave up on, which it keeps away from sinks, is for Guzzle's all the same. */
    private function fill(Answer $answer): void
    {
        $reason = $answer->attempts === [] ? Reason::Answered : $answer->attempts[count($answer->attempts) - 1]->reason;
        if ($this->target === null || $reason === Reason::Answered || $reason === Reason::NotRetryable) {
            return;
        }
        if (is_string($this->target)) {
            $this->sink = new LazyOpenStream($this->target, 'w+');
        }
        $this->write($answer->body);
    }

    private static function answer(Pending $pending): Answer
    {
        try {
            return $pending->wait() ?? throw new \LogicException('It has not ended');
        } catch (GaveUpException $e) {
            return $e->response ?? throw $e;
        }
    }

    private function succeed(ResponseInterface $response, Answer|StreamedResponse $answer): void
    {
        $this->result = $response;
        if (!$this->isObserved) {
            return;
        }
        $this->tell($response, 0, [
            'url' => $answer->uri,
            'content_type' => $answer->header('Content-Type'),
            'http_code' => $answer->status,
            'total_time' => $answer->elapsed,
            'attempts' => count($answer->attempts),
            'waited' => $answer->waited,
        ], $answer->attempts);
    }

    private function fail(\Throwable $error): void
    {
        $response = $this->arriving();
        $this->result = Failure::of($error, $this->request, $response);
        if (!$this->isObserved) {
            return;
        }
        $attempts = $error instanceof \RetryClient\Exception ? $error->attempts : [];
        $this->tell($response, Failure::number($this->result) ?? $this->result, [
            'url' => (string) $this->request->getUri(),
            'content_type' => $response?->getHeaderLine('Content-Type') ?: null,
            'http_code' => $response?->getStatusCode() ?? 0,
            'total_time' => (hrtime(true) - $this->began) / 1e9,
            'attempts' => count($attempts),
            'waited' => array_sum(array_map(static fn(Attempt $attempt): float => $attempt->paced + $attempt->wait, $attempts)),
        ], $attempts);
    }

    /**
     * @param array{url: string, content_type: string|null, http_code: int, total_time: float, attempts: int, waited: float} $stats
     * @param list<Attempt> $attempts
     */
    private function tell(?ResponseInterface $response, mixed $error, array $stats, array $attempts): void
    {
        if ($this->settings->debug !== null) {
            $this->log($attempts);
        }
        if ($this->settings->onStats === null) {
            return;
        }
        $stats += ['redirect_count' => 0, 'redirect_time' => 0.0, 'redirect_url' => ''];
        try {
            ($this->settings->onStats)(new TransferStats($this->request, $response, $stats['total_time'], $error, $stats));
        } catch (\Throwable $e) {
            $this->result = $e;
        }
    }

    /** @param list<Attempt> $attempts */
    private function log(array $attempts): void
    {
        $uri = RedactedUri::of((string) $this->request->getUri());
        $lines = '';
        foreach ($attempts as $attempt) {
            $lines .= sprintf(
                "* %s %s: attempt %d: %s after %.3f s; %s, waited %.3f s before and %.3f s after it\n",
                $this->request->getMethod(),
                $uri,
                $attempt->number,
                $attempt->status ?? $attempt->error,
                $attempt->duration,
                $attempt->reason->value,
                $attempt->paced,
                $attempt->wait,
            );
        }
        if ($this->result instanceof \Throwable) {
            $lines .= "* {$this->result->getMessage()}\n";
        }
        fwrite($this->settings->debug, $lines);
    }

    /**
     * The head of an answer is here.
     *
     * @param array{int, array<string, list<string>>, string, string} $head
     */
    private function show(array $head, ?StreamInterface $body = null): void
    {
        $this->head = $head;
        if (!$this->settings->isWatched && $body === null) {
            return;
        }
        $this->response = $this->respond($body ?? $this->sink);
        if ($this->settings->onHeaders === null) {
            return;
        }
        try {
            ($this->settings->onHeaders)($this->response);
        } catch (\Exception $e) {
            throw Failure::unwelcome($this->request, $this->response, $e);
        }
    }

    /** The answer whose body did not come whole. */
    private function arriving(): ?ResponseInterface
    {
        try {
            return $this->head === null ? null : $this->response ?? $this->respond($this->sink);
        } catch (RequestException) {
            return null;    // no PSR-7 response has that status
        }
    }

    /** @return array{int, array<string, list<string>>, string, string} */
    private static function head(Answer|StreamedResponse $answer): array
    {
        return [$answer->status, $answer->headers, $answer->protocol, $answer->reasonPhrase];
    }

    private function respond(?StreamInterface $body): Response
    {
        [$status, $headers, $protocol, $reason] = $this->head ?? throw new \LogicException('There is no answer');
        $titled = [];
        foreach ($headers as $name => $values) {
            $titled[HeaderNames::titled((string) $name)] = $values;
        }
        if ($this->settings->decode) {
            $titled = $this->decoded($titled);
        }
        try {
            return new Response($status, $titled, $body, $protocol, $reason);
        } catch (\InvalidArgumentException $e) {
            throw new RequestException('An error was encountered while creating the response', $this->request, null, $e);
        }
    }

    /**
     * With what decoding has removed, by the names that Guzzle gives it.
     *
     * @param array<string, list<string>> $headers
     *
     * @return array<string, list<string>>
     */
    private function decoded(array $headers): array
    {
        if (isset($headers['Content-Encoding'])) {
            if (!$this->isEmpty($headers)) {
                return $headers;
            }
            // There is no body to decode, and Guzzle's names are those of the one that would be there.
            $removed = ['content-encoding' => $headers['Content-Encoding'], 'content-length' => $headers['Content-Length'] ?? []];
            unset($headers['Content-Encoding'], $headers['Content-Length']);
        } elseif (isset($headers['Content-Length']) || $this->pending === null) {
            return $headers;
        } else {
            $removed = $this->pending->removedHeaders();
        }
        foreach ($removed as $name => $values) {
            if ($values) {
                $headers["x-encoded-$name"] = $values;
            }
        }
        return $headers;
    }

    /** @param array<string, list<string>> $headers */
    private function isEmpty(array $headers): bool
    {
        return $this->request->getMethod() === 'HEAD'
            || in_array($this->head[0] ?? null, [204, 304], true)
            || ($headers['Content-Length'] ?? null) === ['0'];
    }

    /** What callbacks have seen. */
    private function shown(): Response
    {
        return $this->response ?? throw new \LogicException('There is no answer');
    }

    private function write(string $bytes): void
    {
        if ($bytes !== '' && $this->sink?->write($bytes) !== strlen($bytes)) {
            throw Failure::unwritten($this->request, $this->response);
        }
    }

    private function report(int $received): void
    {
        if ($this->settings->progress === null) {
            return;
        }
        $total = (int) ($this->head[1]['content-length'][0] ?? 0);
        $sent = $this->request->getBody()->getSize() ?? 0;
        ($this->settings->progress)($total, $received, $sent, $sent);
    }
}
