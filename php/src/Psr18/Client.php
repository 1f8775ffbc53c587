<?php

declare(strict_types=1);

namespace RetryClient\Psr18;

use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Message\StreamInterface;
use RetryClient\BudgetExceededException;
use RetryClient\Internal\ArrivingBody;
use RetryClient\Internal\Factories;
use RetryClient\Internal\HeaderNames;
use RetryClient\Internal\MemoryBody;
use RetryClient\Internal\Outgoing;
use RetryClient\Internal\Refusal;
use RetryClient\Internal\Variants;
use RetryClient\MissingRequirement;
use RetryClient\RateLimitedException;
use RetryClient\Response;
use RetryClient\StreamedResponse;

MissingRequirement::checkPackage(Client::class, ClientInterface::class, 'psr/http-client');

/**
 * PSR-18 on `\RetryClient`: a request is repeated as that client's options allow.
 *
 *     $client = new Client(new \RetryClient(maxAttempts: 8, budget: 60.0));
 *     $response = $client->sendRequest($request);
 *
 * No status is an exception: after giving up the last response is returned. Redirects are not followed. A body that was
 * decoded has no `Content-Encoding` and `Content-Length`. A POST or PATCH carries an `Idempotency-Key`, unless the client
 * was made with `idempotencyKey: false`.
 *
 * What hooks throw, and errors that are not the request's, pass through as they are.
 */
final class Client implements ClientInterface
{
    /** Factories' responses whose constructors take all at once, in this order: each `with…()` would copy the response. */
    private const AT_ONCE = [
        'GuzzleHttp\Psr7\HttpFactory' => 'GuzzleHttp\Psr7\Response',
        'Nyholm\Psr7\Factory\Psr17Factory' => 'Nyholm\Psr7\Response',
    ];

    private readonly \RetryClient\ClientInterface $client;
    private readonly ResponseFactoryInterface $responses;
    /** @var \Closure(string): StreamInterface */
    private readonly \Closure $body;

    /**
     * @param \RetryClient\ClientInterface|null $client Its options hold, but for `maxRedirects`, `throwOnGiveUp` and
     *     `throwOnError`. null: `new \RetryClient()`.
     * @param ResponseFactoryInterface|null $responses null, of either factory: nyholm/psr7, guzzlehttp/psr7 or
     *     laminas/laminas-diactoros, the first one that is installed.
     *
     * @throws MissingRequirement the extension or PSR-17 factories are not installed
     */
    public function __construct(
        ?\RetryClient\ClientInterface $client = null,
        ?ResponseFactoryInterface $responses = null,
        ?StreamFactoryInterface $streams = null,
    ) {
        MissingRequirement::checkExtension(self::class);
        $this->client = Variants::base($client);
        $this->responses = $responses ?? Factories::responses(self::class);
        $given = $streams ?? ($responses instanceof StreamFactoryInterface ? $responses : null);
        $streams = $given ?? ($this->responses instanceof StreamFactoryInterface ? $this->responses : Factories::streams(self::class));
        $make = static function (string $contents) use ($streams): StreamInterface {
            $stream = $streams->createStream($contents);
            $stream->rewind();      // nyholm/psr7 before 1.6 leaves it at its end
            return $stream;
        };
        // Who gives a factory wants its streams. One that was only found makes them where a string does not do.
        $this->body = $given === null ? static fn(string $contents): MemoryBody => new MemoryBody($contents, $make) : $make;
    }

    /**
     * @throws NetworkException there is no response
     * @throws RequestException the request is malformed
     */
    public function sendRequest(RequestInterface $request): ResponseInterface
    {
        $response = $this->send($request);
        return $this->response($request, $response, ($this->body)($response->body));
    }

    /**
     * As `sendRequest()`, but returns when the first byte of the final answer's body is there: the rest arrives while it is
     * read.
     *
     * The body cannot seek. `read()` waits only if nothing is there, and throws a \RuntimeException if the stream breaks,
     * with the extension's exception as its previous one. To close the body, or to drop it before its end, closes the
     * connection.
     *
     * @throws NetworkException there is no response
     * @throws RequestException the request is malformed
     */
    public function sendStream(RequestInterface $request): ResponseInterface
    {
        $response = $this->send($request, true);
        return $this->response($request, $response, ArrivingBody::of($response));
    }

    /** A PSR-18 client whose `sendRequest()` is `sendStream()`. */
    public function streaming(): ClientInterface
    {
        return new StreamingClient($this);
    }

    /** @return ($stream is true ? StreamedResponse : Response) */
    private function send(RequestInterface $request, bool $stream = false): Response|StreamedResponse
    {
        try {
            $body = Outgoing::body($request);
        } catch (\RuntimeException $e) {
            throw new RequestException('The body of the request cannot be read: ' . $e->getMessage(), $request, $e);
        }
        try {
            $arguments = [$request->getMethod(), (string) $request->getUri(), Outgoing::headers($request), $body];
            return $stream ? $this->client->stream(...$arguments) : $this->client->send(...$arguments);
        } catch (\RetryClient\NetworkException | BudgetExceededException | RateLimitedException $e) {
            throw new NetworkException($e->getMessage(), $request, $e);
        } catch (\Error $e) {
            $refusal = Refusal::of($e, self::class, 'send') ?? throw $e;
            throw new RequestException("The request is malformed: its $refusal->name $refusal->rule", $request, $e);
        }
    }

    private function response(RequestInterface $request, Response|StreamedResponse $response, StreamInterface $body): ResponseInterface
    {
        $headers = [];
        foreach ($response->headers as $name => $values) {
            $headers[HeaderNames::titled((string) $name)] = $values;
        }
        $reason = $response->reasonPhrase === '' ? [] : [$response->reasonPhrase];
        try {
            $class = self::AT_ONCE[$this->responses::class] ?? null;
            if ($class !== null) {
                return new $class($response->status, $headers, $body, $response->protocol, ...$reason);
            }
            $made = $this->responses->createResponse($response->status, ...$reason);
            foreach ($headers as $name => $values) {
                $made = $made->withHeader((string) $name, $values);
            }
            return $made->withProtocolVersion($response->protocol)->withBody($body);
        } catch (\InvalidArgumentException $e) {
            throw new NetworkException(
                sprintf('The answer, of status %d, is none that %s accepts', $response->status, $this->responses::class),
                $request,
                $e,
            );
        }
    }
}
