<?php

declare(strict_types=1);

namespace RetryClient\Tests\Listener;

use PHPUnit\Framework\TestCase;
use RetryClient\Attempt;
use RetryClient\AttemptsExhaustedException;
use RetryClient\FakeClient;
use RetryClient\Listener\Hooks;
use RetryClient\Listener\Listener;
use RetryClient\Reason;
use RetryClient\Request;
use RetryClient\Response;

final class HooksTest extends TestCase
{
    public function testEachIsCalledTheApplicationsFirst(): void
    {
        $seen = [];
        $note = static function (string $who) use (&$seen): \Closure {
            return static function (mixed ...$given) use ($who, &$seen): void {
                $seen[] = [$who, ...array_map(static fn(mixed $value): mixed => is_object($value) ? $value::class : $value, $given)];
            };
        };
        $client = new FakeClient([new Response(503), new Response()], ...Hooks::of(
            self::listener($note('listener')),
            ['onRetry' => $note('own'), 'onOutcome' => $note('own'), 'onAttempt' => $note('own')],
        ));
        $client->get('http://a.test/');
        self::assertSame([
            ['own', Request::class, 1], ['listener', 'attempt', Request::class, 1],
            ['own', Attempt::class, Response::class, Request::class], ['listener', 'outcome', Attempt::class, Response::class, Request::class],
            ['own', Attempt::class, 0.5, Request::class], ['listener', 'retry', Attempt::class, 0.5, Request::class],
            ['own', Request::class, 2], ['listener', 'attempt', Request::class, 2],
            ['own', Attempt::class, Response::class, Request::class], ['listener', 'outcome', Attempt::class, Response::class, Request::class],
        ], $seen);
    }

    public function testHeadersOfAllAreAddedTheLastOfAName(): void
    {
        $client = new FakeClient([new Response()], ...Hooks::of(
            self::listener(static fn(): array => ['TraceParent' => 'of the listener', 'X-Two' => ['a', 'b']]),
            ['onAttempt' => static fn(): array => ['traceparent' => 'own', 'X-Own' => '1']],
            ['onAttempt' => static fn(): ?array => null],
        ));
        $client->get('http://a.test/');
        $headers = array_intersect_key(
            array_change_key_case($client->requests()[0]->headers),
            ['traceparent' => 1, 'x-two' => 1, 'x-own' => 1],
        );
        ksort($headers);
        self::assertSame(['traceparent' => ['of the listener'], 'x-own' => ['1'], 'x-two' => ['a', 'b']], $headers);
    }

    public function testFalseStopsAndListenersHearOfIt(): void
    {
        $heard = [];
        $client = new FakeClient([new Response(429), new Response()], ...Hooks::of(
            self::listener(static function (string $what, mixed ...$given) use (&$heard): void {
                $heard[] = [$what, count($given)];
            }),
            ['onRetry' => static fn(): bool => false],
            ['onRetry' => static fn(): bool => self::fail('asked after a no')],
        ));
        try {
            $client->get('http://a.test/');
            self::fail('nothing was thrown');
        } catch (AttemptsExhaustedException $e) {
            self::assertSame(Reason::Stopped, $e->attempts[0]->reason);
        }
        self::assertSame([['attempt', 2], ['outcome', 3], ['stopped', 2]], $heard);
    }

    public function testOtherReturnsDoNotStop(): void
    {
        $client = new FakeClient([new Response(429), new Response()], ...Hooks::of(['onRetry' => static fn(): int => 0, 'onOutcome' => null]));
        self::assertSame(200, $client->get('http://a.test/')->status);
    }

    public function testWhatAHookThrowsEndsTheCall(): void
    {
        $client = new FakeClient([new Response()], ...Hooks::of(self::listener(static fn() => throw new \DomainException('mine'))));
        $this->expectExceptionObject(new \DomainException('mine'));
        $client->get('http://a.test/');
    }

    public function testWhatIsReturnedInPlaceOfHeadersIsNamed(): void
    {
        $client = new FakeClient([new Response()], ...Hooks::of(['onAttempt' => static fn(): string => 'traceparent: a']));
        $this->expectException(\TypeError::class);
        $this->expectExceptionMessage('RetryClient\Listener\Hooks: Return value of onAttempt must be of type ?array, string returned');
        $client->get('http://a.test/');
    }

    public function testAnUnknownNameIsRefused(): void
    {
        $this->expectException(\ValueError::class);
        $this->expectExceptionMessage('RetryClient\Listener\Hooks::of(): "onretry" is no hook: there are onAttempt, onOutcome, onRetry');
        Hooks::of(['onretry' => static fn() => null]);
    }

    public function testWhatIsNotCallableIsRefused(): void
    {
        $this->expectException(\TypeError::class);
        $this->expectExceptionMessage('RetryClient\Listener\Hooks::of(): onRetry must be a callable or null, string given');
        Hooks::of(['onRetry' => 'no_such_function']);
    }

    public function testWithoutTheExtensionItNamesTheCommand(): void
    {
        $code = 'require $argv[1]; require $argv[2]; RetryClient\Listener\Hooks::of();';
        $source = dirname(__DIR__, 3) . '/php/src';
        $command = [PHP_BINARY, '-n', '-d', 'html_errors=0', '-r', $code, '--', "$source/MissingRequirement.php", "$source/Listener/Hooks.php"];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines);
        self::assertStringContainsString('RetryClient\Listener\Hooks needs the PHP extension retry_client ', implode("\n", $lines));
    }

    private static function listener(\Closure $hear): Listener
    {
        return new class ($hear) implements Listener {
            public function __construct(private readonly \Closure $hear) {}

            public function onAttempt(Request $request, int $number): array
            {
                return ($this->hear)('attempt', $request, $number) ?? [];
            }

            public function onOutcome(Attempt $attempt, ?Response $response, Request $request): void
            {
                ($this->hear)('outcome', $attempt, $response, $request);
            }

            public function onRetry(Attempt $failed, float $wait, Request $request): void
            {
                ($this->hear)('retry', $failed, $wait, $request);
            }

            public function onStopped(Attempt $last, Request $request): void
            {
                ($this->hear)('stopped', $last, $request);
            }
        };
    }
}
