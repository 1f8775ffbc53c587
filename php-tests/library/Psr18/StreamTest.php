<?php

declare(strict_types=1);

namespace RetryClient\Tests\Psr18;

use GuzzleHttp\Psr7\Utils;
use Nyholm\Psr7\Request;
use PHPUnit\Framework\TestCase;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamInterface;
use RetryClient\BudgetExceededException;
use RetryClient\FakeClient;
use RetryClient\NetworkException;
use RetryClient\Psr18\Client;
use RetryClient\Response;

final class StreamTest extends TestCase
{
    use Clients;

    /** @var list<array{resource, array<int, resource>}> */
    private array $servers = [];

    protected function tearDown(): void
    {
        foreach ($this->servers as [$process, $pipes]) {
            array_map(fclose(...), $pipes);
            proc_close($process);
        }
    }

    public function testReadsWhatHasArrivedAndWaitsOnlyIfThatIsNothing(): void
    {
        [$url, $send] = $this->piecewise("HTTP/1.1 200 Fine\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
        $response = $this->client(null, idleTimeout: 20.0)->sendStream(new Request('GET', $url));
        self::assertSame(
            [200, 'Fine', '1.1', 'text/event-stream'],
            [$response->getStatusCode(), $response->getReasonPhrase(), $response->getProtocolVersion(), $response->getHeaderLine('content-type')],
        );
        $body = $response->getBody();
        self::assertSame('on', $body->read(2));
        self::assertSame('e', $body->read(8192));
        self::assertFalse($body->eof());
        foreach (['two', 'three'] as $piece) {
            $send(sprintf("%x\r\n%s\r\n", strlen($piece), $piece));
            self::assertSame($piece, $body->read(8192));
        }
        $send("4\r\nfour\r\n0\r\n\r\n");
        self::assertSame('four', $body->read(8192));
        self::assertSame('', $body->read(8192));
        self::assertTrue($body->eof());
        self::assertSame('', $body->read(8192));
        self::assertSame(15, $body->tell());
    }

    public function testTheEndIsKnownWithTheLastByteOfALength(): void
    {
        $client = $this->client();
        foreach ([1, 3, 5, 8192] as $bytes) {
            $url = $this->url([['body' => 'hello']]);
            $body = $client->sendStream(new Request('GET', $url))->getBody();
            self::assertSame(5, $body->getSize());
            for ($read = ''; !$body->eof(); $read .= $piece) {
                self::assertNotSame('', $piece = $body->read($bytes));
            }
            self::assertSame('hello', $read);
            // The connection is free, though the body still exists.
            $client->sendRequest(new Request('GET', $url));
            self::assertCount(1, array_unique(array_column($this->received(2), 'connection')));
        }
    }

    public function testByteByByte(): void
    {
        $lines = [];
        $body = $this->client()->sendStream(new Request('GET', server('http') . '/sse/3'))->getBody();
        while (!$body->eof()) {
            for ($line = ''; ($byte = $body->read(1)) !== '' && $byte !== "\n"; $line .= $byte) {
            }
            $lines[] = $line;
        }
        self::assertSame(
            ['id: 0', 'data: {"n":0}', '', 'id: 1', 'data: {"n":1}', '', 'id: 2', 'data: {"n":2}', '', ''],
            $lines,
        );
    }

    public function testLargeBodies(): void
    {
        $url = $this->url([['body_repeat' => ['0123456789abcdef', 1 << 16], 'chunked' => true]]);
        $whole = str_repeat('0123456789abcdef', 1 << 16);
        $ways = [
            'getContents' => static fn(StreamInterface $body): string => $body->getContents(),
            'a cast' => static fn(StreamInterface $body): string => (string) $body,
            'bytes' => static function (StreamInterface $body): string {
                for ($read = ''; !$body->eof(); $read .= $body->read(1)) {
                }
                return $read;
            },
            'pieces' => static function (StreamInterface $body): string {
                for ($read = ''; !$body->eof(); $read .= $body->read(1000)) {
                }
                return $read;
            },
            'a piece and the rest' => static fn(StreamInterface $body): string => $body->read(7) . $body->getContents(),
            'copyToStream' => static function (StreamInterface $body): string {
                Utils::copyToStream($body, $copy = Utils::streamFor(''));
                return (string) $copy;
            },
            'copyToStream, some' => static function (StreamInterface $body): string {
                Utils::copyToStream($body, $copy = Utils::streamFor(''), 500_000);
                return $copy . $body->getContents();
            },
            'copyToString' => static fn(StreamInterface $body): string => Utils::copyToString($body),
            'a PHP stream' => static fn(StreamInterface $body): string => stream_get_contents(\GuzzleHttp\Psr7\StreamWrapper::getResource($body)),
        ];
        foreach ($ways as $what => $way) {
            $body = $this->client()->sendStream(new Request('GET', $url))->getBody();
            self::assertTrue($way($body) === $whole, $what);
            self::assertTrue($body->eof(), $what);
            self::assertSame(1 << 20, $body->tell(), $what);
            self::assertSame('', $body->getContents(), $what);
        }
    }

    public function testWhatItCannotDo(): void
    {
        $body = $this->client()->sendStream(new Request('GET', $this->url([['body' => 'hello', 'chunked' => true]])))->getBody();
        self::assertSame(
            [true, false, false, null, [], null, ''],
            [$body->isReadable(), $body->isSeekable(), $body->isWritable(), $body->getSize(), $body->getMetadata(), $body->getMetadata('uri'), $body->read(0)],
        );
        foreach ([fn() => $body->seek(0), fn() => $body->rewind(), fn() => $body->write('x'), fn() => $body->read(-1)] as $call) {
            self::thrown(\RuntimeException::class, $call);
        }
        self::assertSame('hello', $body->getContents());
    }

    /** @return iterable<string, array{callable(ResponseInterface|null): void}> */
    public static function waysToClose(): iterable
    {
        yield 'close' => [static fn(?ResponseInterface &$response) => $response->getBody()->close()];
        yield 'detach' => [static fn(?ResponseInterface &$response) => self::assertNull($response->getBody()->detach())];
        yield 'drop' => [static function (?ResponseInterface &$response): void {
            $response = null;
        }];
    }

    /** @dataProvider waysToClose */
    public function testClosingClosesTheConnection(callable $close): void
    {
        [$url, , $says] = $this->piecewise("HTTP/1.1 200 OK\r\n\r\nhello");
        $response = $this->client()->sendStream(new Request('GET', $url));
        self::assertSame('he', $response->getBody()->read(2));
        $close($response);
        self::assertSame("left\n", $says());
        if ($response !== null) {
            $body = $response->getBody();
            self::assertSame([true, false, null], [$body->eof(), $body->isReadable(), $body->getSize()]);
            foreach ([fn() => $body->read(1), fn() => $body->getContents(), fn() => (string) $body, fn() => $body->tell()] as $call) {
                self::assertSame('The stream is closed', self::thrown(\RuntimeException::class, $call)->getMessage());
            }
            $body->close();
        }
    }

    public function testAStreamThatBreaks(): void
    {
        $steps = [['action' => 'half', 'body' => '0123456789', 'send_bytes' => 4]];
        $body = $this->client()->sendStream(new Request('GET', $this->url($steps)))->getBody();
        self::assertSame('012', $body->read(3));
        self::assertSame('3', $body->read(3));
        self::assertFalse($body->eof());
        foreach ([fn() => $body->read(3), fn() => $body->getContents(), fn() => (string) $body] as $call) {
            $thrown = self::thrown(\RuntimeException::class, $call);
            self::assertInstanceOf(NetworkException::class, $thrown->getPrevious());
            self::assertSame('reset', $thrown->getPrevious()->kind);
            self::assertSame($thrown->getPrevious()->getMessage(), $thrown->getMessage());
            self::assertStringContainsString('broke off after 4 bytes', $thrown->getMessage());
            self::assertTrue($body->eof());
        }
        self::assertSame(4, $body->tell());
    }

    public function testTheBudgetEndsAStream(): void
    {
        $url = $this->url([['action' => 'endless', 'drip' => ['every_ms' => 20]]]);
        $body = $this->client(null, budget: 0.2)->sendStream(new Request('GET', $url))->getBody();
        $thrown = self::thrown(\RuntimeException::class, static fn() => $body->getContents());
        self::assertInstanceOf(BudgetExceededException::class, $thrown->getPrevious());
    }

    public function testWhatAHookThrowsMeanwhilePassesThrough(): void
    {
        $mine = new \DomainException('mine');
        $chunks = (static function () use ($mine): \Generator {
            yield 'hello';
            throw $mine;
        })();
        $body = new \RetryClient\Internal\ArrivingBody($chunks);
        self::assertSame('hello', $body->read(10));
        self::assertSame($mine, self::thrown(\DomainException::class, static fn() => $body->read(10)));
    }

    public function testIsRepeatedUntilTheFirstByte(): void
    {
        $url = $this->url([['status' => 503, 'body' => 'no'], ['action' => 'drop'], ['chunks' => ['a', 'b'], 'chunked' => true]]);
        $response = $this->client(maxAttempts: 3)->sendStream(new Request('GET', $url));
        self::assertSame([200, 'ab'], [$response->getStatusCode(), $response->getBody()->getContents()]);
        self::assertCount(3, $this->received());
    }

    public function testAfterGivingUpTheLastResponseIsStreamed(): void
    {
        $url = $this->url([['status' => 429, 'body_json' => ['error' => 'slow down']]]);
        $response = $this->client()->sendStream(new Request('POST', $url, ['Content-Type' => 'application/json'], '{}'));
        self::assertSame([429, '{"error":"slow down"}'], [$response->getStatusCode(), (string) $response->getBody()]);
        self::assertSame(['{}', '{}'], array_map(body_of(...), $this->received()));
    }

    public function testDecoded(): void
    {
        $url = $this->url([['body_repeat' => ['hello ', 10_000], 'encoding' => 'br']]);
        $response = $this->client()->sendStream(new Request('GET', $url));
        self::assertSame([], $response->getHeaders());
        self::assertNull($response->getBody()->getSize());
        self::assertTrue($response->getBody()->getContents() === str_repeat('hello ', 10_000));
    }

    public function testOverHttp2(): void
    {
        $client = $this->client(null, verify: server('ca'));
        $body = $client->sendStream(new Request('GET', $this->url([['body' => 'hello']], 'h2')))->getBody();
        self::assertSame(['hello', '', true], [$body->read(10), $body->read(10), $body->eof()]);
    }

    public function testAFakeClientInside(): void
    {
        $fake = new FakeClient([new Response(status: 503), new Response(headers: ['Content-Length' => '5'], body: 'hello')]);
        $body = (new Client($fake))->sendStream(new Request('GET', 'http://a.test/'))->getBody();
        self::assertSame(['hel', 'lo', true], [$body->read(3), $body->read(3), $body->eof()]);
    }

    /** As the Anthropic SDK uses its `streamingTransporter`. */
    public function testStreaming(): void
    {
        [$url, $send, $says] = $this->piecewise("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
        $client = $this->client()->streaming();
        self::assertInstanceOf(ClientInterface::class, $client);
        $body = $client->sendRequest(new Request('POST', $url, [], '{"stream":true}'))->getBody();
        self::assertSame("data: 1\n\n", $body->read(8192));
        $send("data: 2\n\n");
        self::assertSame("data: 2\n\n", $body->read(8192));
        $body->close();
        self::assertSame("left\n", $says());
    }

    /** As openai-php takes its stream handler. */
    public function testAsACallable(): void
    {
        $handler = $this->client()->sendStream(...);
        $stream = static fn(RequestInterface $request): ResponseInterface => $handler($request);
        self::assertSame('hello', $stream(new Request('GET', $this->url([['body' => 'hello']])))->getBody()->getContents());
    }

    /**
     * An answer that arrives as the test says.
     *
     * @return array{string, callable(string): void, callable(): string} its URL, what sends more of it, what the server says
     */
    private function piecewise(string $head): array
    {
        $command = [PHP_BINARY, '-n', __DIR__ . '/piecewise.php', base64_encode($head)];
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $pipes);
        $this->servers[] = [$process, $pipes];
        return [
            'http://' . trim((string) fgets($pipes[1])) . '/',
            static function (string $bytes) use ($pipes): void {
                fwrite($pipes[0], base64_encode($bytes) . "\n");
            },
            static fn(): string => (string) fgets($pipes[1]),
        ];
    }
}
