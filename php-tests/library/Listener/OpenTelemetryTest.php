<?php

declare(strict_types=1);

namespace RetryClient\Tests\Listener;

use OpenTelemetry\API\Globals;
use OpenTelemetry\API\Trace\SpanKind;
use OpenTelemetry\API\Trace\StatusCode;
use OpenTelemetry\Context\Context;
use PHPUnit\Framework\TestCase;
use RetryClient\BudgetExceededException;
use RetryClient\ClientInterface;
use RetryClient\Exception;
use RetryClient\FakeClient;
use RetryClient\Listener\Hooks;
use RetryClient\Listener\OpenTelemetry;
use RetryClient\NetworkException;
use RetryClient\Request;
use RetryClient\Response;

require_once dirname(__DIR__, 2) . '/support.php';
require_once __DIR__ . '/stand-ins/open-telemetry-api.php';
require_once __DIR__ . '/stand-ins/recorded-traces.php';

final class OpenTelemetryTest extends TestCase
{
    private RecordedTraces $traces;

    protected function setUp(): void
    {
        $this->traces = new RecordedTraces();
    }

    public function testASpanForTheCallAndOneForItsAttempt(): void
    {
        $this->traced(new FakeClient([new Response(404)]))->get('https://user:secret@a.test/x?key=secret');
        self::assertSame(['retry-client/retry-client', null, 'https://opentelemetry.io/schemas/1.30.0'], $this->traces->scope);
        [$call, $attempt] = $this->traces->spans;
        $attributes = [
            'http.request.method' => 'GET',
            'url.full' => 'https://[redacted]@a.test/x?[redacted]',
            'server.address' => 'a.test',
            'server.port' => 443,
        ];
        $answer = ['http.response.status_code' => 404, 'error.type' => '404'];
        self::assertSame([null, 'GET', SpanKind::KIND_INTERNAL, StatusCode::STATUS_ERROR, null, 1, []], [$call->parent, $call->name, $call->kind, $call->status, $call->description, $call->ended, $call->events]);
        self::assertSame($attributes + $answer, $call->attributes);
        self::assertSame([$call, 'GET', SpanKind::KIND_CLIENT, StatusCode::STATUS_ERROR, 1], [$attempt->parent, $attempt->name, $attempt->kind, $attempt->status, $attempt->ended]);
        self::assertSame($attributes + ['network.protocol.version' => '1.1'] + $answer, $attempt->attributes);
    }

    public function testRetries(): void
    {
        $fake = new FakeClient([new Response(429, headers: ['Retry-After' => '2']), new NetworkException('it broke', kind: 'reset'), new Response(204)]);
        $this->traced($fake)->put('http://a.test:8080/x');
        [$call, $first, $second, $third] = $this->traces->spans;
        self::assertSame([$first, $second, $third], $this->traces->below($call));
        self::assertSame([StatusCode::STATUS_UNSET, 204, 2, 1], [$call->status, $call->attributes['http.response.status_code'], $call->attributes['http.request.resend_count'], $call->ended]);
        self::assertArrayNotHasKey('error.type', $call->attributes);
        self::assertSame([
            ['retry', ['retry_client.wait' => 2.0, 'retry_client.reason' => 'retry-after']],
            ['retry', ['retry_client.wait' => 1.0, 'retry_client.reason' => 'network']],
        ], $call->events);

        $seen = static fn(RecordedSpan $span): array => [
            $span->status,
            $span->description,
            $span->attributes['error.type'] ?? null,
            $span->attributes['http.response.status_code'] ?? null,
            $span->attributes['http.request.resend_count'] ?? null,
            $span->attributes['server.port'],
            $span->ended,
        ];
        self::assertSame(['Error', null, '429', 429, null, 8080, 1], $seen($first));
        self::assertSame(['Error', 'it broke', NetworkException::class, null, 1, 8080, 1], $seen($second));
        self::assertSame(['Unset', null, null, 204, 2, 8080, 1], $seen($third));

        self::assertSame(
            array_map(RecordedPropagator::traceparent(...), [$first, $second, $third]),
            array_map(static fn(Request $sent): mixed => $sent->headers['traceparent'][0], $fake->requests()),
        );
        self::assertSame(['vendor=1'], $fake->requests()[0]->headers['tracestate']);
    }

    public function testTheCurrentSpanIsTheParent(): void
    {
        $outer = $this->traces->spanBuilder('page')->startSpan();
        $scope = $outer->activate();
        try {
            $this->traced(new FakeClient([new Response()]))->get('http://a.test/');
        } finally {
            $scope->detach();
        }
        self::assertSame($outer, $this->traces->spans[1]->parent);
        self::assertNull(RecordedSpan::of(Context::getCurrent()));
    }

    public function testTheGlobalProviderIsTheDefault(): void
    {
        $client = new FakeClient([new Response()], ...Hooks::of(new OpenTelemetry()));
        [Globals::$tracers, Globals::$propagator] = [$this->traces, new RecordedPropagator()];
        try {
            $client->get('http://a.test/');
        } finally {
            [Globals::$tracers, Globals::$propagator] = [null, null];
        }
        self::assertCount(2, $this->traces->spans);
    }

    public function testAMethodOfNoStandard(): void
    {
        $this->traced(new FakeClient([new Response()]))->send('purge', 'http://a.test/');
        $span = $this->traces->spans[0];
        self::assertSame(['HTTP', '_OTHER', 'purge'], [$span->name, $span->attributes['http.request.method'], $span->attributes['http.request.method_original']]);
    }

    public function testARelativeUriIsKnownFromTheAnswer(): void
    {
        $this->traced(new FakeClient([new Response()], baseUri: 'http://[::1]:81/v1'))->get('chat?key=secret');
        [$call, $attempt] = $this->traces->spans;
        foreach ([$call, $attempt] as $span) {
            self::assertSame(['http://[::1]:81/v1/chat?[redacted]', '::1', 81], [$span->attributes['url.full'], $span->attributes['server.address'], $span->attributes['server.port']]);
        }
    }

    public function testGivingUp(): void
    {
        $client = $this->traced(new FakeClient(static fn(): Response => new Response(503), maxAttempts: 2));
        $this->end(static fn() => $client->get('http://a.test/'));
        self::assertSame(['503', 1], [$this->traces->spans[0]->attributes['error.type'], $this->traces->spans[0]->attributes['http.request.resend_count']]);
    }

    public function testAHookThatStops(): void
    {
        $client = new FakeClient([new Response(503)], ...Hooks::of($this->listener(), ['onRetry' => static fn(): bool => false]));
        $this->end(static fn() => $client->get('http://a.test/'));
        self::assertSame(['503', 1, []], [$this->traces->spans[0]->attributes['error.type'], $this->traces->spans[0]->ended, $this->traces->spans[0]->events]);
    }

    public function testCutByTheBudget(): void
    {
        $client = $this->traced(new \RetryClient(budget: 0.5, share: false));
        $uri = script('telemetry-budget', [['action' => 'stall']]);
        $this->end(static fn() => $client->get($uri));
        self::assertSame([BudgetExceededException::class, BudgetExceededException::class], array_map(static fn(RecordedSpan $span): mixed => $span->attributes['error.type'], $this->traces->spans));
    }

    public function testACancelledCallEndsWithItsRequest(): void
    {
        $client = $this->traced(new \RetryClient(share: false));
        $request = new Request('GET', script('telemetry-cancel', [['action' => 'stall']]));
        $pending = $client->start($request);
        while (count($this->traces->spans) < 2) {
            \RetryClient::poll([$pending], 0.05);
        }
        $pending->cancel();
        self::assertSame([0, 0], array_column($this->traces->spans, 'ended'));
        unset($request, $pending);
        self::assertSame([1, 1], array_column($this->traces->spans, 'ended'));
        self::assertSame(['_OTHER', 'ended without an outcome'], [$this->traces->spans[0]->attributes['error.type'], $this->traces->spans[0]->description]);
    }

    /** Every call is under way before the first answer comes; two of them are of the same Request. */
    public function testConcurrentCallsAreKeptApart(): void
    {
        $gate = script_name('telemetry-gate');
        $uris = [
            script('telemetry-a', [['hold' => $gate, 'status' => 503], []]),
            script('telemetry-b', [['hold' => $gate, 'action' => 'drop'], ['status' => 404]]),
            script('telemetry-twice', [['hold' => $gate, 'status' => 500, 'times' => 2], []]),
        ];
        $begun = 0;
        $client = new \RetryClient(...Hooks::of($this->listener(), ['onAttempt' => static function () use (&$begun, $gate): void {
            if (++$begun === 4) {
                release($gate);
            }
        }]), baseDelay: 0.01, jitter: 0.0, share: false);
        [$a, $b, $twice] = array_map(static fn(string $uri): Request => new Request('GET', $uri), $uris);
        foreach ($client->sendAll([$a, $b, $twice, $twice]) as $result) {
            self::assertInstanceOf(Response::class, $result);
        }

        $calls = $this->traces->below(null);
        $seen = [];
        foreach ($calls as $call) {
            $seen[$call->attributes['url.full']][] = [
                ...array_map(static fn(RecordedSpan $attempt): mixed => $attempt->attributes['error.type'] ?? 'ok', $this->traces->below($call)),
                $call->attributes['error.type'] ?? 'ok',
            ];
        }
        ksort($seen);
        self::assertSame([
            $uris[0] => [['503', 'ok', 'ok']],
            $uris[1] => [[NetworkException::class, '404', '404']],
            $uris[2] => [['500', 'ok', 'ok'], ['500', 'ok', 'ok']],
        ], $seen);
        self::assertSame([1], array_values(array_unique(array_column($this->traces->spans, 'ended'))));

        $sent = array_merge(...array_map(static fn(string $name): array => received($name, 2), ['telemetry-a', 'telemetry-b', 'telemetry-twice']));
        $traceparents = array_map(static fn(array $entry): mixed => header_of($entry, 'traceparent'), $sent);
        $attempts = array_filter($this->traces->spans, static fn(RecordedSpan $span): bool => $span->parent !== null);
        self::assertEqualsCanonicalizing(array_map(RecordedPropagator::traceparent(...), $attempts), $traceparents);
    }

    public function testNothingIsKeptOfCallsThatEnded(): void
    {
        $listener = $this->listener();
        $client = new FakeClient(static fn(): Response => new Response(), ...Hooks::of($listener));
        $request = new Request('GET', 'http://a.test/');
        $client->sendRequest($request);
        $client->sendRequest($request);
        $calls = (new \ReflectionProperty($listener, 'calls'))->getValue($listener);
        self::assertCount(0, $calls);
        self::assertCount(4, $this->traces->spans);
    }

    public function testWithoutThePackageItNamesTheCommand(): void
    {
        $code = 'require $argv[1]; require $argv[2]; require $argv[3]; new RetryClient\Listener\OpenTelemetry();';
        $source = dirname(__DIR__, 3) . '/php/src';
        $files = ["$source/MissingRequirement.php", "$source/Listener/Listener.php", "$source/Listener/OpenTelemetry.php"];
        exec(implode(' ', array_map(escapeshellarg(...), [...php_command(), '-d', 'html_errors=0', '-r', $code, '--', ...$files])) . ' 2>&1', $lines);
        self::assertStringContainsString(
            'RetryClient\Listener\OpenTelemetry needs the package open-telemetry/api: run "composer require open-telemetry/api".',
            implode("\n", $lines),
        );
    }

    private function traced(ClientInterface $client): ClientInterface
    {
        return $client->with(...Hooks::of($this->listener()));
    }

    private function listener(): OpenTelemetry
    {
        return new OpenTelemetry($this->traces, new RecordedPropagator());
    }

    private function end(callable $call): void
    {
        try {
            $call();
        } catch (Exception) {
        }
    }
}
