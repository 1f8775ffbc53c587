<?php

declare(strict_types=1);

namespace RetryClient\Tests\Symfony;

use PHPUnit\Framework\TestCase;
use RetryClient\BudgetExceededException;
use RetryClient\FakeClient;
use RetryClient\NetworkException;
use RetryClient\Response;
use RetryClient\Symfony\HttpClient;
use Symfony\Component\HttpClient\Exception\ClientException;
use Symfony\Component\HttpClient\Exception\JsonException;
use Symfony\Component\HttpClient\Exception\RedirectionException;
use Symfony\Component\HttpClient\Exception\ServerException;
use Symfony\Component\HttpClient\Exception\TimeoutException;
use Symfony\Component\HttpClient\Exception\TransportException;

final class ResponsesTest extends TestCase
{
    use Adapter;

    // --- Retries -----------------------------------------------------------------------------------------------------

    public function testRefusalsAreRetriedAsTheServerAsks(): void
    {
        $url = $this->url([['status' => 429, 'headers' => [['retry-after-ms', '30']]], ['status' => 503], ['body_json' => ['a' => 1]]]);
        $response = $this->http()->request('POST', $url, ['json' => ['b' => 2]]);
        self::assertSame(['a' => 1], $response->toArray());
        $log = $this->log();
        self::assertCount(3, $log);
        self::assertSame(['{"b":2}'], array_values(array_unique(array_map(body_of(...), $log))));
        self::assertCount(1, array_unique(array_map(static fn(array $one): string => header_of($one, 'Idempotency-Key'), $log)));
        self::assertGreaterThanOrEqual(0.03, gaps($log)[0]);
        self::assertSame([429, 503, 200], array_column($response->getInfo('attempts'), 'status'));
        self::assertGreaterThanOrEqual(0.04, $response->getInfo('waited'));
    }

    public function testTheLastAnswerIsTheResponse(): void
    {
        $url = $this->url([['status' => 503, 'body' => 'no']]);
        $response = $this->http(maxAttempts: 2)->request('GET', $url);
        self::assertSame(503, $response->getStatusCode());
        self::assertSame('no', $response->getContent(false));
        $e = self::caught(ServerException::class, $response->getContent(...));
        self::assertSame($response, $e->getResponse());
        self::assertCount(2, $this->log());
    }

    public function testABodyThatBreaksIsSentForAgainIfNothingWasHandedOut(): void
    {
        foreach ([true, false] as $buffer) {
            $url = $this->url([['action' => 'half', 'body' => '0123456789', 'send_bytes' => 4], ['body' => 'whole']]);
            $response = $this->http()->request('GET', $url, ['buffer' => $buffer]);
            self::assertSame(200, $response->getStatusCode());
            self::assertSame('whole', $response->getContent());
            self::assertCount(2, $this->log());
        }
    }

    public function testWhatIsHandedOutIsFinal(): void
    {
        $url = $this->url([self::stuck('0123'), ['body' => 'whole']]);
        $client = $this->http(idleTimeout: 0.3);
        $response = $client->request('GET', $url);
        $content = '';
        $e = self::caught(TransportException::class, function () use ($client, $response, &$content): void {
            foreach ($client->stream($response) as $chunk) {
                $content .= $chunk->getContent();
            }
        });
        self::assertSame('0123', $content);
        self::assertInstanceOf(NetworkException::class, $e->getPrevious());
        self::assertSame($e->getMessage(), $response->getInfo('error'));
        self::assertCount(1, $this->log());
        self::assertSame($e->getPrevious(), self::caught(TransportException::class, $response->getContent(...))->getPrevious());
    }

    public function testAnotherStatusAfterABrokenBodyIsNoSilentChange(): void
    {
        $steps = [self::stuck('0123'), ['status' => 404, 'body' => 'gone']];
        $client = $this->http(idleTimeout: 0.3);
        $response = $client->request('GET', $this->url($steps));
        self::caught(ClientException::class, $response->getContent(...));
        self::assertSame('gone', $response->getContent(false));

        $response = $client->request('GET', $this->url($steps));
        self::assertSame(200, $response->getStatusCode());
        $e = self::caught(TransportException::class, $response->getContent(...));
        self::assertStringContainsString('status 404 instead of 200', $e->getMessage());
    }

    /** @return array<string, mixed> a body that never ends after this */
    private static function stuck(string $body): array
    {
        return ['chunks' => [$body, 'never'], 'chunked' => true, 'drip' => ['every_ms' => 60_000]];
    }

    public function testNoAnswerIsATransportExceptionWithTheExtensionsOwn(): void
    {
        $response = $this->http(maxAttempts: 2)->request('GET', server('refused') . '/a?token=secret');
        foreach ([1, 2] as $_) {
            $e = self::caught(TransportException::class, $response->getStatusCode(...));
            self::assertInstanceOf(NetworkException::class, $e->getPrevious());
            self::assertSame('connect', $e->getPrevious()->kind);
            self::assertStringNotContainsString('secret', $e->getMessage());
        }
        self::assertCount(2, $response->getInfo('attempts'));
    }

    public function testWhatAHookThrowsPassesThrough(): void
    {
        $thrown = new \DomainException('mine');
        $client = $this->http(onRetry: static fn() => throw $thrown);
        $response = $client->request('GET', $this->url([['status' => 503]]));
        self::assertSame($thrown, self::caught(\DomainException::class, $response->getStatusCode(...)));
        $e = self::caught(TransportException::class, $response->getStatusCode(...));
        self::assertSame($thrown, $e->getPrevious());
    }

    // --- Time --------------------------------------------------------------------------------------------------------

    public function testAWaitBetweenAttemptsIsNoSilence(): void
    {
        $url = $this->url([['status' => 429, 'headers' => [['retry-after-ms', '2500']]], ['body' => 'ok']]);
        $response = $this->http()->request('GET', $url, ['timeout' => 1.5]);
        self::assertSame('ok', $response->getContent());
        self::assertGreaterThanOrEqual(2.5, gaps($this->log())[0]);
    }

    public function testATimeoutIsNoEnd(): void
    {
        $gate = $this->gate();
        control('DELETE', "/_release/$gate");
        $client = $this->http();
        $response = $client->request('GET', $this->url([['hold' => $gate, 'body' => 'late']]), ['timeout' => 0.05]);
        $e = self::caught(TimeoutException::class, $response->getStatusCode(...));
        self::assertStringContainsString('Idle timeout', $e->getMessage());
        self::assertNull($response->getInfo('error'));
        self::assertSame(['t'], self::kinds($client->stream($response, 0.0)));
        release($gate);
        self::assertSame(['f', 'late', 'l'], self::kinds($client->stream($response, 20.0)));
    }

    /**
     * @dataProvider durations
     *
     * @param array<string, mixed> $options
     */
    public function testMaxDurationIsForAllHops(array $options): void
    {
        $end = $this->url([['action' => 'stall']], name: 'end');
        $url = $this->url([['action' => 'redirect', 'location' => $end, 'delay_ms' => 700]]);
        $response = $this->http()->request('GET', $url, $options);
        $e = self::caught(TransportException::class, $response->getContent(...));
        self::assertInstanceOf(BudgetExceededException::class, $e->getPrevious());
        $attempts = $response->getInfo('attempts');
        self::assertSame([302, null], array_column($attempts, 'status'));
        // It had 1.8 seconds at most.
        self::assertLessThan(2.3, $attempts[1]->duration);
        self::assertSame(1, $response->getInfo('redirect_count'));
    }

    /** @return array<string, array{array<string, mixed>}> */
    public static function durations(): array
    {
        return [
            'max_duration' => [['max_duration' => 2.5]],
            'a budget of the request' => [['extra' => ['retry_client' => ['budget' => 2.5]]]],
            'a budget within max_duration' => [['max_duration' => 60, 'extra' => ['retry_client' => ['budget' => 2.5]]]],
            'max_duration within a budget' => [['max_duration' => 2.5, 'extra' => ['retry_client' => ['budget' => 60.0]]]],
        ];
    }

    public function testAMaxDurationWithoutAnEnd(): void
    {
        self::assertSame('ok', $this->http()->request('GET', $this->url([['body' => 'ok']]), ['max_duration' => INF])->getContent());
    }

    public function testAWaitThatMaxDurationDoesNotAllow(): void
    {
        $url = $this->url([['status' => 503, 'headers' => [['Retry-After', '20']]]]);
        $response = $this->http()->request('GET', $url, ['max_duration' => 5.0]);
        self::assertSame(503, $response->getStatusCode());
        self::assertCount(1, $this->log());
    }

    public function testWhoAsksAgainAfterATimeoutWaitsAgain(): void
    {
        $gate = $this->gate();
        $response = $this->http()->request('GET', $this->url([['body' => 'late', 'hold' => $gate]]), ['timeout' => 0.2]);
        foreach ([$response->getStatusCode(...), $response->getContent(...), $response->getHeaders(...)] as $ask) {
            $begin = hrtime(true);
            self::caught(TimeoutException::class, $ask);
            self::assertGreaterThan(0.15, (hrtime(true) - $begin) / 1e9);
        }
        release($gate);
        self::assertSame('late', $response->getContent());
    }

    public function testMaxDurationThatIsOverBeforeAHop(): void
    {
        $end = $this->url([[]], name: 'end');
        $url = $this->url([['action' => 'redirect', 'location' => $end]]);
        $response = $this->http()->request('GET', $url, ['max_duration' => 1.0]);
        usleep(1_100_000);
        self::caught(TransportException::class, $response->getContent(...));
        self::assertSame([], $this->log(name: 'end'));
    }

    // --- Redirects ---------------------------------------------------------------------------------------------------

    /**
     * The scheme and the port are part of who it is, as they are for cURL and for the RetryClient's own redirects.
     *
     * @dataProvider origins
     */
    public function testCredentialsStayAtTheFirstOrigin(string $from, string $to, bool $keeps): void
    {
        $end = str_replace('127.0.0.1', 'localhost', $this->url([['body' => 'end']], $to, 'end'));
        $url = str_replace('127.0.0.1', 'localhost', $this->url([['action' => 'redirect', 'location' => $end]], $from));
        $client = $this->http(['verify_peer' => false, 'verify_host' => false]);
        self::assertSame('end', $client->request('GET', $url, ['auth_bearer' => 'a', 'headers' => ['Cookie' => 'b=c']])->getContent());
        $first = $this->log()[0];
        self::assertSame(['Bearer a', 'b=c'], [header_of($first, 'Authorization'), header_of($first, 'Cookie')]);
        $last = $this->log(name: 'end')[0];
        self::assertSame($keeps ? ['Bearer a', 'b=c'] : [null, null], [header_of($last, 'Authorization'), header_of($last, 'Cookie')]);
    }

    /** @return array<string, array{string, string, bool}> */
    public static function origins(): array
    {
        return [
            'the same' => ['http', 'http', true],
            'the same with TLS' => ['https', 'https', true],
            'another port' => ['https', 'self_signed', false],
            'with TLS' => ['http', 'https', false],
            'without TLS' => ['https', 'http', false],
        ];
    }

    public function testCredentialsStayAtTheFirstHost(): void
    {
        $back = $this->url([['body' => 'end']], name: 'back');
        $other = $this->url([['action' => 'redirect', 'location' => $back]], name: 'other');
        $url = $this->url([['action' => 'redirect', 'location' => str_replace('127.0.0.1', 'localhost', $other)]]);
        $secrets = ['Authorization' => 'Bearer a', 'Cookie' => 'b=c', 'X-Api-Key' => 'e'];
        // The RetryClient's own ones as well as the request's.
        $clients = [
            $this->http(headers: $secrets),
            $this->http(['headers' => $secrets]),
            $this->http(['extra' => ['retry_client' => ['headers' => $secrets]]]),
        ];
        foreach ($clients as $client) {
            $url = $this->url([['action' => 'redirect', 'location' => str_replace('127.0.0.1', 'localhost', $other)]]);
            $this->url([['action' => 'redirect', 'location' => $back]], name: 'other');
            $this->url([['body' => 'end']], name: 'back');
            self::assertSame('end', $client->request('GET', $url, ['headers' => ['X-Mine' => 'd']])->getContent());
            $sent = static fn(array $log): array => array_map(static fn(string $name): mixed => header_of($log[0], $name), [...array_keys($secrets), 'X-Mine']);
            self::assertSame([...array_values($secrets), 'd'], $sent($this->log()));
            self::assertSame([null, null, null, 'd'], $sent($this->log(name: 'other')));
            self::assertSame([...array_values($secrets), 'd'], $sent($this->log(name: 'back')));
        }
    }

    /** Whose headers they are cannot be told from their names. */
    public function testNoneOfTheClientsOwnHeadersGoesToAnotherOrigin(): void
    {
        $end = $this->url([[]], name: 'end');
        $url = str_replace('127.0.0.1', 'localhost', $this->url([['action' => 'redirect', 'location' => $end]]));
        self::assertSame(200, $this->http(headers: ['X-Tenant' => 'a'])->request('GET', $url)->getStatusCode());
        self::assertSame('a', header_of($this->log()[0], 'X-Tenant'));
        self::assertNull(header_of($this->log(name: 'end')[0], 'X-Tenant'));
    }

    /**
     * @testWith [301, "POST", "GET", ""]
     *           [302, "POST", "GET", ""]
     *           [303, "PUT", "GET", ""]
     *           [303, "HEAD", "HEAD", ""]
     *           [302, "PUT", "PUT", "abc"]
     *           [307, "POST", "POST", "abc"]
     *           [308, "DELETE", "DELETE", "abc"]
     */
    public function testMethodsAndBodiesOfRedirects(int $status, string $method, string $then, string $body): void
    {
        $end = $this->url([[]], name: 'end');
        $url = $this->url([['action' => 'redirect', 'status' => $status, 'location' => $end]]);
        $file = tmpfile();
        fwrite($file, '--abc');
        fseek($file, 2);
        $response = $this->http()->request($method, $url, ['body' => $method === 'HEAD' ? '' : $file, 'headers' => ['Content-Type' => 'text/x']]);
        self::assertSame(200, $response->getStatusCode());
        $log = $this->log(name: 'end');
        self::assertSame([$then, $body], [$log[0]['method'], body_of($log[0])]);
        self::assertSame($body === '' ? null : 'text/x', header_of($log[0], 'Content-Type'));
        self::assertSame($then, $response->getInfo('http_method'));
    }

    public function testARedirectThatMayNotBeFollowed(): void
    {
        $url = $this->url([['action' => 'redirect', 'location' => '/elsewhere']]);
        $response = $this->http()->request('GET', $url, ['max_redirects' => 0]);
        $e = self::caught(RedirectionException::class, $response->getHeaders(...));
        self::assertSame(302, $e->getCode());
        self::assertSame(server('http') . '/elsewhere', $response->getInfo('redirect_url'));
        self::assertSame(0, $response->getInfo('redirect_count'));
    }

    public function testAHopThatRetries(): void
    {
        $end = $this->url([['status' => 503], ['body' => 'end']], name: 'end');
        $response = $this->http()->request('GET', $this->url([['action' => 'redirect', 'location' => $end]]));
        self::assertSame('end', $response->getContent());
        self::assertSame([302, 503, 200], array_column($response->getInfo('attempts'), 'status'));
        self::assertSame(
            ['HTTP/1.1 302 Found', "Location: $end", 'Content-Length: 0', 'HTTP/1.1 200 OK', 'Content-Length: 3'],
            $response->getInfo('response_headers'),
        );
    }

    public function testARedirectWhoseBodyNeverEnds(): void
    {
        $end = $this->url([['body' => 'end']], name: 'end');
        $url = $this->url([['status' => 302, 'headers' => [['Location', $end]], 'action' => 'endless', 'drip' => ['bytes' => 1, 'every_ms' => 10]]]);
        $response = $this->http()->request('GET', $url);
        self::assertSame('end', $response->getContent());
        self::assertCount(1, $this->log());
    }

    public function testCallsOfOthersBetweenChunks(): void
    {
        $client = $this->http();
        $responses = [];
        for ($i = 0; $i < 4; $i++) {
            $responses[] = $client->request('GET', $this->url([['body' => "$i", 'delay_ms' => 20 * $i]], name: "$i"));
        }
        $other = new \RetryClient();
        $contents = [];
        foreach ($client->stream($responses) as $response => $chunk) {
            $other->get(server('http') . '/delay/30');
            if ($chunk->isLast()) {
                $contents[] = $response->getContent();
            }
        }
        sort($contents);
        self::assertSame(['0', '1', '2', '3'], $contents);
    }

    public function testStatusesThatNobodyKnows(): void
    {
        $response = $this->http()->request('GET', $this->url([['status' => 799, 'reason' => 'Odd', 'headers' => [['123', 'y']], 'body' => 'x']]));
        self::assertSame('x', $response->getContent(false));
        self::assertSame(['HTTP/1.1 799 Odd', '123: y', 'Content-Length: 1'], $response->getInfo('response_headers'));
        self::caught(ServerException::class, $response->getHeaders(...));
    }

    // --- Streams -----------------------------------------------------------------------------------------------------

    public function testStreamOverTwoClients(): void
    {
        $gate = $this->gate();
        control('DELETE', "/_release/$gate");
        $one = $this->http();
        $responses = [
            $one->request('GET', $this->url([['hold' => $gate, 'body' => 'a']], name: 'a'), ['user_data' => 'a']),
            $this->http(maxAttempts: 2)->request('GET', $this->url([['body' => 'b']], name: 'b'), ['user_data' => 'b']),
        ];
        $order = [];
        foreach ($one->stream($responses) as $response => $chunk) {
            if ($chunk->isLast()) {
                $order[] = $response->getInfo('user_data') . $response->getContent();
                release($gate);
            }
        }
        self::assertSame(['bb', 'aa'], $order);
    }

    public function testResponsesAreUnderWayTogether(): void
    {
        $gate = $this->gate();
        control('DELETE', "/_release/$gate");
        $url = $this->url([['hold' => $gate, 'body' => 'x']]);
        $client = $this->http();
        $responses = array_map(static fn() => $client->request('GET', $url), range(1, 10));
        // None is answered before all have arrived.
        for ($i = 0; $i < 200 && count($this->log()) < 10; $i++) {
            self::assertSame(array_fill(0, 10, 't'), self::kinds($client->stream($responses, 0.05)));
        }
        self::assertCount(10, $this->log());
        release($gate);
        foreach ($responses as $response) {
            self::assertSame('x', $response->getContent());
        }
    }

    public function testBodyThatArrivesBitByBit(): void
    {
        $url = $this->url([['chunks' => ['a', 'b', 'c'], 'chunked' => true, 'drip' => ['every_ms' => 30]]]);
        $client = $this->http();
        $response = $client->request('GET', $url);
        $offsets = [];
        $content = '';
        foreach ($client->stream($response) as $chunk) {
            $offsets[] = $chunk->getOffset();
            $content .= $chunk->getContent();
        }
        self::assertSame('abc', $content);
        self::assertSame(3, end($offsets));
        self::assertSame('abc', $response->getContent());
        self::assertSame(['l'], self::kinds($client->stream($response)));
    }

    /** Symfony's streams copy what is left of a chunk at each read. */
    public function testLargeBodiesComeInSmallChunks(): void
    {
        $body = random_bytes(1_000_000);
        $url = $this->url([['body_base64' => base64_encode($body)]]);
        $fake = new HttpClient(new FakeClient(static fn(): Response => new Response(body: $body)));
        foreach ([[$this->http(), $url], [$fake, 'https://a.test/']] as [$client, $url]) {
            $response = $client->request('GET', $url);
            $parts = [];
            foreach ($client->stream($response) as $chunk) {
                self::assertSame(strlen(implode('', $parts)), $chunk->getOffset());
                $parts[] = $chunk->getContent();
            }
            self::assertLessThanOrEqual(65_536, max(array_map(strlen(...), $parts)));
            self::assertTrue($body === implode('', $parts) && $body === $response->getContent());
            // What is left after a part.
            $response = $client->request('GET', $url, ['buffer' => false]);
            foreach ($client->stream($response) as $chunk) {
                if ($chunk->getOffset() === 0 && !$chunk->isFirst()) {
                    break;
                }
            }
            self::assertTrue($body === $chunk->getContent() . $response->getContent());
            // Nothing is handed out after the end.
            $response = $client->request('GET', $url);
            foreach ($client->stream($response) as $chunk) {
                if (!$chunk->isFirst()) {
                    $response->cancel();
                }
            }
            self::caught(TransportException::class, $response->getContent(...));
        }
    }

    public function testContentAfterAPartOfTheStream(): void
    {
        $client = $this->http();
        $response = $client->request('GET', $this->url([['chunks' => ['a', 'b'], 'chunked' => true, 'drip' => ['every_ms' => 50]]]));
        foreach ($client->stream($response) as $chunk) {
            if ($chunk->getContent() !== '') {
                break;
            }
        }
        self::assertSame('ab', $response->getContent());
        self::assertSame('ab', $response->getContent());
    }

    public function testToStream(): void
    {
        foreach ([true, false] as $buffer) {
            $client = $this->http();
            $response = $client->request('GET', $this->url([['chunks' => ['ab', 'cd'], 'chunked' => true, 'drip' => ['every_ms' => 20]]]), ['buffer' => $buffer]);
            $stream = $response->toStream();
            self::assertSame('a', fread($stream, 1));
            self::assertSame('bcd', stream_get_contents($stream));
            self::assertTrue(feof($stream));
            if ($buffer) {
                rewind($stream);
                self::assertSame('abcd', stream_get_contents($stream));
                self::assertSame('abcd', $response->getContent());
            }
        }
        $response = $this->http()->request('GET', $this->url([['body' => 'abcd']]));
        self::assertSame('abcd', $response->getContent());
        self::assertSame('abcd', stream_get_contents($response->toStream()));
    }

    public function testForeignResponsesAreRefused(): void
    {
        $client = $this->http();
        $this->expectException(\TypeError::class);
        foreach ($client->stream([(new \Symfony\Component\HttpClient\MockHttpClient())->request('GET', 'http://a.test')]) as $_) {
        }
    }

    // --- Buffers -----------------------------------------------------------------------------------------------------

    public function testBufferInAFileWhileRetried(): void
    {
        $file = tmpfile();
        $url = $this->url([['status' => 503, 'body' => 'no'], ['body_repeat' => ['x', 3_000_000]]]);
        $response = $this->http()->request('GET', $url, ['buffer' => $file]);
        self::assertSame(3_000_000, strlen($response->getContent()));
        rewind($file);
        self::assertSame(str_repeat('x', 3_000_000), stream_get_contents($file));
    }

    public function testBufferThatDecidesByHeaders(): void
    {
        $file = tmpfile();
        $seen = null;
        $response = $this->http()->request('GET', $this->url([['body' => 'abc', 'headers' => [['X-A', '1']]]]), ['buffer' => static function (array $headers) use ($file, &$seen) {
            $seen = $headers['x-a'];
            return $file;
        }]);
        self::assertSame('abc', $response->getContent());
        self::assertSame(['1'], $seen);
        rewind($file);
        self::assertSame('abc', stream_get_contents($file));
    }

    public function testEmptyBodyUnbuffered(): void
    {
        $client = $this->http();
        $response = $client->request('GET', $this->url([['status' => 204]]), ['buffer' => false]);
        self::assertSame(['f', 'l'], self::kinds($client->stream($response)));
        self::assertSame('', $response->getContent());
        self::caught(JsonException::class, $response->toArray(...));
    }

    public function testJson(): void
    {
        $client = $this->http();
        self::assertSame([[1]], $client->request('GET', $this->url([['body' => '[[1]]']]))->toArray());
        foreach (['"a"', '{'] as $body) {
            $response = $client->request('GET', $this->url([['body' => $body]]) . '/p?token=secret');
            $e = self::caught(JsonException::class, $response->toArray(...));
            self::assertStringNotContainsString('secret', $e->getMessage());
        }
    }

    // --- The end -----------------------------------------------------------------------------------------------------

    public function testDestructorChecksTheStatus(): void
    {
        $client = $this->http(maxAttempts: 2);
        $url = $this->url([['status' => 404, 'body' => 'gone']]);
        $e = self::caught(ClientException::class, static function () use ($client, $url): void {
            $client->request('GET', $url);
        });
        self::assertSame('gone', $e->getResponse()->getContent(false));
        self::caught(TransportException::class, static function () use ($client): void {
            $client->request('GET', server('refused'));
        });
        $client->request('GET', $this->url([['body' => 'fine']]));
        self::assertCount(1, $this->log());
    }

    public function testCancel(): void
    {
        $url = $this->url([['action' => 'endless', 'drip' => ['bytes' => 1, 'every_ms' => 10]]]);
        $client = $this->http();
        $response = $client->request('GET', $url);
        self::assertSame(200, $response->getStatusCode());
        $response->cancel();
        self::assertTrue($response->getInfo('canceled'));
        self::assertSame(200, $response->getStatusCode());
        self::caught(TransportException::class, $response->getContent(...));
        unset($response);
        for ($i = 0; $i < 500 && $this->log()[0]['left_ns'] === null; $i++) {
            usleep(10_000);
        }
        self::assertNotNull($this->log()[0]['left_ns']);
    }

    /** As a race does: the first answer wins. */
    public function testCancelOfOthersWhileTheyAreStreamed(): void
    {
        $client = $this->http();
        $begun = $client->request('GET', $this->url([['chunks' => ['a', 'b'], 'chunked' => true, 'drip' => ['every_ms' => 10_000]]], name: 'begun'));
        self::assertSame(200, $begun->getStatusCode());
        $silent = $client->request('GET', $this->url([['action' => 'stall']], name: 'silent'));
        $first = $client->request('GET', $this->url([['body' => 'first']], name: 'first'));
        $kinds = [];
        foreach ($client->stream([$begun, $silent, $first]) as $response => $chunk) {
            if ($response === $first) {
                $kinds[] = $chunk->isFirst() ? 'f' : ($chunk->isLast() ? 'l' : $chunk->getContent());
                $begun->cancel();
                $silent->cancel();
            }
        }
        self::assertSame(['f', 'first', 'l'], $kinds);
        // Whoever streams what was canceled before is told.
        foreach ($client->stream($silent) as $chunk) {
            self::assertSame('Response has been canceled.', self::caught(TransportException::class, $chunk->isLast(...))->getMessage());
        }
    }

    public function testAForkedChildLeavesTheResponsesToItsParent(): void
    {
        $gate = $this->gate();
        $response = $this->http()->request('GET', $this->url([['status' => 404, 'body' => 'mine', 'hold' => $gate]]));
        $this->log(1);
        [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, STREAM_IPPROTO_IP) ?: self::fail('no sockets');
        $child = pcntl_fork();
        if ($child === 0) {
            try {
                $response = null;
                fwrite($there, 'silent');
            } catch (\Throwable $e) {
                fwrite($there, $e::class . ': ' . $e->getMessage());
            }
            posix_kill((int) getmypid(), SIGKILL);      // what PHPUnit does at its end is the parent's
        }
        fclose($there);
        self::assertSame('silent', stream_get_contents($here));
        pcntl_waitpid($child, $status);
        release($gate);
        self::assertSame('mine', $response->getContent(false));
    }

    public function testProgress(): void
    {
        $gate = $this->gate();
        control('DELETE', "/_release/$gate");
        $seen = [];
        $url = $this->url([['status' => 503], ['hold' => $gate, 'body' => 'abcdef']]);
        $response = $this->http()->request('GET', $url, ['on_progress' => static function (int $now, int $size, array $info) use (&$seen, $gate): void {
            $seen[] = [$now, $size, $info['http_code']];
            // It is told while nothing comes, too.
            count($seen) === 4 && release($gate);
        }]);
        self::assertSame('abcdef', $response->getContent());
        self::assertSame(array_fill(0, 4, [0, 0, 0]), array_slice($seen, 0, 4));
        self::assertSame([6, 6, 200], end($seen));
    }

    public function testMemoryOfManyResponses(): void
    {
        $url = $this->url([['body_repeat' => ['x', 1000]]]);
        $client = $this->http();
        $use = static function (int $times) use ($client, $url): int {
            for ($i = 0; $i < $times; $i++) {
                $response = $client->request('GET', $url, ['on_progress' => static function (): void {}]);
                $i % 2 ? $response->getContent() : self::kinds($client->stream($response));
            }
            unset($response);
            return memory_get_usage();
        };
        $use(50);
        gc_collect_cycles();
        $before = $use(1);
        self::assertLessThan(20_000, $use(500) - $before);
        self::assertSame(0, gc_collect_cycles());
    }

    public function testFakeClientInside(): void
    {
        $fake = new FakeClient([new Response(status: 429, headers: ['Retry-After' => '20']), new Response(headers: ['X-A' => 'b'], body: '{"a":1}')]);
        $client = new HttpClient($fake);
        $response = $client->request('POST', 'https://api.example.com/x', ['auth_bearer' => 't', 'body' => 'c']);
        self::assertSame(['a' => 1], $response->toArray());
        self::assertSame(['b'], $response->getHeaders()['x-a']);
        self::assertSame(20.0, $response->getInfo('waited'));
        self::assertSame(['Bearer t'], (array) $fake->requests()[1]->headers['authorization']);
        $streamed = (new HttpClient(new FakeClient([new Response(body: 'abc')])));
        self::assertSame(['f', 'abc', 'l'], self::kinds($streamed->stream($streamed->request('GET', 'https://a.test'))));
        $redirected = new HttpClient(new FakeClient([new Response(status: 302, headers: ['Location' => '/b']), new Response(body: 'end')]));
        $response = $redirected->request('GET', 'https://a.test/a');
        self::assertSame(['end', 'https://a.test/b'], [$response->getContent(), $response->getInfo('url')]);
    }

    public function testMessagesShowNoCredential(): void
    {
        $url = $this->url([['status' => 404], ['status' => 302], ['status' => 503]]);
        $secret = str_replace('://', '://user:s3cret@', "$url?key=s3cret");
        foreach ([ClientException::class, RedirectionException::class, ServerException::class] as $class) {
            $response = $this->http(maxAttempts: 1)->request('GET', $secret);
            $e = self::caught($class, $response->getContent(...));
            self::assertStringEndsWith(" returned for \"$url\".", $e->getMessage());
            self::assertStringEndsWith('?key=s3cret', $response->getInfo('url'));
        }
    }

    public function testDebugOutputShowsNoCredential(): void
    {
        $fake = new FakeClient(static fn(): Response => new Response());
        $client = new HttpClient($fake, ['auth_bearer' => 'secret1']);
        $response = $client->request('POST', 'https://user:secret2@a.test/?key=secret3', ['headers' => ['Cookie' => 'secret4'], 'proxy' => 'http://a:secret5@p.test:1']);
        $response->getContent();
        ob_start();
        var_dump($client, $response);
        print_r([$client, $response]);
        self::assertStringNotContainsString('secret', (string) ob_get_clean());
    }

    public function testTracesShowNoCredential(): void
    {
        $client = $this->http(['auth_bearer' => 'secret1']);
        $url = 'http://user:secret2@127.0.0.1:1/?key=secret3';
        $options = [
            ['proxy' => 'nonsense://a:secret4@127.0.0.1'],
            ['headers' => ['X-Key' => "secret5\x01"]],
            ['extra' => ['retry_client' => ['headers' => ['X-Key' => "secret5\x01"]]]],
            ['extra' => ['retry_client' => 'secret6']],
            ['ciphers' => 'secret7'],
            ['body' => static fn(int $size): int => 8],
        ];
        foreach ($options as $wrong) {
            $e = self::caught(\Exception::class, static fn() => $client->request('POST', $url, $wrong));
            for (; $e !== null; $e = $e->getPrevious()) {
                $ours = array_filter($e->getTrace(), static fn(array $frame): bool => str_starts_with($frame['class'] ?? '', 'RetryClient\\Symfony\\'));
                self::assertNotSame([], array_column($ours, 'args'), 'zend.exception_ignore_args is on');
                self::assertStringNotContainsString('secret', $e->getMessage() . print_r($ours, true));
            }
        }
    }

    public function testNeitherCopiedNorSerialized(): void
    {
        $response = (new HttpClient(new FakeClient([new Response()])))->request('GET', 'https://a.test');
        self::caught(\BadMethodCallException::class, static fn() => clone $response);
        self::caught(\BadMethodCallException::class, static fn() => serialize($response));
    }
}
