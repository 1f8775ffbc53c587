<?php

declare(strict_types=1);

namespace RetryClient\Tests\Guzzle;

use GuzzleHttp\Client;
use GuzzleHttp\Exception\ConnectException;
use GuzzleHttp\Exception\GuzzleException;
use GuzzleHttp\Exception\RequestException;
use GuzzleHttp\Exception\ServerException;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;
use GuzzleHttp\Pool;
use GuzzleHttp\Promise\CancellationException;
use GuzzleHttp\Promise\Coroutine;
use GuzzleHttp\Promise\Each;
use GuzzleHttp\Promise\PromiseInterface;
use GuzzleHttp\Promise\Utils;
use GuzzleHttp\Psr7;
use GuzzleHttp\Psr7\Request;
use PHPUnit\Framework\TestCase;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use RetryClient\FakeClient;
use RetryClient\Guzzle\Handler;
use RetryClient\Response;
use RetryClient\Tests\Catching;

require_once dirname(__DIR__, 2) . '/support.php';

/** What Guzzle's own handler has no counterpart for, and what tells only when several requests meet. */
final class HandlerTest extends TestCase
{
    use Catching;

    private static function client(?\RetryClient\ClientInterface $client = null, callable ...$middlewares): Client
    {
        $stack = HandlerStack::create(new Handler($client ?? new \RetryClient(baseDelay: 0.01, jitter: 0.0)));
        foreach ($middlewares as $middleware) {
            $stack->push($middleware);
        }
        return new Client(['handler' => $stack]);
    }

    /**
     * What a request throws that is synchronous, and one that is waited for.
     *
     * @template T of \Throwable
     *
     * @param class-string<T>                                        $class
     * @param callable(string): (ResponseInterface|PromiseInterface) $send  gets the method of the client
     *
     * @return list<T>
     */
    private static function failures(string $class, callable $send): array
    {
        return array_map(static fn(string $method) => self::caught($class, static fn() => $send($method)->wait()), ['get', 'getAsync']);
    }

    private static function name(string $test): string
    {
        return 'guzzle-' . substr($test, strrpos($test, ':') + 1);
    }

    // --- Retries -----------------------------------------------------------------------------------------------------

    public function testWhatIsRefusedIsSentAgain(): void
    {
        $name = self::name(__METHOD__);
        $url = script($name, [['status' => 429, 'headers' => [['retry-after-ms', '30']]], ['status' => 503], ['action' => 'drop'], ['body' => 'ok']]);
        self::assertSame('ok', (string) self::client()->get($url)->getBody());
        $log = received($name);
        self::assertCount(4, $log);
        self::assertGreaterThanOrEqual(0.03, gaps($log)[0]);
    }

    public function testTheLastAnswerIsGuzzlesToThrow(): void
    {
        $name = self::name(__METHOD__);
        try {
            self::client()->get(script($name, [['status' => 503, 'body' => 'gone']]), ['retry_client' => ['maxAttempts' => 3]]);
            self::fail('nothing was thrown');
        } catch (ServerException $e) {
            self::assertSame([503, 'gone'], [$e->getCode(), (string) $e->getResponse()->getBody()]);
        }
        self::assertCount(3, received($name));
        $response = self::client()->get(script("$name-2", [['status' => 503]]), ['http_errors' => false, 'retry_client' => ['maxAttempts' => 2]]);
        self::assertSame(503, $response->getStatusCode());
    }

    public function testTheBodyIsSentWholeEachTime(): void
    {
        $name = self::name(__METHOD__);
        $url = script($name, [['status' => 500], ['body' => 'ok']]);
        $pump = static function (): Psr7\PumpStream {
            $chunks = ['ab', 'cd'];
            return new Psr7\PumpStream(static function () use (&$chunks) {
                return array_shift($chunks) ?? false;
            });
        };
        self::client()->post($url, ['body' => $pump()]);
        $log = received($name);
        self::assertSame(['abcd', 'abcd'], array_map(body_of(...), $log));
        self::assertIsString(header_of($log[0], 'idempotency-key'));
        self::assertSame(header_of($log[0], 'idempotency-key'), header_of($log[1], 'idempotency-key'));
    }

    public function testGuzzlesRetriesStackWithTheHandlers(): void
    {
        $name = self::name(__METHOD__);
        $again = Middleware::retry(static fn(int $retries, $request, ?ResponseInterface $response): bool => $retries < 1 && $response?->getStatusCode() === 503, static fn() => 0);
        $client = self::client(new \RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0), $again);
        $client->get(script($name, [['status' => 503]]), ['http_errors' => false]);
        self::assertCount(4, received($name), 'two attempts, twice');
    }

    public function testGuzzlesRetriesWaitWithoutHoldingUpOthers(): void
    {
        $name = self::name(__METHOD__);
        $again = Middleware::retry(static fn(int $retries, $request, ?ResponseInterface $response): bool => $response?->getStatusCode() === 404, static fn() => 60_000);
        $client = self::client(null, $again);
        $patient = $client->getAsync(script("$name-a", [['status' => 404]]), ['http_errors' => false]);
        $client->getAsync(script("$name-b", [['body' => 'b']]))->wait();
        received("$name-a", 1);
        self::assertSame('b', (string) $client->getAsync(script("$name-b", [['body' => 'b']]))->wait()->getBody());
        self::assertSame(PromiseInterface::PENDING, $patient->getState());
    }

    public function testOptionsOfRetryClientForOneRequest(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $statuses = static fn(array $options): array => [
            $client->get(script($name, [['status' => 500], ['body' => 'ok']]), ['http_errors' => false, 'retry_client' => $options])->getStatusCode(),
            count(received($name)),
        ];
        self::assertSame([500, 1], $statuses(['maxAttempts' => 1]));
        self::assertSame([200, 2], $statuses(['maxAttempts' => 2]));
        self::assertSame([500, 1], $statuses(['retryOn' => [429]]));
        self::assertSame([500, 1], $statuses(['onRetry' => static fn() => false]));
        self::assertSame([200, 2], $statuses(['limitKey' => 'a', 'cost' => 2]));
        self::assertSame([200, 2], $statuses([]));
    }

    public function testOptionsOfTheCallersClientStay(): void
    {
        $name = self::name(__METHOD__);
        $hooked = 0;
        $rules = new \RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0, headers: ['X-Own' => 'a'], throwOnError: true, maxRedirects: 3, onRetry: static function () use (&$hooked): void {
            $hooked++;
        });
        self::client($rules)->get(script($name, [['status' => 500]]), ['http_errors' => false]);
        self::assertSame([2, 1, 'a'], [count(received($name)), $hooked, header_of(received($name)[0], 'x-own')]);
        $redirect = script("$name-r", [['action' => 'redirect', 'location' => '/json']]);
        self::assertSame(302, self::client($rules)->get($redirect, ['allow_redirects' => false])->getStatusCode());
    }

    public function testFakeClient(): void
    {
        $fake = new FakeClient([
            new Response(status: 429, headers: ['Retry-After' => '30']),
            new Response(headers: ['X-A' => ['1', '2']], body: 'hello'),
            new Response(body: 'later'),
            new Response(body: 'stream'),
        ]);
        $client = self::client($fake);
        $response = $client->post('https://api.example.com/a', ['json' => ['a' => 1]]);
        self::assertSame(['hello', ['1', '2']], [(string) $response->getBody(), $response->getHeader('x-a')]);
        self::assertSame('later', (string) $client->getAsync('https://api.example.com/b')->wait()->getBody());
        self::assertSame('stream', (string) $client->get('https://api.example.com/c', ['stream' => true])->getBody());
        self::assertCount(4, $fake->requests());
        self::assertSame(['POST', '{"a":1}'], [$fake->requests()[0]->method, $fake->requests()[0]->body]);
    }

    // --- Several at once ---------------------------------------------------------------------------------------------

    public function testPromisesRunAtTheSameTime(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $gate = script_name("$name-gate");
        // Each is answered only when all have arrived.
        $promises = [];
        for ($i = 0; $i < 5; $i++) {
            $promises[] = $client->getAsync(script("$name-$i", [['hold' => $gate, 'body' => "$i"]]));
        }
        $last = $client->getAsync(script("$name-last", [['body' => 'last']]))->then(static function () use ($name, $gate): void {
            for ($i = 0; $i < 5; $i++) {
                received("$name-$i", 1);
            }
            release($gate);
        });
        $bodies = array_map(static fn(ResponseInterface $response): string => (string) $response->getBody(), Utils::unwrap($promises));
        self::assertSame(['0', '1', '2', '3', '4'], $bodies);
        self::assertSame(PromiseInterface::FULFILLED, $last->getState());
    }

    public function testPool(): void
    {
        $name = self::name(__METHOD__);
        $url = script($name, [['delay_ms' => 5, 'body' => 'x']]);
        $requests = static function () use ($url): \Generator {
            for ($i = 0; $i < 40; $i++) {
                yield "k$i" => new Request('GET', "$url/$i");
            }
        };
        $fulfilled = [];
        (new Pool(self::client(), $requests(), [
            'concurrency' => 7,
            'fulfilled' => static function (ResponseInterface $response, string $key) use (&$fulfilled): void {
                $fulfilled[$key] = (string) $response->getBody();
            },
        ]))->promise()->wait();
        self::assertCount(40, $fulfilled);
        self::assertSame(['x'], array_unique(array_values($fulfilled)));
        $connections = array_unique(array_column(received($name), 'connection'));
        self::assertLessThanOrEqual(7, count($connections));
        self::assertGreaterThan(1, count($connections));
    }

    public function testAFailureInAPoolStaysItsOwn(): void
    {
        $name = self::name(__METHOD__);
        $good = script($name, [['body' => 'x']]);
        $results = Pool::batch(self::client(), [new Request('GET', $good), new Request('GET', server('refused')), new Request('GET', $good)], [
            'options' => ['retry_client' => ['maxAttempts' => 1]],
        ]);
        self::assertSame([Psr7\Response::class, ConnectException::class, Psr7\Response::class], array_map(get_class(...), $results));
    }

    public function testDelayedOnesHoldUpNobody(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $late = $client->getAsync(script("$name-a", [['body' => 'a']]), ['delay' => 600_000]);
        $began = hrtime(true);
        $soon = $client->getAsync(script("$name-b", [['body' => 'b']]), ['delay' => 50]);
        self::assertSame('c', (string) $client->getAsync(script("$name-c", [['body' => 'c']]))->wait()->getBody());
        self::assertSame('b', (string) $soon->wait()->getBody());
        self::assertGreaterThanOrEqual(0.05, (hrtime(true) - $began) / 1e9);
        self::assertSame(PromiseInterface::PENDING, $late->getState());
    }

    public function testTwoClientsMoveOnTogether(): void
    {
        $name = self::name(__METHOD__);
        $gate = script_name("$name-gate");
        $held = self::client()->getAsync(script("$name-a", [['hold' => $gate, 'body' => 'a']]));
        self::client()->getAsync(script("$name-b", [[]]))->wait();
        received("$name-a", 1);
        release($gate);
        self::assertSame('a', (string) $held->wait()->getBody());
    }

    public function testASynchronousRequestAmongPromises(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $promise = $client->getAsync(script("$name-a", [['body' => 'a']]));
        self::assertSame('b', (string) $client->get(script("$name-b", [['body' => 'b']]))->getBody());
        self::assertSame('a', (string) $promise->wait()->getBody());
    }

    public function testCancel(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $held = $client->getAsync(script($name, [['action' => 'stall']]));
        $client->getAsync(script("$name-2", [[]]))->wait();
        received($name, 1);
        $held->cancel();
        self::assertSame(PromiseInterface::REJECTED, $held->getState());
        $this->assertLeft($name);
        try {
            $held->wait();
            self::fail('it was cancelled');
        } catch (CancellationException) {
        }
    }

    public function testCancelBeforeItsDelay(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $late = $client->getAsync(script($name, [[]]), ['delay' => 10]);
        $late->cancel();
        usleep(20_000);
        $client->getAsync(script("$name-2", [[]]))->wait();
        self::assertSame([], received($name));
    }

    /** The connection has been closed by us, without an answer. */
    private function assertLeft(string $name): void
    {
        for ($i = 0; $i < 500 && received($name)[0]['left_ns'] === null; $i++) {
            usleep(10_000);
        }
        self::assertNotNull(received($name)[0]['left_ns']);
    }

    public function testDroppedPromisesAreFinishedByOtherWaits(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $gate = script_name("$name-gate");
        $seen = null;
        $client->getAsync(script($name, [['body' => 'a']]))->then(static function (ResponseInterface $response) use (&$seen, $gate): void {
            $seen = (string) $response->getBody();
            release($gate);
        });
        gc_collect_cycles();
        self::assertNull($seen);
        $client->getAsync(script("$name-2", [['hold' => $gate]]))->wait();
        self::assertSame('a', $seen);
    }

    public function testDroppedPromisesAreFinishedBesideSynchronousRequests(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $seen = false;
        $client->getAsync(script($name, [['body' => 'a']]))->then(static function () use (&$seen): void {
            $seen = true;
        });
        for ($i = 0; $i < 1000 && !$seen; $i++) {
            $client->get(script("$name-2", [['delay_ms' => 5]]));
        }
        self::assertTrue($seen);
    }

    public function testDroppedWithItsClientARequestIsCancelled(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $called = false;
        $client->getAsync(script($name, [['action' => 'stall']]))->then(null, static function () use (&$called): void {
            $called = true;
        });
        $client->getAsync(script("$name-2", [[]]))->wait();
        received($name, 1);
        unset($client);
        gc_collect_cycles();
        $this->assertLeft($name);
        self::assertFalse($called);
    }

    public function testAThousandPromisesLeaveNothingBehind(): void
    {
        $url = script(self::name(__METHOD__), [['body' => 'x']]);
        $client = self::client();
        $round = static function (int $count) use ($client, $url): void {
            $promises = [];
            for ($i = 0; $i < $count; $i++) {
                $promises[] = $client->getAsync($url)->then(static fn(ResponseInterface $response): string => (string) $response->getBody());
                if (count($promises) === 50) {
                    self::assertSame(['x'], array_unique(Utils::unwrap($promises)));
                    $promises = [];
                }
            }
        };
        $round(200);
        gc_collect_cycles();
        $before = memory_get_usage();
        $round(1000);
        gc_collect_cycles();
        self::assertLessThan(20_000, memory_get_usage() - $before);
    }

    // --- Callbacks ---------------------------------------------------------------------------------------------------

    public function testACallbackSendsAndWaits(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $gate = script_name("$name-gate");
        $held = $client->getAsync(script("$name-held", [['hold' => $gate, 'body' => 'held']]));
        $first = $client->getAsync(script("$name-a", [['body' => 'a']]))->then(static function (ResponseInterface $a) use ($client, $name, $gate, $held): string {
            $b = $client->getAsync(script("$name-b", [['body' => 'b']]))->wait();
            $c = $client->get(script("$name-c", [['body' => 'c']]));
            release($gate);
            return $a->getBody() . $b->getBody() . $c->getBody() . $held->wait()->getBody();
        });
        self::assertSame('abcheld', $first->wait());
        self::assertSame('held', (string) $held->wait()->getBody());
    }

    public function testACallbackReturnsAPromise(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $promise = $client->getAsync(script("$name-a", [[]]))->then(static fn() => $client->getAsync(script("$name-b", [['body' => 'b']])));
        self::assertSame('b', (string) $promise->wait()->getBody());
    }

    /**
     * What drives promises relies on callbacks that come after `then()` has returned.
     *
     * @dataProvider atOnce
     */
    public function testCoroutinesOverRequestsThatAreSentAtOnce(array $options): void
    {
        $url = script('guzzle-coroutine-' . key($options), [['body' => 'a'], ['body' => 'b'], ['body' => 'c']]);
        $client = self::client();
        $all = Coroutine::of(static function () use ($client, $url, $options): \Generator {
            $bodies = '';
            foreach ([$options, [], $options] as $these) {
                $response = yield $client->getAsync($url, $these);
                $bodies .= $response->getBody();
            }
            yield $bodies;
        });
        self::assertSame('abc', $all->wait());
    }

    /** @dataProvider atOnce */
    public function testAPoolOfRequestsThatAreSentAtOnce(array $options): void
    {
        $url = script('guzzle-each-' . key($options), [['body' => 'x']]);
        $client = self::client();
        foreach ([1, 3] as $concurrency) {
            $bodies = '';
            $requests = (static function () use ($client, $url, $options): \Generator {
                for ($i = 0; $i < 10; $i++) {
                    yield $client->getAsync($url, $options);
                }
            })();
            Each::ofLimit($requests, $concurrency, static function (ResponseInterface $response) use (&$bodies): void {
                $bodies .= $response->getBody();
            })->wait();
            self::assertSame('xxxxxxxxxx', $bodies);
        }
    }

    public static function atOnce(): iterable
    {
        yield 'stream' => [['stream' => true]];
        yield 'synchronous' => [['synchronous' => true]];
    }

    public function testACallbackCancelsAnother(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $stalled = $client->getAsync(script("$name-a", [['action' => 'stall']]));
        $client->getAsync(script("$name-b", [[]]))->then(static fn() => $stalled->cancel())->wait();
        self::assertSame(PromiseInterface::REJECTED, $stalled->getState());
        $this->expectException(CancellationException::class);
        $stalled->wait();
    }

    public function testACallbackCancelsItsOwn(): void
    {
        $name = self::name(__METHOD__);
        $promise = null;
        $promise = self::client()->getAsync(script($name, [['body' => 'x']]), ['on_headers' => static function () use (&$promise): void {
            $promise->cancel();
        }]);
        $this->expectException(CancellationException::class);
        $promise->wait();
    }

    public function testACallbackCannotWaitForItsOwn(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $gate = script_name("$name-gate");
        $promise = null;
        $promise = $client->getAsync(script("$name-a", [['body' => 'x']]), ['on_headers' => static function () use (&$promise, $gate): void {
            release($gate);
            $promise->wait();
        }]);
        $other = $client->getAsync(script("$name-b", [['hold' => $gate, 'body' => 'b']]));
        self::assertSame('b', (string) $other->wait()->getBody());
        self::assertSame(PromiseInterface::REJECTED, $promise->getState());
        $this->expectExceptionMessage('A request cannot be waited for in a callback of its own');
        $promise->wait();
    }

    public function testOtherRequestsInOnHeaders(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $inner = null;
        $response = $client->getAsync(script("$name-a", [['body' => 'a']]), ['on_headers' => static function () use (&$inner, $client, $name): void {
            $inner = (string) $client->getAsync(script("$name-b", [['body' => 'b']]))->wait()->getBody();
        }])->wait();
        self::assertSame(['a', 'b'], [(string) $response->getBody(), $inner]);
    }

    public function testAnExceptionInACallbackIsItsPromises(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $broken = $client->getAsync(script("$name-a", [[]]))->then(static fn() => throw new \DomainException('mine'));
        $good = $client->getAsync(script("$name-b", [['body' => 'b']]));
        self::assertSame('b', (string) $good->wait()->getBody());
        $this->expectExceptionObject(new \DomainException('mine'));
        $broken->wait();
    }

    public function testAnErrorInAnOptionsCallbackIsItsPromises(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        foreach (['on_headers', 'on_stats', 'progress'] as $option) {
            $broken = $client->getAsync(script("$name-a", [['body' => 'a']]), [$option => static fn() => throw new \TypeError($option)]);
            self::assertSame('b', (string) $client->getAsync(script("$name-b", [['delay_ms' => 30, 'body' => 'b']]))->wait()->getBody());
            try {
                $broken->wait();
                self::fail("$option: nothing was thrown");
            } catch (\TypeError $e) {
                self::assertSame($option, $e->getMessage());
            }
        }
    }

    public function testAHooksExceptionIsItsPromises(): void
    {
        $name = self::name(__METHOD__);
        $hooked = new \RetryClient(baseDelay: 0.0, jitter: 0.0, onRetry: static fn() => throw new \DomainException('hook'));
        foreach (self::failures(\DomainException::class, static fn(string $method) => self::client($hooked)->$method(script($name, [['status' => 500]]))) as $e) {
            self::assertSame('hook', $e->getMessage());
        }
    }

    /** @dataProvider callbacks */
    public function testAMalformedRequestOfACallbacksOwnIsNotThisOne(array $options): void
    {
        $url = script('guzzle-callback-' . md5(json_encode($options)), [['body' => 'x']]);
        foreach (self::failures(\ValueError::class, static fn(string $method) => self::client()->$method($url, $options)) as $e) {
            self::assertSame('RetryClient::get(): Argument #1 ($uri) must have the scheme http or https', $e->getMessage());
        }
    }

    public static function callbacks(): iterable
    {
        $malformed = static fn() => (new \RetryClient())->get('ftp://a.test/');
        yield 'hook' => [['retry_client' => ['onAttempt' => $malformed]]];
        yield 'hook of a stream' => [['stream' => true, 'retry_client' => ['onAttempt' => $malformed]]];
        yield 'on_headers' => [['on_headers' => $malformed]];
        yield 'progress' => [['progress' => $malformed]];
    }

    public function testAHookUsesTheSameHandler(): void
    {
        $name = self::name(__METHOD__);
        $handler = null;
        $inner = [];
        $hooked = new \RetryClient(baseDelay: 0.0, jitter: 0.0, onRetry: static function () use (&$handler, &$inner, $name): void {
            $client = new Client(['handler' => HandlerStack::create($handler)]);
            $inner[] = (string) $client->get(script("$name-token", [['body' => 'token']]))->getBody();
            $inner[] = (string) $client->getAsync(script("$name-token", [['body' => 'token']]))->wait()->getBody();
        });
        $handler = new Handler($hooked);
        $client = new Client(['handler' => HandlerStack::create($handler)]);
        self::assertSame('ok', (string) $client->getAsync(script($name, [['status' => 500], ['body' => 'ok']]))->wait()->getBody());
        self::assertSame(['token', 'token'], $inner);
    }

    public function testASignalsExceptionEndsTheWait(): void
    {
        $name = self::name(__METHOD__);
        pcntl_async_signals(true);
        pcntl_signal(SIGALRM, static fn() => throw new \DomainException('signal'));
        try {
            foreach (['get', 'getAsync'] as $method) {
                pcntl_alarm(1);
                try {
                    self::client()->$method(script($name, [['action' => 'stall']]))->wait();
                    self::fail('nothing was thrown');
                } catch (\DomainException $e) {
                    self::assertSame('signal', $e->getMessage());
                }
                $this->assertLeft($name);
            }
        } finally {
            pcntl_signal(SIGALRM, SIG_DFL);
            pcntl_async_signals(false);
        }
    }

    // --- Options -----------------------------------------------------------------------------------------------------

    public function testOnHeadersComesBeforeTheBody(): void
    {
        // The body never comes.
        $url = script(self::name(__METHOD__), [['body' => 'hello', 'send_bytes' => 0, 'end' => 'stall']]);
        $options = ['on_headers' => static fn() => throw new \DomainException('seen')];
        foreach (self::failures(RequestException::class, static fn(string $method) => self::client()->$method($url, $options)) as $e) {
            self::assertSame('seen', $e->getPrevious()?->getMessage());
        }
    }

    public function testASinkIsWrittenWhileTheBodyArrives(): void
    {
        $name = self::name(__METHOD__);
        $stalls = ['body' => 'hello', 'send_bytes' => 2, 'end' => 'stall'];
        foreach ([[], ['on_headers' => static fn() => null], ['progress' => static fn() => null]] as $options) {
            self::assertSame('he', self::writtenFirst(script($name, [$stalls]), $options));
        }
        self::assertStringStartsWith('abcabc', self::writtenFirst(script($name, [['action' => 'endless', 'body' => 'abcabc']]), []));
    }

    /** What is the first to be written to a sink, which then takes no more. */
    private static function writtenFirst(string $url, array $options): string
    {
        $sink = Psr7\FnStream::decorate(Psr7\Utils::streamFor(''), ['write' => static fn(string $bytes) => throw new \DomainException($bytes)]);
        try {
            self::client()->get($url, $options + ['sink' => $sink]);
        } catch (\DomainException $e) {
            return $e->getMessage();
        }
        self::fail('nothing was thrown');
    }

    public function testRetriedAnswersReachNoSinkAndNoCallback(): void
    {
        $name = self::name(__METHOD__);
        $url = script($name, [['status' => 503, 'body' => 'busy'], ['action' => 'half', 'body' => 'lost', 'send_bytes' => 0, 'end' => 'close'], ['body' => 'ok']]);
        $statuses = [];
        $sink = folder() . '/sink';
        $response = self::client()->get($url, ['sink' => $sink, 'progress' => static function (int $total, int $received) use (&$statuses): void {
            self::assertContains($received, [0, 2]);
        }, 'on_stats' => static function (\GuzzleHttp\TransferStats $stats) use (&$statuses): void {
            $statuses[] = $stats->getHandlerStats();
        }]);
        self::assertSame(['ok', 'ok'], [file_get_contents($sink), (string) $response->getBody()]);
        self::assertCount(1, $statuses);
        self::assertSame([200, 3, 0], [$statuses[0]['http_code'], $statuses[0]['attempts'], $statuses[0]['redirect_count']]);
        self::assertGreaterThan(0, $statuses[0]['waited']);
    }

    public function testALargeBodyGoesThroughTheSink(): void
    {
        $name = self::name(__METHOD__);
        $url = script($name, [['body_repeat' => ['0123456789', 3_000_000]]]);
        $hash = hash_init('sha256');
        $sink = Psr7\FnStream::decorate(Psr7\Utils::streamFor(''), ['write' => static function (string $bytes) use ($hash): int {
            hash_update($hash, $bytes);
            return strlen($bytes);
        }]);
        // More than may lie in memory.
        $client = self::client(new \RetryClient(maxBodySize: 10_000_000));
        $expected = hash('sha256', str_repeat('0123456789', 3_000_000));
        $client->get($url, ['sink' => $sink]);
        self::assertSame($expected, hash_final($hash));
        foreach ([[], ['on_headers' => static fn() => null]] as $options) {
            $client->get($url, $options + ['sink' => $file = folder() . '/sink']);
            self::assertSame($expected, hash_file('sha256', $file));
        }
    }

    public function testAStreamArrivesWhileItIsRead(): void
    {
        $name = self::name(__METHOD__);
        $body = self::client()->get(script($name, [['status' => 503], ['action' => 'endless', 'body' => 'abc']]), ['stream' => true])->getBody();
        self::assertSame('abca', $body->read(1) . $body->read(1) . $body->read(1) . $body->read(1));
        self::assertFalse($body->eof());
        $body->close();
        for ($i = 0; $i < 500 && received($name)[1]['left_ns'] === null; $i++) {
            usleep(10_000);
        }
        self::assertNotNull(received($name)[1]['left_ns']);
    }

    public function testADroppedStreamClosesItsConnection(): void
    {
        $name = self::name(__METHOD__);
        $response = self::client()->get(script($name, [['action' => 'endless']]), ['stream' => true, 'progress' => static fn() => null]);
        self::assertSame('x', $response->getBody()->read(1));
        unset($response);
        $this->assertLeft($name);
    }

    public function testProgressOfAStream(): void
    {
        $progress = [];
        $body = self::client()->get(script(self::name(__METHOD__), [['body' => 'abcdef']]), ['stream' => true, 'progress' => static function (int ...$numbers) use (&$progress): void {
            $progress[] = $numbers;
        }])->getBody();
        $body->read(2);
        self::assertSame([6, 2, 0, 0], end($progress));
        self::assertSame('cdef', $body->getContents());
        self::assertSame([6, 6, 0, 0], end($progress));
    }

    public function testReadTimeoutOfAStream(): void
    {
        $name = self::name(__METHOD__);
        $url = script($name, [['body' => 'hello', 'send_bytes' => 2, 'end' => 'stall']]);
        $body = self::client()->get($url, ['stream' => true, 'read_timeout' => 0.1])->getBody();
        self::assertSame('he', $body->read(100));
        $this->expectException(\RuntimeException::class);
        $body->read(100);
    }

    public function testBudget(): void
    {
        $name = self::name(__METHOD__);
        $send = static fn(string $method) => self::client()->$method(script($name, [['action' => 'stall']]), ['retry_client' => ['budget' => 0.1]]);
        foreach (self::failures(ConnectException::class, $send) as $e) {
            self::assertSame(28, $e->getHandlerContext()['errno']);
            self::assertInstanceOf(\RetryClient\BudgetExceededException::class, $e->getPrevious());
        }
    }

    public function testHeldBack(): void
    {
        $held = new FakeClient(static fn() => throw new \RetryClient\RateLimitedException('held back', retryAfter: 3.0));
        try {
            self::client($held)->get('https://api.example.com/');
            self::fail('nothing was thrown');
        } catch (\Throwable $e) {
            self::assertSame(ConnectException::class, $e::class);
            self::assertSame(['held back', ['error' => 'held back']], [$e->getMessage(), $e->getHandlerContext()]);
        }
    }

    public function testDebug(): void
    {
        $name = self::name(__METHOD__);
        $log = fopen('php://memory', 'w+');
        $url = str_replace('://', '://user:secret@', script($name, [['status' => 503], ['body' => 'ok']]));
        self::client()->get("$url?key=secret", ['debug' => $log]);
        $lines = explode("\n", stream_get_contents($log, -1, 0));
        self::assertCount(3, $lines);
        self::assertMatchesRegularExpression('#^\* GET http://\[redacted\]@[\d.:]+/\S+\?\[redacted\]: attempt 1: 503 after \d\.\d+ s; backoff, waited 0\.000 s before and 0\.\d+ s after it$#', $lines[0]);
        self::assertMatchesRegularExpression('#: attempt 2: 200 after #', $lines[1]);
        self::assertStringNotContainsString('secret', implode('', $lines));
    }

    public function testMessagesNameNoCredentials(): void
    {
        foreach (['http://user:secret@127.0.0.1:1/', 'http://127.0.0.1:1/?a=b'] as $url) {
            try {
                self::client()->get($url, ['retry_client' => ['maxAttempts' => 1], 'proxy' => 'http://user:secret@127.0.0.1:1']);
                self::fail('nothing was thrown');
            } catch (ConnectException $e) {
                self::assertStringNotContainsString('secret', $e->getMessage() . json_encode($e->getHandlerContext()));
            }
        }
    }

    public function testWhatIsPrintedOfAHandlerShowsNoCredentials(): void
    {
        $name = self::name(__METHOD__);
        $handler = new Handler(new \RetryClient());
        $options = [
            'proxy' => str_replace('://', '://user:secret1@', server('proxy')),
            'retry_client' => ['headers' => ['X-Api-Key' => 'secret2'], 'limitKey' => 'secret3'],
        ];
        $promise = $handler(new Request('GET', script($name, [['body' => 'ok']])), $options);
        ob_start();
        var_dump($handler, $promise);
        print_r($handler);
        print_r($promise);
        $shown = ob_get_clean();
        self::assertStringContainsString('Transfer', $shown);
        self::assertStringNotContainsString('secret', $shown);
        self::assertSame('ok', (string) $promise->wait()->getBody());
        self::assertStringNotContainsString('secret', print_r($handler, true));
    }

    public function testHostsWithoutAProxyMayBeWrittenAsInTheVariable(): void
    {
        $url = script(self::name(__METHOD__), [['body' => 'direct']]);
        foreach (['127.0.0.1', '.test,127.0.0.1', ' .test , 127.0.0.1 '] as $no) {
            $response = self::client()->get($url, ['proxy' => ['http' => server('refused'), 'no' => $no]]);
            self::assertSame('direct', (string) $response->getBody());
        }
        $this->expectException(ConnectException::class);
        self::client()->get($url, ['proxy' => ['http' => server('refused'), 'no' => '.test, localhost'], 'retry_client' => ['maxAttempts' => 1]]);
    }

    /** @dataProvider refused */
    public function testRefused(array $options, string $message): void
    {
        $name = self::name(__METHOD__);
        $url = script($name, [['body' => 'x']]);
        foreach (self::failures(\InvalidArgumentException::class, static fn(string $method) => self::client()->$method($url, $options)) as $e) {
            self::assertInstanceOf(GuzzleException::class, $e);
            self::assertSame($message, $e->getMessage());
        }
        self::assertSame([], received($name));
    }

    public static function refused(): iterable
    {
        $no = static fn(string $option, string $reason): string => "The option '$option' is not supported by RetryClient\\Guzzle\\Handler: $reason";
        yield [['force_ip_resolve' => 'v4'], $no('force_ip_resolve', 'addresses of both families are tried')];
        yield [
            ['curl' => [\CURLOPT_INTERFACE => 'lo', \CURLOPT_TCP_NODELAY => true, -7 => 1]],
            $no('curl', 'CURLOPT_INTERFACE, CURLOPT_TCP_NODELAY, -7 cannot be set, since nothing is sent with cURL'),
        ];
        yield [
            ['auth' => ['a', 'b', 'digest']],
            $no('curl', "CURLOPT_HTTPAUTH, CURLOPT_USERPWD cannot be set, since nothing is sent with cURL; of 'auth', digest and ntlm need it"),
        ];
        yield [['stream_context' => ['ssl' => ['peer_name' => 'a']]], $no('stream_context', 'no stream of PHP is opened')];
        yield [['crypto_method' => \STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT], $no('crypto_method', 'TLS 1.2 and 1.3 are used, whichever of them the server prefers')];
        yield [['crypto_method_max' => \STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT], $no('crypto_method_max', 'TLS 1.2 and 1.3 are used, whichever of them the server prefers')];
        yield [['verify' => '/etc'], $no('verify', 'it takes a file with all certificates, not a directory of them')];
        yield [['verify' => __FILE__], "The option 'verify' must be a readable PEM file with CA certificates"];
        yield [['verify' => 1], 'Invalid verify request option'];
        yield [['cert' => [__FILE__, 'secret']], $no('cert', 'it takes a PEM file without a password')];
        yield [['ssl_key' => [__FILE__, 'secret']], $no('ssl_key', 'it takes a PEM file without a password')];
        yield [['cert' => __FILE__], "The option 'cert' must be a readable PEM file with a certificate"];
        yield [['cert' => true], "The option 'cert' must be the path of a PEM file"];
        yield [['proxy' => 'tcp://127.0.0.1:1'], "The option 'proxy' must be a URL with scheme http, https, socks4, socks4a, socks5 or socks5h and a host"];
        yield [['proxy' => 1], "The option 'proxy' must be a string or an array of strings"];
        yield [['timeout' => 'soon'], "The option 'timeout' must be a number of at least 0"];
        yield [['connect_timeout' => -1], "The option 'connect_timeout' must be a number of at least 0"];
        yield [['delay' => -1], "The option 'delay' must be a number of at least 0"];
        yield [['on_stats' => 'no such function'], 'on_stats must be callable'];
        yield [['retry_client' => 5], "The option 'retry_client' must be an array of RetryClient's options by name"];
        yield [['retry_client' => [1]], "The option 'retry_client' must be an array of RetryClient's options by name"];
        yield [['retry_client' => ['maxAttempts' => 0]], "The option 'retry_client' => 'maxAttempts' must be greater than or equal to 1, 0 given"];
        yield [['retry_client' => ['attempts' => 1]], "The option 'retry_client' => 'attempts' is no option of RetryClient"];
        yield [['retry_client' => ['verify' => __FILE__]], "The option 'retry_client' => 'verify' must be a readable PEM file with CA certificates"];
        yield [['retry_client' => ['maxRedirects' => 1]], "The option 'retry_client' cannot have 'maxRedirects': Guzzle's 'allow_redirects' follows redirects"];
        yield [['retry_client' => ['throwOnError' => true]], "The option 'retry_client' cannot have 'throwOnError': Guzzle's 'http_errors' throws for a status"];
        yield [['retry_client' => ['limitKey' => 1]], "The option 'retry_client' => 'limitKey' must be a string"];
    }

    public function testWhatIsMetAnyway(): void
    {
        $name = self::name(__METHOD__);
        $options = ['crypto_method' => \STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT, 'crypto_method_max' => \STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT, 'curl' => [], 'verify' => server('ca')];
        self::assertSame('x', (string) self::client()->get(script($name, [['body' => 'x']], 'https'), $options)->getBody());
    }

    public function testMiddlewaresSeeWhatTheyAreTo(): void
    {
        $name = self::name(__METHOD__);
        $history = [];
        $client = self::client(
            null,
            Middleware::history($history),
            Middleware::mapRequest(static fn(RequestInterface $request) => $request->withHeader('X-A', 'b')),
            Middleware::mapResponse(static fn(ResponseInterface $response) => $response->withHeader('X-C', 'd')),
        );
        foreach (['get', 'getAsync'] as $method) {
            $response = $client->$method(script($name, [['status' => 503], ['body' => 'x']]));
            $response = $response instanceof PromiseInterface ? $response->wait() : $response;
            self::assertSame('d', $response->getHeaderLine('X-C'));
            self::assertSame(['b', 'b'], array_map(static fn(array $entry) => header_of($entry, 'x-a'), received($name)));
        }
        self::assertCount(2, $history);
        self::assertSame(200, $history[1]['response']->getStatusCode());
    }

    public function testCookies(): void
    {
        $name = self::name(__METHOD__);
        $client = self::client();
        $jar = new \GuzzleHttp\Cookie\CookieJar();
        $url = script($name, [['headers' => [['Set-Cookie', 'a=b; Path=/']]], []]);
        $client->get($url, ['cookies' => $jar]);
        $client->get($url, ['cookies' => $jar]);
        self::assertSame('a=b', header_of(received($name)[1], 'cookie'));
    }

    public function testHeadersArePrintedAsPeopleWriteThem(): void
    {
        $url = script(self::name(__METHOD__), [['body' => '', 'headers' => [['content-type', 'text/plain'], ['x-request-id', '1']]]]);
        self::assertSame(['Content-Type', 'X-Request-Id', 'Content-Length'], array_keys(self::client()->get($url)->getHeaders()));
    }

    public function testTheBodyIsAStreamLikeAnyOther(): void
    {
        $url = script(self::name(__METHOD__), [['body' => 'hello world']]);
        $get = static fn() => self::client()->get($url)->getBody();
        $body = $get();
        self::assertSame(['hello', 5, false, ' world', 11, true, 11], [$body->read(5), $body->tell(), $body->eof(), $body->getContents(), $body->tell(), $body->eof(), $body->getSize()]);
        $body->seek(-5, \SEEK_END);
        self::assertSame(['world', 'hello world'], [$body->getContents(), (string) $body]);
        $body->write('!');
        self::assertSame(['hello world!', 12], [(string) $body, $body->getSize()]);
        self::assertSame('php://temp', $get()->getMetadata('uri'));
        self::assertSame([true, true, true], [$body->isReadable(), $body->isWritable(), $body->isSeekable()]);

        $body = $get();
        $body->read(6);
        self::assertSame('world', stream_get_contents($body->detach()));
        self::assertNull($body->getSize());
        self::assertFalse($body->isReadable());
        $body = $get();
        $body->rewind();
        $body->close();
        $this->expectException(\RuntimeException::class);
        $body->read(1);
    }

    /** @dataProvider missing */
    public function testWhatIsMissingIsNamed(bool $loaded, string $code, string $message): void
    {
        $source = dirname(__DIR__, 3) . '/php/src';
        $command = [...php_command([], $loaded), '-d', 'include_path=.', '-r', "require '$source/MissingRequirement.php'; $code"];
        exec(implode(' ', array_map(escapeshellarg(...), [...$command, "$source/Guzzle/Handler.php"])) . ' 2>&1', $lines);
        self::assertStringContainsString($message, implode("\n", $lines));
    }

    public static function missing(): iterable
    {
        yield [true, 'require $argv[1]; new RetryClient\Guzzle\Handler();', 'RetryClient\Guzzle\Handler needs the package guzzlehttp/guzzle: run "composer require guzzlehttp/guzzle".'];
        $there = 'namespace GuzzleHttp\Promise { interface PromiseInterface {} }';
        yield [
            false,
            "eval('$there'); require \$argv[1]; new RetryClient\\Guzzle\\Handler();",
            'RetryClient\Guzzle\Handler needs the PHP extension retry_client 0.1.0 or newer, which is not loaded: run "pie install retry-client/extension".',
        ];
    }

    public function testRedirectsDoNotCarryTheClientsOwnHeaders(): void
    {
        $secrets = ['Authorization' => 'Bearer s3cret', 'Cookie' => 'a=s3cret', 'X-Api-Key' => 's3cret'];
        $to = str_replace('127.0.0.1', 'localhost', script('guzzle-redirect-to', [[]]));
        $from = script('guzzle-redirect-from', [['action' => 'redirect', 'location' => $to]]);
        $stack = \GuzzleHttp\HandlerStack::create(new \RetryClient\Guzzle\Handler(new \RetryClient(headers: $secrets)));
        (new \GuzzleHttp\Client(['handler' => $stack]))->get($from);
        foreach ($secrets as $name => $value) {
            self::assertSame($value, header_of(received('guzzle-redirect-from', 1)[0], $name));
            self::assertNull(header_of(received('guzzle-redirect-to', 1)[0], $name));
        }
    }
}
