<?php

declare(strict_types=1);

namespace RetryClient\Symfony;

use RetryClient\Attempt;
use RetryClient\Internal\HeaderNames;
use RetryClient\Pending;
use RetryClient\Response;
use Symfony\Component\HttpClient\Chunk\DataChunk;
use Symfony\Component\HttpClient\Chunk\ErrorChunk;
use Symfony\Component\HttpClient\Chunk\FirstChunk;
use Symfony\Component\HttpClient\Chunk\LastChunk;
use Symfony\Component\HttpClient\Exception\ClientException;
use Symfony\Component\HttpClient\Exception\JsonException;
use Symfony\Component\HttpClient\Exception\RedirectionException;
use Symfony\Component\HttpClient\Exception\ServerException;
use Symfony\Component\HttpClient\Exception\TimeoutException;
use Symfony\Component\HttpClient\Exception\TransportException;
use Symfony\Component\HttpClient\Response\StreamableInterface;
use Symfony\Component\HttpClient\Response\StreamWrapper;
use Symfony\Contracts\HttpClient\ChunkInterface;
use Symfony\Contracts\HttpClient\ResponseInterface;

/**
 * A response that is on its way. `HttpClient::request()` makes it.
 *
 * `getContent()` alone leaves the body to the RetryClient until it is whole, so that a body that breaks is sent for again;
 * what `HttpClient::stream()` hands out is final.
 */
final class LazyResponse implements ResponseInterface, StreamableInterface
{
    /** Options that matter after sending. */
    private const OPTIONS = ['max_duration', 'max_redirects', 'on_progress', 'timeout', 'user_data'];

    /** Bytes of a chunk at most: who takes a chunk in parts, as Symfony's streams do, copies what is left of it each time. */
    private const CHUNK = 65_536;

    /** @var array<string, mixed> */
    private readonly array $options;

    private Pending $pending;

    /** The last redirect, while its body may arrive: dropping it closes its connection, which the next hop may use. */
    private ?Pending $redirect = null;

    private int $redirects = 0;

    private ?string $redirectUrl = null;

    private int $status = 0;

    /** @var array<lowercase-string, list<string>> of the last answer */
    private array $headers = [];

    /** @var list<string> as PHP's `$http_response_header`, of all hops */
    private array $lines = [];

    /** How many of the lines are of earlier hops. */
    private int $earlierLines = 0;

    /** Whether `$status` and `$headers` are of an answer that is no redirect to follow. */
    private bool $hasAnswer = false;

    /** Whether the caller knows the status, so that it must not change. */
    private bool $isTold = false;

    /** Whether an exception makes its message of the response, in which no credential is to show. */
    private bool $isExplained = false;

    /** Whether the caller has asked for the status, or is not to be bothered with it. */
    private bool $isChecked = false;

    /** Whether the headers have been waited for, be it in vain. */
    private bool $isAwaited = false;

    private bool $hasBegun = false;

    /** The whole answer is here, and `$rest` is of its body what was not handed out. */
    private bool $isComplete = false;

    private string $rest = '';

    /** @var list<string> what has been taken of the body and not handed out */
    private array $chunks = [];

    private bool $isCanceled = false;

    private ?string $error = null;

    /** Why it failed, until that has been told. */
    private ?\Throwable $failure = null;

    private ?\Throwable $cause = null;

    /** Whether it is thrown as it is: what a hook of the RetryClient throws is nobody else's. */
    private bool $isForeign = false;

    /** @var bool|resource|\Closure(array<string, list<string>>): (bool|resource) */
    private mixed $buffer;

    /** @var resource|null what has been handed out, to be read again */
    private $content = null;

    private ?string $body = null;

    private int $offset = 0;

    /** @var list<Attempt> */
    private array $attempts = [];

    private float $waited = 0.0;

    private ?float $endedAt = null;

    private int $received = 0;

    private ?int $toldReceived = null;

    private float $toldAt = 0.0;

    /** The process that it belongs to. */
    private readonly int $process;

    /**
     * @param array<string, mixed> $options
     *
     * @internal
     */
    public function __construct(
        private readonly Clients $clients,
        #[\SensitiveParameter] private readonly Hops $hops,
        #[\SensitiveParameter] array $options,
    ) {
        $this->process = (int) getmypid();
        $this->options = array_intersect_key($options, array_flip(self::OPTIONS));
        $this->buffer = $options['buffer'] ?? true;
        $this->pending = $hops->start();
        $clients->begin();
        Silence::end();
    }

    public function getStatusCode(): int
    {
        $this->await();

        return $this->status;
    }

    /** @return array<lowercase-string, list<string>> */
    public function getHeaders(bool $throw = true): array
    {
        $this->await();
        if ($throw) {
            $this->checkStatus();
        }

        return $this->headers;
    }

    public function getContent(bool $throw = true): string
    {
        $this->isChecked = true;
        $this->begin();
        if ($throw) {
            $this->checkStatus();
        }
        if ($this->error !== null) {
            $this->throwFailure();
        }
        if ($this->offset === 0 && $this->content === null && $this->body === null) {
            $this->complete();
            if ($throw) {
                $this->checkStatus();
            }
            $body = $this->rest;
            $this->rest = '';
            $this->offset = strlen($body);
            if ($this->buffer === true) {
                $this->body = $body;
            }

            return $body;
        }
        if ($this->body !== null) {
            return $this->body;
        }
        $content = null;
        foreach (self::stream([$this]) as $chunk) {
            if (!$chunk->isLast()) {
                $content .= $chunk->getContent();
            }
        }
        if ($this->content !== null) {
            rewind($this->content);

            return (string) stream_get_contents($this->content);
        }
        if ($content === null) {
            throw new TransportException('Cannot get the content of the response twice: buffering is disabled.');
        }

        return $content;
    }

    /** @return array<array-key, mixed> */
    public function toArray(bool $throw = true): array
    {
        $content = $this->getContent($throw);
        if ($content === '') {
            throw new JsonException('Response body is empty.');
        }
        try {
            $data = json_decode($content, true, 512, JSON_BIGINT_AS_STRING | JSON_THROW_ON_ERROR);
        } catch (\JsonException $e) {
            throw new JsonException(sprintf('%s for "%s".', $e->getMessage(), $this->hops->shownUrl()), $e->getCode(), $e);
        }
        if (!is_array($data)) {
            throw new JsonException(sprintf('JSON content was expected to decode to an array, "%s" returned for "%s".', get_debug_type($data), $this->hops->shownUrl()));
        }

        return $data;
    }

    /** @return resource */
    public function toStream(bool $throw = true): mixed
    {
        $this->getHeaders($throw);
        if ($this->buffer === true && $this->content === null) {
            $this->content = self::temporary($this->body ?? '');
            $this->body = null;
        }
        $stream = StreamWrapper::createResource($this);
        $handle = null;
        stream_get_meta_data($stream)['wrapper_data']->bindHandles($handle, $this->content);

        return $stream;
    }

    public function cancel(): void
    {
        $this->isCanceled = true;
        $this->error = 'Response has been canceled.';
        $this->failure = null;
        $this->close();
    }

    /**
     * The info that the contract names, and `total_time`, `size_download`, `max_duration`, and of the RetryClient
     * `attempts` (list of `RetryClient\Attempt`, of all hops) and `waited` (seconds), as far as they are known.
     */
    public function getInfo(?string $type = null): mixed
    {
        $info = [
            'canceled' => $this->isCanceled,
            'error' => $this->error,
            'http_code' => $this->status,
            'http_method' => $this->hops->method(),
            'redirect_count' => $this->redirects,
            'redirect_url' => $this->redirectUrl,
            'response_headers' => $this->lines,
            'start_time' => $this->hops->startedAt,
            'url' => $this->isExplained ? $this->hops->shownUrl() : $this->hops->url(),
            'user_data' => $this->options['user_data'],
            'max_duration' => $this->options['max_duration'],
            'total_time' => ($this->endedAt ?? microtime(true)) - $this->hops->startedAt,
            'size_download' => $this->received,
            'attempts' => $this->attempts,
            'waited' => $this->waited,
        ];

        return $type === null ? $info : $info[$type] ?? null;
    }

    /**
     * @param iterable<array-key, ResponseInterface> $responses
     *
     * @return \Generator<self, ChunkInterface>
     *
     * @internal
     */
    public static function stream(iterable $responses, ?float $timeout = null): \Generator
    {
        $running = [];
        foreach ($responses as $response) {
            if (!$response instanceof self) {
                throw new \TypeError(sprintf('%s(): Argument #1 ($responses) must contain only %s, %s given', __METHOD__, self::class, get_debug_type($response)));
            }
            $running[spl_object_id($response)] = $response;
        }
        $wasCanceled = array_filter($running, static fn(self $one): bool => $one->isCanceled);
        $silence = new Silence($timeout);
        while ($running !== []) {
            $waits = true;
            foreach ($running as $id => $response) {
                // Who cancels it while it is streamed, be it at a chunk of another, knows.
                if ($response->isCanceled && !isset($wasCanceled[$id])) {
                    unset($running[$id]);
                }
                while (isset($running[$id])) {
                    $chunk = $response->chunk();
                    if ($chunk === null) {
                        if (!$silence->isTooLong($id, $running)) {
                            break;
                        }
                        $chunk = new ErrorChunk($response->offset, $response->silenceMessage());
                    }
                    $waits = false;
                    if ($chunk instanceof ErrorChunk || $chunk instanceof LastChunk) {
                        unset($running[$id]);
                    }
                    yield $response => $chunk;
                    if ($chunk instanceof ErrorChunk && !$chunk->didThrow()) {
                        $chunk->getContent();
                    } elseif ($chunk instanceof FirstChunk && !$response->isChecked && $response->error === null) {
                        $response->getHeaders(true);
                    }
                    if ($response->isCanceled) {
                        unset($running[$id]);
                    }
                }
            }
            if ($running !== []) {
                $silence->listen($running, $waits);
            }
        }
    }

    /** @internal */
    public function pending(): Pending
    {
        return $this->pending;
    }

    /** @internal */
    public function timeout(): float
    {
        return $this->options['timeout'];
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return [
            'method' => $this->hops->method(),
            'url' => $this->hops->shownUrl(),
            'status' => $this->status,
            'error' => $this->error,
            'attempts' => $this->attempts,
        ];
    }

    public function __clone()
    {
        throw new \BadMethodCallException('Cannot clone ' . self::class);
    }

    /** @return never */
    public function __serialize(): array
    {
        throw new \BadMethodCallException('Cannot serialize ' . self::class);
    }

    /** @param array<mixed> $data */
    public function __unserialize(array $data): void
    {
        throw new \BadMethodCallException('Cannot unserialize ' . self::class);
    }

    public function __destruct()
    {
        try {
            // A child that was forked meanwhile has a copy, whose status is none of its business.
            if (!$this->isChecked && $this->error === null && $this->process === getmypid()) {
                $this->buffer = $this->hasBegun ? $this->buffer : true;
                $this->getHeaders(true);
            }
        } finally {
            $this->clients->end();
        }
    }

    /** Waits for the status, which the caller is to know. */
    private function await(): void
    {
        $this->isChecked = true;
        $this->begin();
        $this->isTold = true;
    }

    /** Waits for the headers. */
    private function begin(): void
    {
        if ($this->hasBegun) {
            return;
        }
        // What others have waited for in vain counts once: asked again, it waits again.
        $timeout = $this->isAwaited ? null : -0.0;
        $this->isAwaited = true;
        foreach (self::stream([$this], $timeout) as $chunk) {
            if ($chunk->isFirst()) {
                return;
            }
        }
    }

    private function checkStatus(): void
    {
        if ($this->status < 300) {
            return;
        }
        $this->isTold = $this->isExplained = true;
        try {
            throw match (true) {
                $this->status >= 500 => new ServerException($this),
                $this->status >= 400 => new ClientException($this),
                default => new RedirectionException($this),
            };
        } finally {
            $this->isExplained = false;
        }
    }

    /** Waits for the whole body without taking anything of it. */
    private function complete(): void
    {
        $silence = new Silence(null);
        $running = [spl_object_id($this) => $this];
        while (true) {
            $this->take();
            $this->finish();
            if ($this->error !== null) {
                $this->throwFailure();
            }
            if ($this->isComplete) {
                return;
            }
            if ($silence->isTooLong(spl_object_id($this), $running)) {
                throw new TimeoutException($this->silenceMessage());
            }
            $silence->listen($running, true);
        }
    }

    /** What is to be handed out next; null while there is nothing. */
    private function chunk(): ?ChunkInterface
    {
        if ($this->chunks !== []) {
            return $this->data(array_shift($this->chunks));
        }
        $this->take();
        if ($this->hasAnswer && !$this->hasBegun) {
            $this->hasBegun = true;
            $this->openBuffer();

            return new FirstChunk();
        }
        if ($this->hasAnswer && $this->error === null && !$this->isComplete) {
            $data = $this->pending->read();
            if ($data === '') {
                $this->finish();
            } else {
                return $this->split($data);
            }
        }
        if ($this->error === null && !$this->hasAnswer) {
            $this->finish();
            if ($this->hasAnswer) {
                return $this->chunk();
            }
        }
        if ($this->rest !== '' && $this->error === null) {
            $data = $this->rest;
            $this->rest = '';

            return $this->split($data);
        }
        if ($this->error !== null) {
            return $this->failureChunk();
        }
        if (!$this->isComplete) {
            return null;
        }
        if ($this->buffer === true && $this->content === null && $this->body === null) {
            $this->body = '';
        }

        return new LastChunk($this->offset);
    }

    private function split(string $data): ChunkInterface
    {
        $this->chunks = str_split($data, self::CHUNK);

        return $this->data(array_shift($this->chunks));
    }

    private function data(string $data): ChunkInterface
    {
        if ($this->buffer === true && $this->content === null) {
            $this->content = self::temporary('');
        }
        if ($this->content !== null && @fwrite($this->content, $data) !== strlen($data)) {
            $this->fail(new TransportException(sprintf('Failed writing %d bytes to the response buffer.', strlen($data))));

            return $this->failureChunk();
        }
        $chunk = new DataChunk($this->offset, $data);
        $this->offset += strlen($data);

        return $chunk;
    }

    private function openBuffer(): void
    {
        if ($this->buffer instanceof \Closure) {
            try {
                $buffer = ($this->buffer)($this->headers);
                if ($this->error !== null) {
                    throw new TransportException($this->error);
                }
                $this->buffer = $buffer;
            } catch (\Throwable $e) {
                $this->buffer = false;
                $this->fail($e);
            }
        }
        if (is_resource($this->buffer)) {
            $this->content = $this->buffer;
        }
    }

    /** Takes note of an answer's headers, and follows redirects. */
    private function take(): void
    {
        if ($this->redirect?->done()) {
            $this->leaveRedirect();
        }
        while ($this->error === null && !$this->isComplete) {
            $status = $this->pending->status();
            $received = $this->pending->received();
            if ($status === null) {
                $this->hasAnswer = $this->hasAnswer && $this->hasBegun;
                break;
            }
            if ($this->hasAnswer && $status === $this->status && $received >= $this->received) {
                $this->received = $received;
                break;
            }
            $headers = $this->pending->headers() + $this->pending->removedHeaders();
            $this->note($status, $headers, $this->pending->protocol() ?? '1.1', $this->pending->reasonPhrase() ?? '');
            $this->received = $received;
            if (!$this->follows()) {
                $this->hasAnswer = true;
                $this->leaveRedirect();
                $this->tellProgress(true);
                break;
            }
        }
        $this->tellProgress(false);
    }

    /** @param array<lowercase-string, list<string>> $headers */
    private function note(int $status, array $headers, string $protocol, string $reason): void
    {
        if ($this->isTold && $status !== $this->status) {
            $this->fail(new TransportException(sprintf('The body broke, and asked again the server answered with status %d instead of %d for "%s".', $status, $this->status, $this->hops->shownUrl())));
            return;
        }
        $this->status = $status;
        $this->headers = $headers;
        array_splice($this->lines, $this->earlierLines);
        $this->lines[] = rtrim("HTTP/$protocol $status $reason");
        foreach ($headers as $name => $values) {
            foreach ($values as $value) {
                $this->lines[] = HeaderNames::titled((string) $name) . ": $value";
            }
        }
    }

    /** Goes on to where the answer redirects, if it does and may. */
    private function follows(): bool
    {
        $this->redirectUrl = null;
        $location = $this->headers['location'][0] ?? null;
        if ($this->error !== null || $location === null || $this->status < 300 || $this->status >= 400) {
            return false;
        }
        $target = HttpClient::target($location, $this->hops->parsedUrl());
        if ($target === null) {
            return false;
        }
        $this->redirectUrl = implode('', $target);
        if ($this->redirects >= $this->options['max_redirects']) {
            return false;
        }
        $this->redirects++;
        $this->earlierLines = count($this->lines);
        $this->hops->redirect($this->status, $target);
        $this->received = 0;
        $this->leaveRedirect();
        $this->redirect = $this->pending;
        try {
            $this->pending = $this->hops->start();
        } catch (\Throwable $e) {
            $this->fail($e);
        }

        return true;
    }

    /** Takes note of the end of the call. */
    private function finish(): void
    {
        if ($this->error !== null || $this->isComplete || !$this->pending->done()) {
            return;
        }
        try {
            $answer = $this->pending->wait(0.0);
        } catch (\Throwable $e) {
            $this->isForeign = !$e instanceof \RetryClient\Exception;
            $this->attempts = [...$this->attempts, ...($this->isForeign ? [] : $e->attempts)];
            $this->fail($e);
            return;
        }
        $this->count($answer);
        $this->received = $this->pending->received();
        $this->isComplete = $this->hasAnswer = true;
        $this->endedAt = microtime(true);
        $this->rest = $answer->body;
        $this->note($answer->status, $answer->headers + $this->pending->removedHeaders(), $answer->protocol, $answer->reasonPhrase);
        $this->tellProgress(true);
    }

    /** Closes its connection if its body has not come whole by now. */
    private function leaveRedirect(): void
    {
        if ($this->redirect?->done()) {
            try {
                $this->count($this->redirect->wait(0.0));
            } catch (\Throwable) {
                // Nobody waits for the body of a redirect.
            }
        }
        $this->redirect = null;
    }

    private function count(Response $answer): void
    {
        $this->attempts = [...$this->attempts, ...$answer->attempts];
        $this->waited += $answer->waited;
    }

    private function fail(\Throwable $e): void
    {
        $this->error ??= $e->getMessage();
        $this->failure = $this->cause = $e;
        $this->close();
    }

    private function close(): void
    {
        $this->endedAt ??= microtime(true);
        $this->rest = '';
        $this->chunks = [];
        $this->redirect = null;
        $this->pending->cancel();
    }

    private function failureChunk(): ErrorChunk
    {
        $failure = $this->failure;
        $this->failure = null;
        if ($failure instanceof \Error || ($failure !== null && $this->isForeign)) {
            throw $failure;
        }

        return new ErrorChunk($this->offset, $failure ?? $this->cause ?? new TransportException((string) $this->error));
    }

    private function throwFailure(): never
    {
        $this->failureChunk()->getContent();
        throw new \LogicException('An error chunk throws.');
    }

    private function tellProgress(bool $now): void
    {
        $tell = $this->options['on_progress'];
        if ($tell === null || $this->error !== null) {
            return;
        }
        $at = microtime(true);
        if (!$now && $this->toldReceived === $this->received && $at - $this->toldAt < Silence::SLICE) {
            return;
        }
        $this->toldReceived = $this->received;
        $this->toldAt = $at;
        // Of a decoded body the length is not that of the bytes that are counted.
        $isDecoded = isset($this->headers['content-encoding']) && $this->pending->removedHeaders() !== [];
        $length = $isDecoded || !$this->hasAnswer ? 0 : (int) ($this->headers['content-length'][0] ?? 0);
        try {
            $tell($this->received, $length, $this->getInfo());
        } catch (\Throwable $e) {
            $this->fail($e);
        }
    }

    private function silenceMessage(): string
    {
        return sprintf('Idle timeout reached for "%s".', $this->hops->shownUrl());
    }

    /** @return resource */
    private static function temporary(string $data): mixed
    {
        $stream = fopen('php://temp', 'w+') ?: throw new TransportException('No temporary stream can be opened.');
        fwrite($stream, $data);

        return $stream;
    }
}
