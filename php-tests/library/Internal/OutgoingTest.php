<?php

declare(strict_types=1);

namespace RetryClient\Tests\Internal;

use GuzzleHttp\Psr7\FnStream;
use GuzzleHttp\Psr7\LazyOpenStream;
use GuzzleHttp\Psr7\Request as GuzzleRequest;
use GuzzleHttp\Psr7\Utils;
use Nyholm\Psr7\Request;
use Nyholm\Psr7\Stream;
use PHPUnit\Framework\TestCase;
use Psr\Http\Message\StreamInterface;
use RetryClient\Internal\Outgoing;

final class OutgoingTest extends TestCase
{
    /** @var list<string> */
    private array $files = [];

    protected function tearDown(): void
    {
        array_map(unlink(...), $this->files);
    }

    public function testHeadersKeepNamesValuesAndOrder(): void
    {
        $request = new Request('GET', 'http://a.test/', ['X-B' => ['1', '2'], 'accept' => 'text/plain', 'Content-Length' => '0']);
        self::assertSame(['X-B' => ['1', '2'], 'accept' => ['text/plain'], 'Content-Length' => ['0']], Outgoing::headers($request));
    }

    /** @return iterable<string, array{string, string|list<string>, bool}> */
    public static function hosts(): iterable
    {
        yield 'the same' => ['http://a.test/', 'a.test', false];
        yield 'the same in capitals' => ['http://a.test/', 'A.TEST', false];
        yield 'the same with a port' => ['http://a.test:8080/', 'a.test:8080', false];
        yield 'the same without the scheme\'s port' => ['http://a.test:80/', 'a.test', false];
        yield 'IPv6' => ['http://[::1]:8080/', '[::1]:8080', false];
        yield 'another' => ['http://a.test/', 'b.test', true];
        yield 'another port' => ['http://a.test:8080/', 'a.test', true];
        yield 'of a relative URI' => ['/path', 'a.test', true];
    }

    /** @dataProvider hosts */
    public function testHostStaysIfItIsNotTheUris(string $uri, string $host, bool $stays): void
    {
        foreach ([Request::class, GuzzleRequest::class] as $class) {
            $headers = Outgoing::headers(new $class('GET', $uri, ['Host' => $host]));
            self::assertSame($stays ? ['Host' => [$host]] : [], $headers, $class);
        }
    }

    public function testFramingIsTheClients(): void
    {
        $request = new Request('GET', '/', ['Expect' => '100-Continue', 'transfer-encoding' => 'chunked', 'TE' => 'trailers']);
        self::assertSame(['TE' => ['trailers']], Outgoing::headers($request));
        $request = new Request('GET', '/', ['Expect' => 'miracles', 'Transfer-Encoding' => 'gzip, chunked']);
        self::assertSame(['Expect' => ['miracles'], 'Transfer-Encoding' => ['gzip, chunked']], Outgoing::headers($request));
    }

    public function testABodyThatCanSeekIsWhole(): void
    {
        foreach ([Request::class, GuzzleRequest::class] as $class) {
            $request = new $class('POST', '/', [], 'hello');
            $request->getBody()->read(2);
            self::assertSame('hello', Outgoing::body($request));
            self::assertSame('hello', Outgoing::body($request));
            self::assertNull(Outgoing::body(new $class('POST', '/')));
        }
    }

    public function testOfAPipeTheRestIsRead(): void
    {
        foreach ([Stream::create(...), Utils::streamFor(...)] as $make) {
            $body = $make($this->pipe('hello'));
            $body->read(1);
            $request = (new Request('POST', '/'))->withBody($body);
            self::assertSame('ello', Outgoing::body($request));
            self::assertNull(Outgoing::body($request));
        }
    }

    public function testWhatCannotBeReadIsNotSentEmpty(): void
    {
        foreach ([Stream::create(...), Utils::streamFor(...)] as $make) {
            try {
                Outgoing::body((new Request('POST', '/'))->withBody($make(fopen('php://output', 'w'))));
                self::fail('nothing was thrown');
            } catch (\RuntimeException $e) {
                // Guzzle's streams say so themselves.
                self::assertContains($e->getMessage(), ['The stream is not readable', 'Cannot read from non-readable stream']);
            }
        }
    }

    public function testALargeFileIsNotReadIntoMemory(): void
    {
        $path = $this->file($bytes = random_bytes(1 << 20) . '!');
        foreach ([Stream::create(fopen($path, 'r')), Utils::streamFor(fopen($path, 'r')), new LazyOpenStream($path, 'r')] as $stream) {
            $stream->read(10);
            $resource = Outgoing::body((new Request('POST', '/'))->withBody($stream));
            self::assertIsResource($resource);
            self::assertTrue(stream_get_contents($resource) === $bytes);
        }
    }

    /** @return iterable<string, array{callable(string): StreamInterface}> */
    public static function notPlain(): iterable
    {
        yield 'in memory' => [static fn(string $path): StreamInterface => Stream::create(file_get_contents($path))];
        yield 'decorated' => [static fn(string $path): StreamInterface => FnStream::decorate(Utils::streamFor(fopen($path, 'r')), [])];
        yield 'unlinked' => [static function (string $path): StreamInterface {
            copy($path, "$path.copy");
            $stream = Stream::create(fopen("$path.copy", 'r'));
            unlink("$path.copy");
            return $stream;
        }];
        yield 'replaced' => [static function (string $path): StreamInterface {
            $stream = Stream::create(fopen($path, 'r'));
            $size = filesize($path);
            rename($path, "$path.old");
            file_put_contents($path, random_bytes($size));
            unlink("$path.old");
            return $stream;
        }];
    }

    /**
     * @dataProvider notPlain
     * @param callable(string): StreamInterface $make
     */
    public function testWhatIsNoPlainFileIsRead(callable $make): void
    {
        $path = $this->file($bytes = random_bytes(1 << 20) . '!');
        self::assertTrue(Outgoing::body((new Request('POST', '/'))->withBody($make($path))) === $bytes);
    }

    public function testAFilterIsNotBypassed(): void
    {
        $path = $this->file($text = str_repeat('hello ', 200_000));
        stream_filter_append($file = fopen($path, 'r'), 'string.rot13', STREAM_FILTER_READ);
        self::assertTrue(Outgoing::body((new Request('POST', '/'))->withBody(Stream::create($file))) === str_rot13($text));
    }

    public function testASmallFileIsRead(): void
    {
        $path = $this->file('hello');
        self::assertSame('hello', Outgoing::body((new Request('POST', '/'))->withBody(Stream::create(fopen($path, 'r')))));
    }

    public function testABodyThatCannotBeReadSaysSo(): void
    {
        $body = Stream::create('hello');
        $body->close();
        $this->expectException(\RuntimeException::class);
        Outgoing::body((new Request('POST', '/'))->withBody($body));
    }

    public function testRequest(): void
    {
        $request = Outgoing::request(new Request('PUT', 'http://a.test/x?y=1', ['A' => 'b'], 'hello'), '/tmp/sink', 'key', 2.0);
        self::assertSame(
            ['PUT', 'http://a.test/x?y=1', ['A' => ['b']], 'hello', '/tmp/sink', 'key', 2.0],
            [$request->method, $request->uri, $request->headers, $request->body, $request->sink, $request->limitKey, $request->cost],
        );
    }

    public function testAMalformedRequestIsRefused(): void
    {
        $this->expectException(\ValueError::class);
        Outgoing::request(new Request('CONNECT', 'http://a.test/'));
    }

    /** @return resource whose other end is closed */
    private function pipe(string $bytes): mixed
    {
        [$near, $far] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        fwrite($far, $bytes);
        fclose($far);
        return $near;
    }

    private function file(string $bytes): string
    {
        file_put_contents($path = tempnam(sys_get_temp_dir(), 'retry_client-'), $bytes);
        $this->files[] = $path;
        return $path;
    }
}
