<?php

/**
 * Dies in one of the places where the extension runs PHP code. Place `none`: goes through all hooks and answers.
 * With `later`, a shutdown function calls that URL and prints its body.
 */

declare(strict_types=1);

require __DIR__ . '/lib.php';

/** Ends the page in the way that its plan names. */
final class Death implements JsonSerializable
{
    public static string $how;
    /** @var resource|null for the stream wrapper that this class is, too */
    public $context;

    public static function come(): never
    {
        end_by(self::$how);
    }

    public function jsonSerialize(): never
    {
        self::come();
    }

    public function __toString(): string
    {
        self::come();
    }

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_read(): never
    {
        self::come();
    }

    public function stream_write(): never
    {
        self::come();
    }

    public function stream_eof(): bool
    {
        return false;
    }

    public function stream_stat(): array
    {
        return [];
    }

    public function stream_seek(): bool
    {
        return true;
    }

    public function stream_tell(): int
    {
        return 0;
    }
}

$plan = plan();
Death::$how = $plan['how'];
$uri = $plan['uri'];
stream_wrapper_register('death', Death::class);

$wait = ['baseDelay' => 0.001, 'jitter' => 0.0];
$die = static fn() => Death::come();
$hooks = ['onRetry' => static fn() => null, 'onAttempt' => static fn() => null, 'onOutcome' => static fn() => null];
$client = new RetryClient(...$wait, ...$hooks, verify: $plan['verify']);
if (isset($plan['later'])) {
    register_shutdown_function(static function () use ($client, $plan): void {
        echo $client->get($plan['later'])->body;
    });
}
$response = match ($plan['place']) {
    'none' => $client->get($uri),
    'onRetry' => $client->with(onRetry: $die)->get($uri),
    'onAttempt' => $client->with(onAttempt: $die)->get($uri),
    'onOutcome' => $client->with(onOutcome: $die)->get($uri),
    'nested' => $client->with(onRetry: static fn() => $client->with(onOutcome: $die)->get($uri))->get($uri),
    'body' => $client->post($uri, body: fopen('death://body', 'r')),
    'sink' => $client->with(retryOn: [])->get($uri, sink: fopen('death://sink', 'w')),
    'json' => $client->post($uri, json: new Death()),
    'stringable' => $client->post($uri, body: new Death()),
    'fake' => (new RetryClient\FakeClient($die))->get($uri),
};
answer(returned($response));
