<?php

declare(strict_types=1);

namespace RetryClient\Tests\Symfony;

use PHPUnit\Framework\TestCase;
use RetryClient\FakeClient;
use RetryClient\Response;
use RetryClient\Symfony\HttpClient;
use Symfony\Component\HttpClient\Exception\InvalidArgumentException;
use Symfony\Component\HttpClient\Exception\TransportException;
use Symfony\Component\HttpClient\HttpOptions;

final class OptionsTest extends TestCase
{
    use Adapter;

    // --- Refused -----------------------------------------------------------------------------------------------------

    /**
     * @testWith ["bindto", "127.0.0.1:9"]
     *           ["capath", "/etc/ssl"]
     *           ["ciphers", "AES"]
     *           ["passphrase", "secret"]
     *           ["peer_fingerprint", "0123456789abcdef0123456789abcdef"]
     *           ["capture_peer_cert_chain", true]
     *           ["auth_ntlm", "a:b"]
     *           ["nonsense", 1]
     *           ["verify_host", false]
     *           ["http_version", "3.0"]
     *           ["resolve", {"a.test:81": "127.0.0.1"}]
     *           ["resolve", {"a.test": "nowhere"}]
     *           ["extra", {"retry_client": {"maxRedirects": 3}}]
     *           ["extra", {"retry_client": {"throwOnGiveUp": true}}]
     *           ["extra", {"retry_client": {"nonsense": 3}}]
     *           ["extra", {"retry_client": {"budget": -1.0}}]
     *           ["extra", {"retry_client": 1}]
     *           ["extra", {"retry_client": [1]}]
     */
    public function testRefused(string $name, mixed $value): void
    {
        $url = $this->url([[]]);
        $e = self::caught(InvalidArgumentException::class, fn() => $this->http()->request('GET', $url, [$name => $value]));
        self::assertStringContainsString($name === 'extra' ? (string) (key((array) $value['retry_client']) ?: 'extra') : $name, $e->getMessage());
        self::assertStringNotContainsString('secret', $e->getMessage());
        self::assertSame([], $this->log());
    }

    /** @dataProvider wrong */
    public function testWhatIsWrongIsNamedAsItWasGiven(array $options, string $message): void
    {
        $url = $this->url([[]]);
        $e = self::caught(InvalidArgumentException::class, fn() => $this->http()->request('GET', $url, $options));
        self::assertSame($message, $e->getMessage());
        self::assertSame([], $this->log());
    }

    /** @return list<array{array<string, mixed>, string}> */
    public static function wrong(): array
    {
        return [
            [['cafile' => __FILE__], 'Option "cafile" must be a readable PEM file with CA certificates.'],
            [['local_cert' => __FILE__], 'Option "local_cert" must be a readable PEM file with a certificate.'],
            [['extra' => ['retry_client' => ['verify' => __FILE__]]], 'Option "extra.retry_client.verify" must be a readable PEM file with CA certificates.'],
            [['extra' => ['retry_client' => ['maxAttempts' => 0]]], 'Option "extra.retry_client.maxAttempts" must be greater than or equal to 1, 0 given.'],
            [['extra' => ['retry_client' => ['attempts' => 3]]], 'Option "extra.retry_client.attempts" is no option of RetryClient.'],
        ];
    }

    public function testRefusedAsDefaults(): void
    {
        self::caught(InvalidArgumentException::class, fn() => $this->http(['capath' => '/etc/ssl']));
        self::caught(InvalidArgumentException::class, fn() => $this->http()->withOptions(['ciphers' => 'AES']));
    }

    public function testDefaultsOfWhatIsRefusedAreFine(): void
    {
        $options = ['bindto' => '0', 'capath' => null, 'ciphers' => null, 'passphrase' => null, 'peer_fingerprint' => null, 'capture_peer_cert_chain' => false];
        self::assertSame(200, $this->http()->request('GET', $this->url([[]]), $options)->getStatusCode());
    }

    public function testMalformedRequests(): void
    {
        foreach ([['get', 'http://a.test'], ['GET', '/a'], ['GET', 'ftp://a.test'], ['GET', 'http://'], ['CONNECT', 'http://a.test']] as [$method, $url]) {
            self::caught(InvalidArgumentException::class, fn() => $this->http()->request($method, $url));
        }
        $e = self::caught(InvalidArgumentException::class, fn() => $this->http()->request('GET', 'http://a.test', ['headers' => ["a b" => 'c']]));
        self::assertStringStartsWith('The request is malformed: its headers must ', $e->getMessage());
    }

    public function testABodyThatCannotBeRead(): void
    {
        $url = $this->url([[]]);
        $e = self::caught(TransportException::class, fn() => $this->http()->request('POST', $url, ['body' => static fn() => 3]));
        self::assertStringContainsString('must be string, "int" returned', $e->getMessage());
        self::assertSame([], $this->log());
    }

    // --- What is sent ------------------------------------------------------------------------------------------------

    public function testWhatIsNotGivenIsTheClients(): void
    {
        $client = $this->http(headers: ['Accept' => 'text/x', 'X-Own' => 'a', 'X-Other' => 'b'], userAgent: 'mine');
        $client->request('GET', $this->url([[]]), ['headers' => ['X-Other' => 'c', 'X-None' => null]])->getStatusCode();
        $sent = $this->log()[0];
        self::assertSame(['text/x', 'a', 'c', 'mine', null], array_map(static fn(string $name): mixed => header_of($sent, $name), ['Accept', 'X-Own', 'X-Other', 'User-Agent', 'X-None']));
        $client->request('GET', $this->url([[]]), ['headers' => ['Accept' => '*/*', 'X-Own' => []]])->getStatusCode();
        self::assertSame(['*/*', null], [header_of($this->log()[0], 'Accept'), header_of($this->log()[0], 'X-Own')]);
    }

    /** @return iterable<string, array{mixed, string, string}> */
    public static function bodies(): iterable
    {
        $memory = fopen('php://memory', 'w+');
        fwrite($memory, '--abc');
        fseek($memory, 2);
        $pipe = popen('printf abc', 'r');
        yield 'string' => ['abc', 'abc', 'application/x-www-form-urlencoded'];
        yield 'array' => [['a' => ['b', 'c']], 'a%5B0%5D=b&a%5B1%5D=c', 'application/x-www-form-urlencoded'];
        yield 'memory' => [$memory, 'abc', 'application/x-www-form-urlencoded'];
        yield 'pipe' => [$pipe, 'abc', 'application/x-www-form-urlencoded'];
        yield 'iterator' => [new \ArrayIterator(['ab', '', 'c']), 'abc', 'application/x-www-form-urlencoded'];
        yield 'generator' => [(static function () { yield 'ab'; yield 'c'; })(), 'abc', 'application/x-www-form-urlencoded'];
        $rest = 'abc';
        yield 'closure' => [static function (int $size) use (&$rest): string { $now = $rest; $rest = ''; return $now; }, 'abc', 'application/x-www-form-urlencoded'];
    }

    /** @dataProvider bodies */
    public function testEveryBodyIsReplayedWhole(mixed $body, string $sent, string $type): void
    {
        $end = $this->url([['status' => 503], []], name: 'end');
        $url = $this->url([['status' => 503], ['action' => 'redirect', 'status' => 307, 'location' => $end]]);
        // Framing that others put into headers is the client's.
        $headers = ['Transfer-Encoding' => 'chunked', 'Expect' => '100-continue', 'Content-Length' => strlen($sent)];
        unset($headers[is_string($body) || is_array($body) ? 'Transfer-Encoding' : 'none']);
        self::assertSame(200, $this->http()->request('PUT', $url, ['body' => $body, 'headers' => $headers])->getStatusCode());
        foreach ([...$this->log(), ...$this->log(name: 'end')] as $entry) {
            self::assertSame([$sent, $type], [body_of($entry), header_of($entry, 'Content-Type')]);
        }
        self::assertCount(2, $this->log());
        self::assertCount(2, $this->log(name: 'end'));
    }

    public function testAPostWithoutABody(): void
    {
        $this->http()->request('POST', $this->url([[]]))->getStatusCode();
        self::assertSame(['0', 'application/x-www-form-urlencoded'], [header_of($this->log()[0], 'Content-Length'), header_of($this->log()[0], 'Content-Type')]);
    }

    public function testUrlsAndQueries(): void
    {
        $url = $this->url([[]]);
        $client = $this->http(['base_uri' => server('http') . '/', 'query' => ['k' => 'v']]);
        $response = $client->request('GET', substr($url, strlen(server('http')) + 1) . '?a=1', ['query' => ['a' => '2', 'b' => 'c d']]);
        self::assertSame("$url?a=2&b=c%20d&k=v", $response->getInfo('url'));
        self::assertSame(200, $response->getStatusCode());
        self::assertStringEndsWith('?a=2&b=c%20d&k=v', $this->log()[0]['target']);
    }

    public function testAuthorization(): void
    {
        foreach ([['auth_basic' => ['a', 'b']], ['auth_basic' => 'a:b']] as $options) {
            $this->http()->request('GET', $this->url([[]]), $options)->getStatusCode();
            self::assertSame('Basic YTpi', header_of($this->log()[0], 'Authorization'));
        }
        $this->http()->request('GET', str_replace('://', '://a:b%3D@', $this->url([[]])))->getStatusCode();
        self::assertSame('Basic ' . base64_encode('a:b='), header_of($this->log()[0], 'Authorization'));
    }

    public function testHttpVersions(): void
    {
        $url = $this->url([[]], 'h2');
        foreach ([[null, 'HTTP/2'], [2.0, 'HTTP/2'], ['1.1', 'HTTP/1.1'], [1.0, 'HTTP/1.0']] as $i => [$version, $protocol]) {
            $response = $this->http()->request('GET', $url, ['http_version' => $version, 'cafile' => server('ca')]);
            $response->getContent();
            self::assertSame($protocol, $this->log()[$i]['protocol']);
            $lines[] = $response->getInfo('response_headers')[0];
        }
        // The last one is that of an answer by HTTP/1.1.
        self::assertSame(['HTTP/1.1 200 OK', 'HTTP/2 200', 'HTTP/1.1 200 OK'], [$lines[2], $lines[0], $lines[3]]);
    }

    public function testTls(): void
    {
        $url = $this->url([['body' => 'ok']], 'https');
        self::caught(TransportException::class, fn() => $this->http()->request('GET', $url)->getContent());
        self::assertSame('ok', $this->http()->request('GET', $url, ['cafile' => server('ca')])->getContent());
        self::assertSame('ok', $this->http()->request('GET', $url, ['verify_peer' => false, 'verify_host' => false])->getContent());
        self::assertSame('ok', $this->http(verify: server('ca'))->request('GET', $url)->getContent());
        // What is said explicitly wins over the client's own.
        self::caught(TransportException::class, fn() => $this->http(['verify_peer' => true], verify: false)->request('GET', $url)->getContent());
        $url = $this->url([['body' => 'ok']], 'mtls');
        self::caught(TransportException::class, fn() => $this->http()->request('GET', $url, ['cafile' => server('ca')])->getContent());
        $options = ['cafile' => server('ca'), 'local_cert' => server('cert'), 'local_pk' => server('key')];
        self::assertSame('ok', $this->http()->request('GET', $url, $options)->getContent());
    }

    public function testProxies(): void
    {
        control('DELETE', '/_log/_proxy');
        $url = str_replace('127.0.0.1', 'a.test', $this->url([['body' => 'ok']]));
        $count = static fn(): int => count(control('GET', '/_log/_proxy'));
        self::assertSame('ok', $this->http()->request('GET', $url, ['proxy' => server('proxy')])->getContent());
        self::assertSame(1, $count());
        $resolve = ['a.test' => '127.0.0.1'];
        foreach (['.test', 'b.test, a.test', '*', 'test'] as $rule) {
            $response = $this->http()->request('GET', $url, ['proxy' => server('proxy'), 'no_proxy' => $rule, 'resolve' => $resolve]);
            self::assertSame('ok', $response->getContent());
        }
        self::assertSame(1, $count());
        // The client's own one, and what keeps from it.
        self::assertSame('ok', $this->http(proxy: server('proxy'))->request('GET', $url)->getContent());
        self::assertSame('ok', $this->http(proxy: server('proxy'))->request('GET', $url, ['no_proxy' => 'a.test', 'resolve' => $resolve])->getContent());
        self::assertSame('ok', $this->http(proxy: server('proxy'))->request('GET', $url, ['proxy' => '', 'resolve' => $resolve])->getContent());
        self::assertSame(2, $count());
        foreach (['http_proxy', 'HTTP_PROXY', 'all_proxy'] as $i => $name) {
            $_SERVER[$name] = preg_replace('#^http://#', '', server('proxy'));
            try {
                self::assertSame('ok', $this->http()->request('GET', $url)->getContent());
            } finally {
                unset($_SERVER[$name]);
            }
            self::assertSame(3 + $i, $count());
        }
    }

    /** @dataProvider exemptions */
    public function testAddressesThatNeedNoProxy(string $host, string $rule, bool $isExempt): void
    {
        $http = new HttpClient(new FakeClient(static fn(): Response => new Response(), maxAttempts: 1));
        // An exempt request is not sent by the client that the wrong proxy would have been an error for.
        $send = static fn(): int => $http->request('GET', "http://$host/", ['proxy' => 'nonsense://a', 'no_proxy' => $rule])->getStatusCode();
        if ($isExempt) {
            self::assertSame(200, $send());
        } else {
            self::assertStringStartsWith('Option "proxy" must be', self::caught(InvalidArgumentException::class, $send)->getMessage());
        }
    }

    /** @return list<array{string, string, bool}> */
    public static function exemptions(): array
    {
        return [
            ['127.0.0.1', '127.0.0.1', true],
            ['127.0.0.1', '0.0.1', false],
            ['127.0.0.1', '127.0.0.0/8', true],
            ['126.0.0.1', '127.0.0.0/8', false],
            ['10.1.127.255', 'a.test 10.1.64.0/18', true],
            ['10.1.128.1', '10.1.64.0/18', false],
            ['10.1.2.3', '10.1.2.3/32', true],
            ['10.1.2.3', '10.1.2.2/32', false],
            ['10.1.2.3', '0.0.0.0/0', true],
            ['10.1.2.3', '10.0.0.0/33', false],
            ['10.1.2.3', '10.0.0.0/', false],
            ['10.1.2.3', '::/0', false],
            ['[2001:db8::1]', '2001:DB8::1', true],
            ['[2001:db8::1]', '[2001:db8::1]', true],
            ['[2001:db8::1]', '2001:db8::/32', true],
            ['[2001:db9::1]', '2001:db8::/32', false],
            ['a.test', '0.0.0.0/0', false],
            ['a.test', '.A.test', true],
            ['ba.test', 'a.test', false],
        ];
    }

    public function testResolveOfAnAddressToItself(): void
    {
        $url = $this->url([['body' => 'ok']]);
        self::assertSame('ok', $this->http()->request('GET', $url, ['resolve' => ['127.0.0.1' => '127.0.0.1', '[::1]' => '::1']])->getContent());
    }

    public function testResolveIsForgottenByReset(): void
    {
        $url = str_replace('127.0.0.1', 'nowhere.invalid', $this->url([['body' => 'ok']]));
        $client = $this->http(maxAttempts: 1);
        $first = $client->request('GET', $url, ['resolve' => ['nowhere.invalid' => '127.0.0.1']]);
        self::assertSame('ok', $first->getContent());
        self::assertSame('ok', $client->withOptions([])->request('GET', $url)->getContent());
        $client->reset();
        self::caught(TransportException::class, fn() => $client->request('GET', $url)->getContent());
    }

    public function testDecoding(): void
    {
        $plain = str_repeat('abc', 100);
        foreach (['gzip', 'br', 'zstd', 'deflate'] as $coding) {
            $client = $this->http();
            $response = $client->request('GET', $this->url([['body' => $plain, 'encoding' => $coding]]));
            self::assertSame([$coding], $response->getHeaders()['content-encoding']);
            self::assertContains("Content-Encoding: $coding", $response->getInfo('response_headers'));
            self::assertSame($plain, $response->getContent());
            self::assertSame([$coding], $response->getHeaders()['content-encoding']);
        }
        $raw = $this->http()->request('GET', $this->url([['body' => $plain, 'encoding' => 'gzip']]), ['headers' => ['Accept-Encoding' => 'gzip']]);
        self::assertSame($plain, gzdecode($raw->getContent()));
        self::assertSame('gzip', header_of($this->log()[0], 'Accept-Encoding'));
    }

    public function testExtraOptionsOfTheRetryClient(): void
    {
        $client = $this->http(['extra' => ['retry_client' => ['maxAttempts' => 2]]], maxAttempts: 1);
        $outcomes = [];
        $url = $this->url([['status' => 503]]);
        self::assertSame(503, $client->request('GET', $url)->getStatusCode());
        self::assertCount(2, $this->log());
        $extra = ['retry_client' => ['maxAttempts' => 3, 'onOutcome' => static function ($attempt) use (&$outcomes): void { $outcomes[] = $attempt->status; }]];
        self::assertSame(503, $client->request('GET', $this->url([['status' => 503]]), ['extra' => $extra])->getStatusCode());
        self::assertSame([503, 503, 503], $outcomes);
    }

    public function testHttpOptions(): void
    {
        $options = (new HttpOptions())->setHeaders(['X-A' => 'b'])->setJson(['c' => 1])->setQuery(['d' => 'e'])->toArray();
        self::assertSame(200, $this->http()->request('POST', $this->url([[]]), $options)->getStatusCode());
        $sent = $this->log()[0];
        self::assertSame(['b', '{"c":1}', 'application/json'], [header_of($sent, 'X-A'), body_of($sent), header_of($sent, 'Content-Type')]);
    }

    public function testCopiesHaveOptionsOfTheirOwn(): void
    {
        $client = $this->http(['headers' => ['X-A' => '1'], 'user_data' => 'one']);
        $copy = $client->withOptions(['headers' => ['X-B' => '2'], 'user_data' => 'two']);
        $url = $this->url([[]]);
        self::assertSame(['one', 'two'], array_map(static function (HttpClient $client) use ($url): string {
            $response = $client->request('GET', $url);
            $response->getStatusCode();
            return $response->getInfo('user_data');
        }, [$client, $copy]));
        self::assertSame(['1', null], [header_of($this->log()[0], 'X-A'), header_of($this->log()[0], 'X-B')]);
        self::assertSame(['1', '2'], [header_of($this->log()[1], 'X-A'), header_of($this->log()[1], 'X-B')]);
    }

    public function testClientsForOptionsAreKept(): void
    {
        $made = 0;
        $client = new HttpClient(new FakeClient(static fn(): Response => new Response(), onAttempt: static function () use (&$made): void { $made++; }));
        for ($i = 0; $i < 100; $i++) {
            $client->request('GET', 'https://a.test', ['proxy' => 'http://p' . ($i % 50) . '.test:1'])->getContent();
        }
        self::assertSame(100, $made);
    }
}
