<?php

declare(strict_types=1);

namespace RetryClient\Tests\Guzzle;

use GuzzleHttp\Exception\RequestException;
use GuzzleHttp\Psr7;
use PHPUnit\Framework\TestCase;

require_once dirname(__DIR__, 2) . '/support.php';

/** The same request with Guzzle's own handler and with ours: what comes of it must be the same. */
final class SideBySideTest extends TestCase
{
    /** @dataProvider cases */
    public function testPromise(string $name, array $case): void
    {
        $this->compare('promise', $name, $case);
    }

    /** @dataProvider cases */
    public function testSynchronous(string $name, array $case): void
    {
        $this->compare('synchronous', $name, $case);
    }

    /** @dataProvider streams */
    public function testStream(string $name, array $case): void
    {
        $case['options']['stream'] = true;
        $this->compare('stream', $name, $case);
    }

    private function compare(string $way, string $name, array $case): void
    {
        [$theirs, $ours] = Contender::pairs($way);
        $expected = $theirs->play($name, $case);
        $actual = $ours->play($name, $case);
        foreach ($case['differs'] ?? [] as $what => [$theirValue, $ourValue]) {
            self::assertSame([$theirValue, $ourValue], [self::value($expected, $what), self::value($actual, $what)], "what differs: $what");
            self::put($expected, $what, null);
            self::put($actual, $what, null);
        }
        foreach ($case['ignored'] ?? [] as $what) {
            self::put($expected, $what, null);
            self::put($actual, $what, null);
        }
        self::assertSame($expected, $actual);
    }

    private static function file(string $contents): string
    {
        file_put_contents($path = folder() . '/sink', $contents);
        return $path;
    }

    private static function value(array $outcome, string $path): mixed
    {
        foreach (explode('/', $path) as $key) {
            $outcome = $outcome[$key] ?? null;
        }
        return $outcome;
    }

    private static function put(array &$outcome, string $path, mixed $value): void
    {
        $place = &$outcome;
        foreach (explode('/', $path) as $key) {
            $place = &$place[$key];
        }
        $place = $value;
    }

    /** @return iterable<string, array{string, array<string, mixed>}> */
    public static function cases(): iterable
    {
        return self::named(self::requests() + self::answers() + self::options() + self::callbacks() + self::failures() + self::refusals());
    }

    /** @return iterable<string, array{string, array<string, mixed>}> */
    public static function streams(): iterable
    {
        return self::named([
            'stream' => ['steps' => [['body' => 'hello', 'headers' => [['X-Test', 'a']]]]],
            'stream, chunks' => ['steps' => [['chunks' => ['a', 'b', 'c'], 'chunked' => true]]],
            'stream, empty' => ['steps' => [['status' => 204]]],
            'stream, 404' => ['steps' => [['status' => 404, 'body' => 'none']]],
            'stream, post' => ['method' => 'POST', 'options' => ['json' => ['a' => 1]]],
            'stream, on_headers' => ['observed' => ['on_headers'], 'differs' => ['calls/0/3' => [null, 5]]],     // the size is known
            'stream, on_headers: the status line' => ['observed' => ['on_headers'], 'steps' => [['chunks' => ['x'], 'chunked' => true, 'reason' => 'Fine']]],
            'stream, on_headers throws' => ['options' => ['on_headers' => static fn() => throw new \Exception('no')], 'ignored' => ['errno']],
            'stream, redirect' => ['steps' => [['action' => 'redirect', 'location' => '?second'], ['body' => 'there']]],
            'stream, HEAD' => ['method' => 'HEAD'],
            'stream, delay' => ['options' => ['delay' => 30]],
        ]);
    }

    private static function named(array $cases): iterable
    {
        foreach ($cases as $name => $case) {
            yield $name => [$name, $case];
        }
    }

    private static function requests(): array
    {
        $cases = [];
        foreach (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as $method) {
            $cases["$method without a body"] = ['method' => $method];
            if ($method !== 'HEAD') {
                $cases["$method with a body"] = ['method' => $method, 'options' => ['body' => 'abc']];
            }
        }
        // One that says nothing of its length may have a body.
        $cases['PATCH without a body']['differs'] = ['received/0/headers' => [
            ['user-agent' => ['GuzzleHttp/7']],
            ['content-length' => ['0'], 'user-agent' => ['GuzzleHttp/7']],
        ]];
        return $cases + [
            'headers' => ['options' => ['headers' => ['X-A' => ['1', '2'], 'x-b' => 'c', 'Accept' => 'text/plain', 'X-Empty' => '']]],
            'json' => ['method' => 'POST', 'options' => ['json' => ['a' => 'ä']]],
            'form' => ['method' => 'POST', 'options' => ['form_params' => ['a' => 'b c']]],
            'multipart' => ['method' => 'POST', 'options' => static fn() => ['body' => new Psr7\MultipartStream([['name' => 'a', 'contents' => 'b']], 'boundary')]],
            'query' => ['path' => '/x?y=1', 'options' => ['query' => ['a' => 'b c', 'd' => ['e']]]],
            'fragment' => ['path' => '/x#fragment'],
            'basic auth' => ['options' => ['auth' => ['user', 'password']]],
            'bytes in the body' => ['method' => 'POST', 'options' => ['body' => "\0\xff\r\n"]],
            'body without a length' => ['method' => 'POST', 'options' => static fn() => ['body' => Psr7\Utils::streamFor((static fn() => yield from ['a', 'b'])())],
                // The body is read before it is sent, so its length is known.
                'differs' => ['received/0/headers' => [
                    ['transfer-encoding' => ['chunked'], 'user-agent' => ['GuzzleHttp/7']],
                    ['content-length' => ['2'], 'user-agent' => ['GuzzleHttp/7']],
                ]]],
            // Guzzle's middleware takes the length of all of it for that of what is left.
            'body read in part' => ['method' => 'POST', 'options' => static function (): array {
                $body = Psr7\Utils::streamFor('abcdef');
                $body->read(3);
                return ['body' => new Psr7\NoSeekStream($body)];
            }],
            'body read to its end' => ['method' => 'POST', 'options' => static function (): array {
                $body = Psr7\Utils::streamFor('abcdef');
                $body->getContents();
                return ['body' => new Psr7\NoSeekStream($body)];
            }],
            'body of a decorator' => ['method' => 'POST', 'options' => static fn() => ['body' => new Psr7\InflateStream(Psr7\Utils::streamFor(gzencode('hello')))]],
            'Content-Length that is wrong' => ['method' => 'POST', 'options' => ['body' => 'abc', 'headers' => ['Content-Length' => '99']]],
            'large body' => ['method' => 'PUT', 'options' => ['body' => str_repeat('0123456789', 200_000)]],
            'Expect' => ['method' => 'POST', 'options' => ['body' => 'abc', 'expect' => true]],
            'user in the URI' => ['path' => '/x', 'user' => 'us%20er:pass%40word'],
            'Host' => ['options' => ['headers' => ['Host' => 'other.test']]],
            'HTTP/1.0' => ['options' => ['version' => '1.0']],
            'HTTP/1.0 as a number' => ['options' => ['version' => 1.0]],
            'HTTP/1.0 as an integer' => ['options' => ['version' => 1]],
            'cookies' => ['steps' => [['headers' => [['Set-Cookie', 'a=b'], ['Set-Cookie', 'c=d; HttpOnly']]]]],
        ];
    }

    private static function answers(): array
    {
        return [
            'headers of the answer' => ['steps' => [['body' => 'x', 'headers' => [['X-A', '1'], ['x-a', '2'], ['etag', '"a"'], ['WWW-Authenticate', 'Basic']]]]],
            'reason' => ['steps' => [['status' => 200, 'reason' => 'Fine']]],
            'no reason' => ['steps' => [['status' => 299, 'reason' => '']]],
            'HTTP/1.0 answer' => ['steps' => [['version' => '1.0', 'body' => 'x']]],
            'status 204' => ['steps' => [['status' => 204]]],
            'status 304' => ['steps' => [['status' => 304, 'headers' => [['ETag', '"a"']]]]],
            'status 404' => ['steps' => [['status' => 404, 'body' => 'nothing here']]],
            '404 without http_errors' => ['steps' => [['status' => 404, 'body' => 'none']], 'options' => ['http_errors' => false]],
            'status 429' => ['steps' => [['status' => 429, 'body' => 'slow', 'headers' => [['Retry-After', '1']]]]],
            'status 503' => ['steps' => [['status' => 503, 'body' => 'gone']]],
            'status 600' => ['steps' => [['status' => 600, 'body' => 'x']], 'differs' => ['errno' => [23, null]]],
            'informational' => ['steps' => [['informational' => [103], 'body' => 'x']]],
            'chunked' => ['steps' => [['chunks' => ['a', 'b'], 'chunked' => true]]],
            'until the end' => ['steps' => [['body' => 'abc', 'content_length' => false]]],
            'large answer' => ['steps' => [['body_repeat' => ['abc', 1_000_000]]]],
            'redirect' => ['steps' => [['action' => 'redirect', 'location' => '?second'], ['body' => 'there']], 'observed' => ['on_stats']],
            'redirect of a POST' => ['method' => 'POST', 'options' => ['body' => 'a'], 'steps' => [['action' => 'redirect', 'status' => 307, 'location' => '?second'], ['body' => 'there']]],
            'redirect not followed' => ['options' => ['allow_redirects' => false], 'steps' => [['action' => 'redirect', 'location' => '?second']]],
            'redirects without end' => ['options' => ['allow_redirects' => ['max' => 2]], 'steps' => [['action' => 'redirect', 'location' => '?again']]],
            'HTTP/2' => ['on' => 'h2', 'options' => static fn() => ['verify' => server('ca'), 'version' => 2.0]],
            'gzip' => ['steps' => [['body' => 'hello', 'encoding' => 'gzip']]],
            'gzip, chunked' => ['steps' => [['body' => 'hello', 'encoding' => 'gzip', 'chunked' => true]]],
            'deflate' => ['steps' => [['body' => 'hello', 'encoding' => 'deflate']]],
            'gzip, HEAD' => ['method' => 'HEAD', 'steps' => [['body' => 'hello', 'encoding' => 'gzip']]],
            'gzip, 204' => ['steps' => [['status' => 204, 'headers' => [['Content-Encoding', 'gzip']]]]],
            'gzip, 304' => ['steps' => [['status' => 304, 'headers' => [['Content-Encoding', 'gzip'], ['Content-Length', '33']]]]],
            'gzip of nothing' => ['steps' => [['body' => '', 'headers' => [['Content-Encoding', 'gzip']]]]],
            'gzip of nothing, watched' => ['observed' => ['on_headers'], 'steps' => [['body' => '', 'headers' => [['Content-Encoding', 'gzip']]]]],
            'gzip, not decoded' => ['steps' => [['body' => 'hello', 'encoding' => 'gzip']], 'options' => ['decode_content' => false]],
            'gzip, by name' => ['steps' => [['body' => 'hello', 'encoding' => 'gzip']], 'options' => ['decode_content' => 'gzip']],
            'gzip, Accept-Encoding' => ['steps' => [['body' => 'hello', 'encoding' => 'gzip']], 'options' => ['headers' => ['Accept-Encoding' => 'gzip']]],
            'identity, by name' => ['options' => ['decode_content' => 'gzip']],
        ];
    }

    private static function options(): array
    {
        return [
            'sink: a path' => ['sinkFile' => true],
            'sink: a path, 404' => ['sinkFile' => true, 'steps' => [['status' => 404, 'body' => 'none']]],
            'sink: a path, 503' => ['sinkFile' => true, 'steps' => [['status' => 503, 'body' => 'busy']]],
            'sink: a path, 503, nothing' => ['sinkFile' => true, 'steps' => [['status' => 503]]],
            'sink: a file, 429' => [
                'options' => static fn() => ['sink' => self::file('before, and longer')],
                'steps' => [['status' => 429, 'body' => 'slow']],
            ],
            'sink: a file, 503, nothing' => ['options' => static fn() => ['sink' => self::file('before')], 'steps' => [['status' => 503]]],
            'sink: a resource, 503' => ['options' => static fn() => ['sink' => fopen('php://temp', 'w+')], 'steps' => [['status' => 503, 'body' => 'busy']]],
            'sink: a stream, 503' => ['options' => static fn() => ['sink' => Psr7\Utils::streamFor('')], 'steps' => [['status' => 503, 'body' => 'busy']]],
            'sink: a path, nothing' => ['sinkFile' => true, 'steps' => [['status' => 204]]],
            'sink: a path, large' => ['sinkFile' => true, 'steps' => [['body_repeat' => ['abc', 1_000_000]]]],
            'sink: no directory' => ['options' => ['sink' => '/nowhere/at/all']],
            'sink: a path, no answer' => ['sinkFile' => true, 'steps' => [['action' => 'drop']]],
            'sink: a wrapper' => ['options' => ['sink' => 'php://memory']],
            'sink: a resource' => ['options' => static fn() => ['sink' => fopen('php://temp', 'w+')]],
            'sink: a resource with contents' => ['options' => static function (): array {
                fwrite($sink = fopen('php://temp', 'w+'), 'before ');
                return ['sink' => $sink];
            }],
            'sink: a stream' => ['options' => static fn() => ['sink' => Psr7\Utils::streamFor('')], 'steps' => [['chunks' => ['a', 'b'], 'chunked' => true]]],
            'sink: gzip' => ['options' => static fn() => ['sink' => Psr7\Utils::streamFor('')], 'steps' => [['body' => 'hello', 'encoding' => 'gzip']]],
            // It is told before anything is sent.
            'sink: not writable' => [
                'options' => static fn() => ['sink' => fopen('/dev/null', 'r')],
                'differs' => ['exception' => [\RuntimeException::class, RequestException::class], 'errno' => [null, 23]],
                'ignored' => ['sink', 'received'],
            ],
            'sink: takes nothing' => [
                'options' => static fn() => ['sink' => Psr7\FnStream::decorate(Psr7\Utils::streamFor(''), ['write' => static fn() => 0])],
                'ignored' => ['response'],
            ],
            'sink: takes nothing, watched' => [
                'options' => static fn() => ['sink' => Psr7\FnStream::decorate(Psr7\Utils::streamFor(''), ['write' => static fn() => 0])],
                'observed' => ['on_headers'],
            ],
            'sink: a device' => ['options' => ['sink' => '/dev/null'], 'ignored' => ['sink']],
            'sink: throws, watched' => [
                'options' => static fn() => ['sink' => Psr7\FnStream::decorate(Psr7\Utils::streamFor(''), ['write' => static fn() => throw new \DomainException('full')])],
                'observed' => ['on_headers'],
            ],
            'sink: throws' => ['options' => static fn() => ['sink' => Psr7\FnStream::decorate(Psr7\Utils::streamFor(''), ['write' => static fn() => throw new \DomainException('full')])]],
            'timeout that holds' => ['options' => ['timeout' => 0.2], 'steps' => [['action' => 'stall']]],
            'timeout in the body' => ['options' => ['timeout' => 0.2], 'steps' => [['body' => 'hello', 'send_bytes' => 2, 'end' => 'stall']]],
            'no timeout' => ['options' => ['timeout' => 0, 'connect_timeout' => 0]],
            'timeout as text' => ['options' => ['timeout' => '5', 'connect_timeout' => '2.5']],
            'connect_timeout' => ['url' => server('tls_stall'), 'options' => ['connect_timeout' => 0.2]],
            'verify: a file' => ['on' => 'https', 'options' => static fn() => ['verify' => server('ca')]],
            'verify: false' => ['on' => 'untrusted', 'options' => ['verify' => false]],
            'verify: no such file' => ['on' => 'https', 'options' => ['verify' => '/nowhere.pem']],
            'verify: unknown authority' => ['on' => 'untrusted', 'options' => static fn() => ['verify' => server('ca')]],
            'verify: expired' => ['on' => 'expired', 'options' => static fn() => ['verify' => server('ca')]],
            'verify: another host' => ['on' => 'wrong_host', 'options' => static fn() => ['verify' => server('ca')]],
            'cert' => ['on' => 'mtls', 'options' => static fn() => ['verify' => server('ca'), 'cert' => server('cert_and_key')]],
            'cert and ssl_key' => ['on' => 'mtls', 'options' => static fn() => ['verify' => server('ca'), 'cert' => server('cert'), 'ssl_key' => [server('key')]]],
            'cert: no such file' => ['on' => 'mtls', 'options' => ['cert' => '/nowhere.pem']],
            'ssl_key: no such file' => ['on' => 'mtls', 'options' => ['ssl_key' => '/nowhere.pem']],
            'proxy' => ['options' => static fn() => ['proxy' => server('proxy')]],
            'proxy without a scheme' => ['options' => static fn() => ['proxy' => substr(server('proxy'), strlen('http://'))]],
            'proxy by scheme' => ['options' => static fn() => ['proxy' => ['http' => server('proxy'), 'https' => server('refused')]]],
            'proxy of another scheme' => ['options' => static fn() => ['proxy' => ['https' => server('refused')]]],
            'proxy, tunnel' => ['on' => 'https', 'options' => static fn() => ['verify' => server('ca'), 'proxy' => ['https' => server('proxy')]]],
            'proxy: not for this host' => ['options' => static fn() => ['proxy' => ['http' => server('refused'), 'no' => ['.test', '127.0.0.1']]]],
            'proxy: not for others' => ['options' => static fn() => ['proxy' => ['http' => server('proxy'), 'no' => ['.test', 'localhost']]]],
            'proxy: refuses' => ['options' => static fn() => ['proxy' => server('refused')]],
            'proxy: wants a password' => ['options' => static fn() => ['proxy' => server('proxy_auth')]],
            'proxy: gets a password' => ['options' => static fn() => ['proxy' => str_replace('://', '://' . server('proxy_user') . '@', server('proxy_auth'))]],
            // cURL has the proxy's answer.
            'proxy: wants a password, tunnel' => ['on' => 'https', 'options' => static fn() => ['verify' => server('ca'), 'proxy' => server('proxy_auth')], 'ignored' => ['response']],
            'proxy: refuses the tunnel' => ['url' => 'https://127.0.0.1:1/', 'options' => static fn() => ['proxy' => server('proxy')], 'ignored' => ['response']],
            'proxy: refuses, tunnel' => ['on' => 'https', 'options' => static fn() => ['proxy' => server('refused')]],
            'proxy: none' => ['options' => ['proxy' => '']],
            'delay' => ['options' => ['delay' => 30]],
            'options of others' => ['options' => ['laravel_data' => [], 'my_option' => 1, 'curl' => [], 'stream_context' => [], 'debug' => false, 'read_timeout' => 1]],
        ];
    }

    private static function callbacks(): array
    {
        $all = ['on_headers', 'on_stats', 'progress'];
        return [
            'on_headers' => ['observed' => ['on_headers'], 'steps' => [['body' => 'x', 'headers' => [['X-Test', 'a']]]]],
            'on_headers: the status line' => ['observed' => ['on_headers'], 'steps' => [['body' => 'x', 'reason' => 'Fine', 'version' => '1.0']]],
            'on_headers throws: the status line' => [
                'options' => ['on_headers' => static fn() => throw new \DomainException('no')],
                'steps' => [['body' => 'x', 'reason' => 'Fine', 'version' => '1.0']],
            ],
            'on_headers of an error' => ['observed' => ['on_headers'], 'steps' => [['status' => 500, 'body' => 'x']]],
            'on_headers and no answer' => ['observed' => ['on_headers', 'on_stats'], 'steps' => [['action' => 'drop']]],
            'on_headers throws' => [
                'observed' => ['on_headers', 'on_stats'],
                'options' => ['on_headers' => static fn() => throw new \DomainException('no')],
            ],
            'on_headers, not callable' => ['options' => ['on_headers' => 'no such function']],
            'on_stats' => ['observed' => ['on_stats'], 'steps' => [['body' => 'x', 'headers' => [['Content-Type', 'text/plain']]]]],
            'on_stats of an error' => ['observed' => ['on_stats'], 'steps' => [['status' => 404]]],
            'on_stats and no connection' => ['observed' => ['on_stats'], 'url' => server('refused') . '/'],
            'on_stats throws' => ['observed' => ['on_stats'], 'options' => ['on_stats' => static fn() => throw new \DomainException('no')]],
            'progress' => ['observed' => ['progress'], 'steps' => [['body' => 'hello']]],
            'progress of an upload' => ['observed' => ['progress'], 'method' => 'POST', 'options' => ['body' => 'abc'], 'steps' => [['body' => 'hello']]],
            'progress, not callable' => ['options' => ['progress' => 'no such function']],
            'all of them' => ['observed' => $all, 'steps' => [['body' => 'hello', 'headers' => [['X-Test', 'a']]]]],
            'all of them, and a sink' => ['observed' => $all, 'sinkFile' => true, 'steps' => [['chunks' => ['a', 'b', 'c'], 'chunked' => true]]],
        ];
    }

    private static function failures(): array
    {
        return [
            'no such host' => ['url' => 'http://no.such.host.invalid/'],
            'refused' => ['url' => server('refused') . '/'],
            'no TLS' => ['url' => server('tls_garbage') . '/'],
            'no certificate of ours' => ['on' => 'mtls', 'options' => static fn() => ['verify' => server('ca')]],
            'a certificate of ours that is not known' => ['on' => 'mtls', 'options' => static fn() => [
                'verify' => server('ca'), 'cert' => server('other_cert'), 'ssl_key' => server('other_key'),
            ]],
            'no answer' => ['steps' => [['action' => 'drop']]],
            'reset' => ['steps' => [['action' => 'reset']]],
            // Of a body that breaks at once there is no response.
            'half a body' => ['steps' => [['action' => 'half', 'body' => '0123456789', 'send_bytes' => 4, 'end' => 'close']], 'ignored' => ['response']],
            'half a body, then a reset' => ['steps' => [['action' => 'half', 'body' => '0123456789', 'send_bytes' => 4, 'end' => 'reset']], 'ignored' => ['response']],
            // A file is there when it is complete.
            'half a body into a file' => [
                'sinkFile' => true,
                'steps' => [['body' => '0123456789', 'drip' => ['bytes' => 1, 'every_ms' => 30], 'send_bytes' => 4, 'end' => 'close']],
                'differs' => ['sink' => ['0123', null]],
                'ignored' => ['response'],
            ],
            'half a body into a file, watched' => [
                'sinkFile' => true,
                'observed' => ['on_headers'],
                'steps' => [['body' => '0123456789', 'drip' => ['bytes' => 1, 'every_ms' => 30], 'send_bytes' => 4, 'end' => 'close']],
            ],
            'no last chunk' => ['steps' => [['body' => 'hello', 'chunked' => true, 'chunk_fault' => 'no_end']], 'ignored' => ['response']],
            'no size of a chunk' => ['steps' => [['body' => 'hello', 'chunked' => true, 'chunk_fault' => 'bad_size']], 'ignored' => ['response']],
            'no status' => ['steps' => [['action' => 'raw', 'raw' => "HTTP/1.1 two hundred\r\n\r\n"]]],
            'not HTTP' => ['steps' => [['action' => 'raw', 'raw' => "SSH-2.0-OpenSSH\r\n"]]],
            'no gzip' => ['steps' => [['body' => 'hello', 'headers' => [['Content-Encoding', 'gzip']]]], 'ignored' => ['response']],
            'not a scheme' => ['url' => 'ftp://127.0.0.1/'],
            'no host' => ['url' => '/relative'],
        ];
    }

    private static function refusals(): array
    {
        return [
            'sink: a boolean' => ['options' => ['sink' => true]],
            'multipart and form' => ['options' => ['multipart' => [], 'form_params' => []]],
        ];
    }
}
