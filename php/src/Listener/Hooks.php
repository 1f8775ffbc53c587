<?php

declare(strict_types=1);

namespace RetryClient\Listener;

use RetryClient\Attempt;
use RetryClient\MissingRequirement;
use RetryClient\Request;
use RetryClient\Response;

/**
 * Makes listeners, and hooks of the application's own, one set of hooks: a client has one callable of each.
 *
 *     $client = $client->with(...Hooks::of(new Logger($log), new OpenTelemetry()));
 *
 *     $client = new \RetryClient(...Hooks::of(
 *         new Logger($log),
 *         ['onRetry' => static fn(Attempt $failed, float $wait) => $wait > 10 ? false : null],
 *     ), baseUri: 'https://api.example.com/v1');
 *
 * `with()` replaces the hooks that a client has: give those here, too.
 */
final class Hooks
{
    private const NAMES = ['onAttempt', 'onOutcome', 'onRetry'];

    /**
     * The options for `new \RetryClient(...)` or `with(...)`.
     *
     * The application's hooks are called first, then the listeners, each in the order given. Of the headers that several
     * `onAttempt` return under one name, in any case, the last ones are sent. If an `onRetry` returns false, the ones
     * behind it are not asked.
     *
     * @param Listener|array{
     *     onAttempt?: (callable(Request, int): (array<string, string|list<string>>|null|void))|null,
     *     onOutcome?: (callable(Attempt, Response|null, Request): void)|null,
     *     onRetry?: (callable(Attempt, float, Request): (false|null|void))|null,
     * } ...$sources an array has the application's own hooks, by the names of the client's options
     *
     * @return array{
     *     onAttempt: \Closure(Request, int): array<string, string|list<string>>,
     *     onOutcome: \Closure(Attempt, Response|null, Request): void,
     *     onRetry: \Closure(Attempt, float, Request): (false|null),
     * }
     *
     * @throws \ValueError|\TypeError an array has something else than hooks
     */
    public static function of(Listener|array ...$sources): array
    {
        MissingRequirement::checkExtension(self::class);
        $listeners = array_values(array_filter($sources, static fn(Listener|array $source): bool => $source instanceof Listener));
        $own = self::own(array_filter($sources, is_array(...)));
        return [
            'onAttempt' => static fn(Request $request, int $number): array => self::attempt($own['onAttempt'], $listeners, $request, $number),
            'onOutcome' => static function (Attempt $attempt, ?Response $response, Request $request) use ($own, $listeners): void {
                foreach ($own['onOutcome'] as $hook) {
                    $hook($attempt, $response, $request);
                }
                foreach ($listeners as $listener) {
                    $listener->onOutcome($attempt, $response, $request);
                }
            },
            'onRetry' => static fn(Attempt $failed, float $wait, Request $request): ?bool => self::retry($own['onRetry'], $listeners, $failed, $wait, $request),
        ];
    }

    /**
     * @param array<array-key, array<array-key, mixed>> $sources
     *
     * @return array{onAttempt: list<callable>, onOutcome: list<callable>, onRetry: list<callable>}
     */
    private static function own(array $sources): array
    {
        $own = array_fill_keys(self::NAMES, []);
        foreach ($sources as $source) {
            foreach ($source as $name => $hook) {
                if (!isset($own[$name])) {
                    throw new \ValueError(sprintf('%s::of(): "%s" is no hook: there are %s', self::class, $name, implode(', ', self::NAMES)));
                }
                if ($hook !== null && !is_callable($hook)) {
                    throw new \TypeError(sprintf('%s::of(): %s must be a callable or null, %s given', self::class, $name, get_debug_type($hook)));
                }
                if ($hook !== null) {
                    $own[$name][] = $hook;
                }
            }
        }
        return $own;
    }

    /**
     * @param list<callable> $own
     * @param list<Listener> $listeners
     *
     * @return array<string, string|list<string>>
     */
    private static function attempt(array $own, array $listeners, Request $request, int $number): array
    {
        $headers = [];
        $add = static function (array $more) use (&$headers): void {
            foreach ($more as $name => $value) {
                $headers[strtolower((string) $name)] = $value;
            }
        };
        foreach ($own as $hook) {
            $returned = $hook($request, $number) ?? [];
            if (!is_array($returned)) {
                throw new \TypeError(sprintf('%s: Return value of onAttempt must be of type ?array, %s returned', self::class, get_debug_type($returned)));
            }
            $add($returned);
        }
        foreach ($listeners as $listener) {
            $add($listener->onAttempt($request, $number));
        }
        return $headers;
    }

    /**
     * @param list<callable> $own
     * @param list<Listener> $listeners
     */
    private static function retry(array $own, array $listeners, Attempt $failed, float $wait, Request $request): ?bool
    {
        foreach ($own as $hook) {
            if ($hook($failed, $wait, $request) === false) {
                foreach ($listeners as $listener) {
                    $listener->onStopped($failed, $request);
                }
                return false;
            }
        }
        foreach ($listeners as $listener) {
            $listener->onRetry($failed, $wait, $request);
        }
        return null;
    }
}
