<?php

declare(strict_types=1);

namespace RetryClient\Tests\Psr18;

use GuzzleHttp\Psr7\HttpFactory;
use GuzzleHttp\Psr7\Request as GuzzleRequest;
use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7\Request;
use Nyholm\Psr7\Stream;
use PHPUnit\Framework\TestCase;
use Psr\Http\Message\RequestInterface;
use RetryClient\BudgetExceededException;
use RetryClient\ClientInterface;
use RetryClient\FakeClient;
use RetryClient\Psr18\Client;
use RetryClient\Psr18\NetworkException;
use RetryClient\Psr18\RequestException;
use RetryClient\RateLimitedException;
use RetryClient\Response;

final class ClientTest extends TestCase
{
    use Clients;

    // --- The response ------------------------------------------------------------------------------------------------

    public function testHeadersAreTitledAndRepeatedOnesKept(): void
    {
        $headers = [['set-cookie', 'a=1; Path=/'], ['SET-COOKIE', 'b=2'], ['x-request-ID', '7'], ['x-empty', '']];
        $url = $this->url([['headers' => $headers, 'body' => 'x']]);
        foreach ([new Psr17Factory(), new HttpFactory()] as $factory) {
            $response = $this->client($factory)->sendRequest(new Request('GET', $url));
            self::assertSame(
                ['Set-Cookie' => ['a=1; Path=/', 'b=2'], 'X-Request-Id' => ['7'], 'X-Empty' => [''], 'Content-Length' => ['1']],
                $response->getHeaders(),
            );
        }
    }

    public function testAHeaderNameOfDigits(): void
    {
        $response = $this->client()->sendRequest(new Request('GET', $this->url([['headers' => [['123', 'x']]]])));
        self::assertSame('x', $response->getHeaderLine('123'));
    }

    public function testReasonPhrase(): void
    {
        foreach ([new Psr17Factory(), new HttpFactory()] as $factory) {
            $response = $this->client($factory)->sendRequest(new Request('GET', $this->url([['reason' => 'Very Fine']])));
            self::assertSame('Very Fine', $response->getReasonPhrase());
        }
    }

    public function testHttp2(): void
    {
        foreach ([new Psr17Factory(), new HttpFactory()] as $factory) {
            $client = $this->client($factory, verify: server('ca'));
            foreach ([$client, $client->streaming()] as $each) {
                $response = $each->sendRequest(new Request('GET', $this->url([['status' => 404, 'body' => 'x']], 'h2')));
                self::assertSame(
                    ['2', 404, 'Not Found', 'x'],
                    [$response->getProtocolVersion(), $response->getStatusCode(), $response->getReasonPhrase(), (string) $response->getBody()],
                );
                self::assertSame('HTTP/2', $this->received()[0]['protocol']);
                self::assertNull(header_of($this->received()[0], 'Host'));
            }
        }
    }

    public function testHttp10(): void
    {
        $response = $this->client()->sendRequest(new Request('GET', $this->url([['version' => '1.0', 'body' => 'x']])));
        self::assertSame('1.0', $response->getProtocolVersion());
    }

    /** @return iterable<string, array{string, array<string, mixed>, string|null}> */
    public static function withoutBody(): iterable
    {
        yield 'HEAD' => ['HEAD', ['body' => 'hello'], '5'];
        yield '204' => ['GET', ['status' => 204, 'headers' => [['X-A', 'b']]], null];
        yield '304' => ['GET', ['status' => 304, 'headers' => [['Etag', '"x"']]], null];
        yield 'an empty one' => ['GET', [], '0'];
    }

    /**
     * @dataProvider withoutBody
     * @param array<string, mixed> $step
     */
    public function testNoBody(string $method, array $step, ?string $length): void
    {
        $client = $this->client();
        foreach ([$client, $client->streaming()] as $each) {
            $response = $each->sendRequest(new Request($method, $this->url([$step])));
            self::assertSame($step['status'] ?? 200, $response->getStatusCode());
            self::assertSame($length ?? '', $response->getHeaderLine('Content-Length'));
            self::assertSame([0, ''], [$response->getBody()->getSize(), (string) $response->getBody()]);
        }
    }

    public function testInterimAnswersAreNotSeen(): void
    {
        $url = $this->url([['informational' => [100, 103], 'body' => 'final']]);
        $response = $this->client()->sendRequest(new Request('GET', $url));
        self::assertSame([200, 'final'], [$response->getStatusCode(), (string) $response->getBody()]);
    }

    public function testTheBodyCanSeek(): void
    {
        $body = $this->client()->sendRequest(new Request('GET', $this->url([['body' => 'hello']])))->getBody();
        self::assertSame(['he', 'llo', 'hello', 5], [$body->read(2), $body->getContents(), (string) $body, $body->getSize()]);
    }

    public function testADecodedBodyHasNoEncodingAndLength(): void
    {
        $url = $this->url([['body' => 'hello', 'encoding' => 'gzip', 'headers' => [['Vary', 'Accept-Encoding']]]]);
        $client = $this->client();
        foreach ([$client, $client->streaming()] as $each) {
            $response = $each->sendRequest(new Request('GET', $url));
            self::assertSame('hello', (string) $response->getBody());
            self::assertSame(['Vary' => ['Accept-Encoding']], $response->getHeaders());
        }
        $response = $this->client(decode: false)->sendRequest(new Request('GET', $url, ['Accept-Encoding' => 'gzip']));
        self::assertSame('gzip', $response->getHeaderLine('Content-Encoding'));
        self::assertSame('hello', gzdecode((string) $response->getBody()));
    }

    public function testRedirectsAreNotFollowedNorErrorsThrownWhateverTheClientSays(): void
    {
        $client = $this->client(maxRedirects: 7, throwOnGiveUp: true, throwOnError: true);
        $response = $client->sendRequest(new Request('GET', $this->url([['action' => 'redirect', 'location' => '/echo']])));
        self::assertSame([302, '/echo'], [$response->getStatusCode(), $response->getHeaderLine('Location')]);
        self::assertCount(1, $this->received());
        self::assertSame(404, $client->sendRequest(new Request('GET', server('http') . '/status/404'))->getStatusCode());
    }

    public function testAStatusThatTheFactoryRefuses(): void
    {
        $request = new Request('GET', $this->url([['status' => 799, 'headers' => [['Set-Cookie', 'secret']]]]));
        self::assertSame(799, $this->client(new Psr17Factory())->sendRequest($request)->getStatusCode());
        foreach (['sendRequest', 'sendStream'] as $send) {
            $thrown = self::thrown(NetworkException::class, fn() => $this->client(new HttpFactory())->$send($request));
            self::assertSame('The answer, of status 799, is none that GuzzleHttp\Psr7\HttpFactory accepts', $thrown->getMessage());
            self::assertSame($request, $thrown->getRequest());
            self::assertInstanceOf(\InvalidArgumentException::class, $thrown->getPrevious());
        }
    }

    // --- Repeating ---------------------------------------------------------------------------------------------------

    public function testIsRepeatedAsTheServerAsks(): void
    {
        $url = $this->url([['status' => 429, 'headers' => [['retry-after-ms', '20']]], ['action' => 'drop'], ['body' => 'ok']]);
        $response = $this->client(maxAttempts: 3)->sendRequest(new Request('PUT', $url, [], 'work'));
        self::assertSame([200, 'ok'], [$response->getStatusCode(), (string) $response->getBody()]);
        $log = $this->received();
        self::assertSame(['work', 'work', 'work'], array_map(body_of(...), $log));
        self::assertGreaterThanOrEqual(0.02, gaps($log)[0]);
    }

    public function testAPostHasOneIdempotencyKey(): void
    {
        $this->client()->sendRequest(new Request('POST', $this->url([['status' => 500], []]), [], 'x'));
        [$first, $second] = $this->received();
        self::assertIsString(header_of($first, 'Idempotency-Key'));
        self::assertSame(header_of($first, 'Idempotency-Key'), header_of($second, 'Idempotency-Key'));
    }

    public function testABodyThatCannotRewindIsReplayedWhole(): void
    {
        $bytes = random_bytes(50_000);
        foreach (['sendRequest', 'sendStream'] as $send) {
            [$near, $far] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            fwrite($far, $bytes);
            fclose($far);
            $body = Stream::create($near);
            self::assertFalse($body->isSeekable());
            $response = $this->client()->$send((new Request('POST', $this->url([['status' => 500], []])))->withBody($body));
            self::assertSame(200, $response->getStatusCode());
            self::assertTrue(array_map(body_of(...), $this->received()) === [$bytes, $bytes]);
        }
    }

    public function testALargeFileIsStreamedByEveryAttempt(): void
    {
        $file = tmpfile();
        ftruncate($file, 64 << 20);
        $request = (new Request('PUT', $this->url([['status' => 500], []])))->withBody(Stream::create($file));
        $this->client()->sendRequest(new Request('PUT', server('http') . '/echo', [], 'x'));
        file_put_contents('/proc/self/clear_refs', '5');        // forgets the most it has had
        $before = self::mostResident();
        $response = $this->client()->sendRequest($request);
        self::assertSame(200, $response->getStatusCode());
        self::assertLessThan(16 << 20, self::mostResident() - $before);
        self::assertSame([64 << 20, 64 << 20], array_column($this->received(), 'body_length'));
    }

    /** Bytes. */
    private static function mostResident(): int
    {
        return preg_match('/^VmHWM:\s+(\d+) kB$/m', (string) file_get_contents('/proc/self/status'), $m) ? 1024 * (int) $m[1] : 0;
    }

    // --- The request -------------------------------------------------------------------------------------------------

    public function testHostOfTheCallersOwn(): void
    {
        $this->client()->sendRequest(new Request('GET', $this->url([[]]), ['Host' => 'other.test']));
        self::assertSame('other.test', header_of($this->received()[0], 'Host'));
    }

    public function testFramingHeadersAreLeftToTheClient(): void
    {
        $headers = ['Transfer-Encoding' => 'chunked', 'Expect' => '100-continue', 'Content-Length' => '5'];
        $this->client()->sendRequest(new Request('POST', $this->url([[]]), $headers, 'hello'));
        [$entry] = $this->received();
        self::assertSame(
            [null, null, '5', 'hello'],
            [header_of($entry, 'Transfer-Encoding'), header_of($entry, 'Expect'), header_of($entry, 'Content-Length'), body_of($entry)],
        );
    }

    public function testRepeatedHeadersAreSentSo(): void
    {
        $this->client(null, headers: ['X-A' => 'default', 'X-B' => 'default'])
            ->sendRequest(new Request('GET', $this->url([[]]), ['X-A' => ['1', '2']]));
        [$entry] = $this->received();
        self::assertSame([['1', '2'], 'default'], [header_of($entry, 'X-A'), header_of($entry, 'X-B')]);
    }

    public function testARelativeUriIsJoinedToTheBase(): void
    {
        $url = $this->url([[]]);
        $this->client(null, baseUri: $url)->sendRequest(new Request('GET', 'chat?x=1'));
        self::assertSame(parse_url($url, PHP_URL_PATH) . '/chat?x=1', $this->received()[0]['target']);
    }

    /** @return iterable<string, array{RequestInterface, string}> */
    public static function malformed(): iterable
    {
        $url = 'http://a.test/';
        yield 'no host' => [
            new Request('GET', '/path'),
            'its uri must be an absolute http or https URI when there is no base URI',
        ];
        yield 'another scheme' => [new Request('GET', 'ftp://a.test/'), 'its uri must have the scheme http or https'];
        yield 'no method' => [new Request('G T', $url), 'its method must be a valid HTTP method'];
        yield 'CONNECT' => [new Request('CONNECT', $url), 'its method must not be CONNECT, which opens a tunnel'];
        yield 'two hosts' => [new GuzzleRequest('GET', $url, ['Host' => ['a.test', 'b.test']]), 'its headers must not have more than one "host"'];
        yield 'digits' => [new Request('GET', $url, ['123' => 'x']), 'its headers must have header names as keys, 123 given'];
        yield 'transfer coding' => [
            new Request('GET', $url, ['Transfer-Encoding' => 'gzip, chunked']),
            'its headers must not have "transfer-encoding", which the body decides',
        ];
        yield 'length' => [
            new Request('POST', $url, ['Content-Length' => '7'], 'hello'),
            'its headers must not have another "content-length" than the body\'s, which is 5',
        ];
    }

    /** @dataProvider malformed */
    public function testAMalformedRequest(RequestInterface $request, string $why): void
    {
        $fake = new FakeClient([new Response()]);
        foreach (['sendRequest', 'sendStream'] as $send) {
            $thrown = self::thrown(RequestException::class, static fn() => (new Client($fake))->$send($request));
            self::assertSame("The request is malformed: $why", $thrown->getMessage());
            self::assertSame($request, $thrown->getRequest());
            self::assertInstanceOf(\ValueError::class, $thrown->getPrevious());
        }
        self::assertSame([], $fake->requests());
    }

    public function testABodyThatCannotBeRead(): void
    {
        $body = Stream::create('hello');
        $body->close();
        $request = (new Request('POST', 'http://a.test/'))->withBody($body);
        $thrown = self::thrown(RequestException::class, static fn() => (new Client(new FakeClient([])))->sendRequest($request));
        self::assertSame('The body of the request cannot be read: Stream is detached', $thrown->getMessage());
        self::assertSame($request, $thrown->getRequest());
        self::assertInstanceOf(\RuntimeException::class, $thrown->getPrevious());
    }

    // --- No response -------------------------------------------------------------------------------------------------

    /** @return iterable<string, array{string, array<string, mixed>, class-string, string|null}> */
    public static function failures(): iterable
    {
        yield 'refused' => ['refused', [], \RetryClient\NetworkException::class, 'connect'];
        yield 'tls' => ['untrusted', [], \RetryClient\NetworkException::class, 'tls'];
        yield 'timeout' => ['http', ['timeout' => 0.05], \RetryClient\NetworkException::class, 'timeout'];
        yield 'budget' => ['http', ['budget' => 0.05], BudgetExceededException::class, null];
    }

    /**
     * @dataProvider failures
     * @param array<string, mixed> $options
     * @param class-string $class
     */
    public function testNoResponse(string $on, array $options, string $class, ?string $kind): void
    {
        $request = new Request('GET', $this->url([['action' => 'stall']], $on) . '?key=secret');
        foreach (['sendRequest', 'sendStream'] as $send) {
            $thrown = self::thrown(NetworkException::class, fn() => $this->client(null, ...$options)->$send($request));
            self::assertSame($request, $thrown->getRequest());
            self::assertInstanceOf($class, $thrown->getPrevious());
            self::assertSame($thrown->getPrevious()->getMessage(), $thrown->getMessage());
            self::assertStringNotContainsString('secret', $thrown->getMessage());
            self::assertSame($kind, $thrown->getPrevious()->kind ?? null);
        }
    }

    public function testAnAnswerThatIsNone(): void
    {
        $request = new Request('GET', $this->url([['action' => 'raw', 'raw' => "HTTP/1.1 two hundred\r\n\r\n"]]));
        $thrown = self::thrown(NetworkException::class, fn() => $this->client()->sendRequest($request));
        self::assertSame('protocol', $thrown->getPrevious()->kind);
    }

    public function testHeldBack(): void
    {
        $held = new RateLimitedException('held back', retryAfter: 3.0);
        $request = new Request('GET', 'http://a.test/');
        $thrown = self::thrown(NetworkException::class, static fn() => (new Client(new FakeClient([$held])))->sendRequest($request));
        self::assertSame([$request, $held, 'held back'], [$thrown->getRequest(), $thrown->getPrevious(), $thrown->getMessage()]);
    }

    public function testWhatWasAnsweredBeforeTheTimeWasUpIsReturned(): void
    {
        $fake = new FakeClient([new Response(status: 503, headers: ['Retry-After' => '60'], body: 'later')], budget: 10.0);
        $response = (new Client($fake))->sendRequest(new Request('GET', 'http://a.test/'));
        self::assertSame([503, 'later'], [$response->getStatusCode(), (string) $response->getBody()]);
    }

    /** @return iterable<string, array{\Throwable}> */
    public static function othersErrors(): iterable
    {
        yield 'an exception' => [new \DomainException('mine')];
        yield 'an error' => [new \Error('mine')];
        yield 'a ValueError' => [new \ValueError('RetryClient::send(): Argument #1 ($method) must be a valid HTTP method')];
        yield 'a TypeError' => [new \TypeError('mine')];
    }

    /** @dataProvider othersErrors */
    public function testWhatAHookThrowsPassesThrough(\Throwable $mine): void
    {
        $client = $this->client(null, onAttempt: static fn() => throw $mine);
        foreach (['sendRequest', 'sendStream'] as $send) {
            self::assertSame($mine, self::thrown(\Throwable::class, static fn() => $client->$send(new Request('GET', 'http://127.0.0.1/'))));
        }
    }

    public function testAMalformedRequestThatAHookSendsIsNotThisOne(): void
    {
        $client = $this->client(null, onAttempt: static fn() => (new \RetryClient())->get('ftp://a.test/'));
        $thrown = self::thrown(\ValueError::class, static fn() => $client->sendRequest(new Request('GET', 'http://127.0.0.1/')));
        self::assertSame('RetryClient::get(): Argument #1 ($uri) must have the scheme http or https', $thrown->getMessage());
    }

    public function testAMalformedRequestByWayOfADecorator(): void
    {
        $real = new \RetryClient();
        $decorator = $this->createStub(ClientInterface::class);
        $decorator->method('with')->willReturnSelf();
        $decorator->method('send')->willReturnCallback(static fn(string $method, string $uri) => $real->send($method, $uri));
        $decorator->method('stream')->willReturnCallback(static fn(string $method, string $uri) => $real->stream($method, $uri));
        $client = new Client($decorator);
        foreach (['sendRequest', 'sendStream'] as $send) {
            $thrown = self::thrown(RequestException::class, static fn() => $client->$send(new Request('GET', 'ftp://a.test/')));
            self::assertSame('The request is malformed: its uri must have the scheme http or https', $thrown->getMessage());
        }
    }

    public function testAHookThatReturnsWhatItMustNotIsNoMalformedRequest(): void
    {
        $client = $this->client(null, onAttempt: static fn() => 5);
        $thrown = self::thrown(\TypeError::class, static fn() => $client->sendRequest(new Request('GET', 'http://127.0.0.1/')));
        self::assertSame('RetryClient::send(): Return value of onAttempt must be of type ?array, int returned', $thrown->getMessage());
    }

    // --- Construction ------------------------------------------------------------------------------------------------

    public function testAFakeClientInside(): void
    {
        $fake = new FakeClient([new Response(status: 429, headers: ['Retry-After' => '30']), new Response(body: 'hello')]);
        $response = (new Client($fake))->sendRequest(new Request('POST', 'http://a.test/x?y=1', ['X-A' => 'b'], 'body'));
        self::assertSame([200, 'hello'], [$response->getStatusCode(), (string) $response->getBody()]);
        [$first, $second] = $fake->requests();
        self::assertSame(['POST', 'http://a.test/x?y=1', 'body'], [$first->method, $first->uri, $first->body]);
        self::assertSame($first->body, $second->body);
        self::thrown(\UnderflowException::class, static fn() => (new Client($fake))->sendRequest(new Request('GET', 'http://a.test/')));
    }

    public function testTheFactoriesGivenMakeTheResponse(): void
    {
        $response = (new Client(new FakeClient([new Response()]), new HttpFactory(), new Psr17Factory()))->sendRequest(new Request('GET', 'http://a.test/'));
        self::assertInstanceOf(\GuzzleHttp\Psr7\Response::class, $response);
        self::assertInstanceOf(Stream::class, $response->getBody());
        $response = (new Client(new FakeClient([new Response()]), new HttpFactory()))->sendRequest(new Request('GET', 'http://a.test/'));
        self::assertInstanceOf(\GuzzleHttp\Psr7\Stream::class, $response->getBody());
    }

    /** As php-http/discovery makes it: the class of composer.json, without arguments. */
    public function testDiscovery(): void
    {
        $composer = json_decode((string) file_get_contents(dirname(__DIR__, 3) . '/php/composer.json'), true, flags: JSON_THROW_ON_ERROR);
        self::assertSame(['Psr\Http\Client\ClientInterface'], array_keys($composer['extra']['discovery']));
        foreach ($composer['extra']['discovery'] as $interface => $class) {
            $client = new $class();
            self::assertInstanceOf($interface, $client);
            self::assertSame(204, $client->sendRequest(new Request('GET', server('http') . '/status/204'))->getStatusCode());
        }
    }
}
