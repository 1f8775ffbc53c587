<?php

declare(strict_types=1);

namespace RetryClient\Tests\Listener;

use Monolog\Handler\TestHandler;
use Monolog\Logger as Monolog;
use Monolog\Processor\PsrLogMessageProcessor;
use PHPUnit\Framework\TestCase;
use Psr\Log\LogLevel;
use RetryClient\ClientInterface;
use RetryClient\Exception;
use RetryClient\FakeClient;
use RetryClient\Listener\Hooks;
use RetryClient\Listener\Logger;
use RetryClient\NetworkException;
use RetryClient\Request;
use RetryClient\Response;

require_once 'Monolog/autoload.php';
require_once dirname(__DIR__, 2) . '/support.php';

final class LoggerTest extends TestCase
{
    private TestHandler $handler;
    private Monolog $log;

    protected function setUp(): void
    {
        $this->handler = new TestHandler();
        $this->log = new Monolog('http', [$this->handler], [new PsrLogMessageProcessor()]);
    }

    public function testACallThatIsAnsweredAtOnceLeavesNoLine(): void
    {
        $client = $this->logged(new FakeClient([new Response(), new Response(404)]));
        $client->get('http://a.test/');
        $client->get('http://a.test/');
        self::assertSame([], $this->lines());
    }

    public function testARetryAndItsGoodEnd(): void
    {
        $this->logged(new FakeClient([new Response(429, headers: ['Retry-After' => '7']), new Response(503), new Response()]))
            ->get('http://a.test/x');
        self::assertSame([
            'NOTICE GET http://a.test/x: 429 on attempt 1, next one in 7 s (retry-after)',
            'NOTICE GET http://a.test/x: 503 on attempt 2, next one in 1 s (backoff)',
            'INFO GET http://a.test/x: 200 on attempt 3',
        ], $this->lines());

        $context = $this->handler->getRecords()[0]['context'];
        self::assertSame(7.0, $context['wait']);
        unset($context['wait'], $context['duration'], $context['paced']);
        self::assertSame(['method' => 'GET', 'uri' => 'http://a.test/x', 'attempt' => 1, 'status' => 429, 'error' => null, 'reason' => 'retry-after'], $context);
    }

    public function testWithoutAnAnswer(): void
    {
        $client = $this->logged(new FakeClient([new NetworkException('it broke', kind: 'reset'), new NetworkException('no such host', kind: 'dns')], maxAttempts: 2));
        $this->end(static fn() => $client->get('http://a.test/x'));
        self::assertSame([
            'NOTICE GET http://a.test/x: it broke on attempt 1, next one in 0.5 s (network)',
            'ERROR GET http://a.test/x: no such host on attempt 2, giving up (attempts-exhausted)',
        ], $this->lines());
        self::assertSame([null, 'no such host'], [$this->handler->getRecords()[1]['context']['status'], $this->handler->getRecords()[1]['context']['error']]);
    }

    public function testAMethodOfNoStandardIsWrittenAsItIsSent(): void
    {
        $client = $this->logged(new FakeClient([new Response(503), new Response()]));
        $client->send('purge', 'http://a.test/x');
        self::assertStringStartsWith('NOTICE purge http://a.test/x: 503 ', $this->lines()[0]);
    }

    /** @dataProvider ends */
    public function testHowItWasGivenUp(string $line, array $answers, array $options, string $method = 'GET'): void
    {
        $client = $this->logged(new FakeClient($answers, ...$options));
        $this->end(static fn() => $client->send($method, 'http://a.test/x'));
        $lines = $this->lines();
        self::assertSame($line, end($lines));
    }

    public static function ends(): iterable
    {
        yield 'attempts' => ['ERROR GET http://a.test/x: 503 on attempt 2, giving up (attempts-exhausted)', [new Response(503), new Response(503)], ['maxAttempts' => 2]];
        yield 'attempts, the last response returned' => ['ERROR GET http://a.test/x: 503 on attempt 1, giving up (attempts-exhausted)', [new Response(503)], ['maxAttempts' => 1, 'throwOnGiveUp' => false]];
        yield 'budget' => ['ERROR GET http://a.test/x: 429 on attempt 1, giving up (budget-exceeded)', [new Response(429, headers: ['Retry-After' => '20'])], ['budget' => 10.0]];
        yield 'useless' => ['ERROR GET http://a.test/x: 429 on attempt 1, giving up (not-retryable)', [new Response(429, headers: ['x-should-retry' => 'false'])], []];
        yield 'unsafe' => ['ERROR POST http://a.test/x: it broke on attempt 1, giving up (not-retryable)', [new NetworkException('it broke', kind: 'reset')], ['idempotencyKey' => false], 'post'];
    }

    public function testAHookThatStops(): void
    {
        $client = new FakeClient([new Response(429)], ...Hooks::of(new Logger($this->log), ['onRetry' => static fn(): bool => false]));
        $this->end(static fn() => $client->get('http://a.test/x'));
        self::assertSame(['ERROR GET http://a.test/x: 429 on attempt 1, giving up (stopped)'], $this->lines());
        self::assertSame('stopped', $this->handler->getRecords()[0]['context']['reason']);
    }

    public function testLevels(): void
    {
        $logger = new Logger($this->log, retry: LogLevel::DEBUG, gaveUp: LogLevel::CRITICAL, recovered: null);
        $client = new FakeClient([new Response(503), new Response(), new Response(503), new Response(503)], ...Hooks::of($logger), maxAttempts: 2);
        $client->get('http://a.test/x');
        $this->end(static fn() => $client->get('http://a.test/x'));
        self::assertSame(['DEBUG', 'DEBUG', 'CRITICAL'], array_column($this->handler->getRecords(), 'level_name'));
    }

    public function testNoSecretIsWritten(): void
    {
        $client = $this->logged(new FakeClient(
            static fn(): Response => new Response(503, body: 'secret-answer', headers: ['Set-Cookie' => 'secret-set']),
            maxAttempts: 2,
            headers: ['Authorization' => 'Bearer secret-token'],
        ));
        $this->end(static fn() => $client->post(
            'https://user:secret-password@a.test/x?key=secret-query#secret-fragment',
            headers: ['X-Api-Key' => 'secret-key'],
            json: ['secret-body'],
            query: ['q' => 'secret-added'],
        ));
        $written = json_encode($this->handler->getRecords(), JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        self::assertStringNotContainsString('secret', $written);
        self::assertStringContainsString('https://[redacted]@a.test/x?[redacted]', $written);
    }

    /** All three are under way before the first answer comes, and each fails in another way. */
    public function testEachRetryNamesItsOwnRequest(): void
    {
        foreach (['sendAll', 'start'] as $how) {
            $this->handler->clear();
            $gate = script_name("logger-$how-gate");
            $uris = [
                'a' => script("logger-$how-a", [['hold' => $gate, 'status' => 503], []]),
                'b' => script("logger-$how-b", [['hold' => $gate, 'action' => 'drop'], []]),
                'c' => script("logger-$how-c", [['hold' => $gate, 'status' => 500, 'delay_ms' => 20], []]),
            ];
            $begun = 0;
            $client = new \RetryClient(...Hooks::of(new Logger($this->log), ['onAttempt' => static function () use (&$begun, $gate): void {
                if (++$begun === 3) {
                    release($gate);
                }
            }]), baseDelay: 0.01, jitter: 0.0, share: false);
            $requests = array_map(static fn(string $uri): Request => new Request('GET', $uri), $uris);
            $this->send($client, $how, $requests);

            $seen = [];
            foreach ($this->handler->getRecords() as ['level_name' => $level, 'context' => $context]) {
                $seen[$context['uri']][] = [$level, $context['attempt'], $context['status'], $context['error'] !== null];
            }
            ksort($seen);
            self::assertSame([
                $uris['a'] => [['NOTICE', 1, 503, false], ['INFO', 2, 200, false]],
                $uris['b'] => [['NOTICE', 1, null, true], ['INFO', 2, 200, false]],
                $uris['c'] => [['NOTICE', 1, 500, false], ['INFO', 2, 200, false]],
            ], $seen, $how);
        }
    }

    /** @param array<string, Request> $requests */
    private function send(ClientInterface $client, string $how, array $requests): void
    {
        if ($how === 'sendAll') {
            foreach ($client->sendAll($requests) as $result) {
                self::assertInstanceOf(Response::class, $result);
            }
            return;
        }
        foreach (array_map($client->start(...), $requests) as $pending) {
            self::assertSame(200, $pending->wait()?->status);
        }
    }

    private function logged(ClientInterface $client): ClientInterface
    {
        return $client->with(...Hooks::of(new Logger($this->log)));
    }

    private function end(callable $call): void
    {
        try {
            $call();
        } catch (Exception) {
        }
    }

    /** @return list<string> */
    private function lines(): array
    {
        return array_map(static fn(array $record): string => "$record[level_name] $record[message]", $this->handler->getRecords());
    }
}
