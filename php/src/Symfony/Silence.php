<?php

declare(strict_types=1);

namespace RetryClient\Symfony;

/**
 * How long nothing has come for responses that are waited for together: what the option `timeout` bounds.
 *
 * It is counted while PHP waits, from the last news of any of them. A wait between attempts is no silence.
 *
 * @internal
 */
final class Silence
{
    /** Longest time without a look at the responses, so that progress is told at least once a second. */
    public const SLICE = 0.5;

    /** How long nothing had come when a response ran out of time last; null once something has come. */
    private static ?float $last = null;

    private readonly ?float $timeout;

    private readonly bool $goesOn;

    /** @var array<int, float> seconds by response */
    private array $seconds = [];

    private bool $hasLooked = false;

    /**
     * @param float|null $timeout seconds; null: the longest of the responses' own. Of a negative one, -0.0 included (null),
     *     the absolute value counts, and silence is counted on from where a timeout found it
     */
    public function __construct(?float $timeout)
    {
        $isNegative = $timeout !== null && ($timeout < 0 || (string) $timeout === '-0');
        $this->goesOn = $isNegative;
        $this->timeout = $isNegative ? (-$timeout ?: null) : $timeout;
    }

    /** A request has been sent. */
    public static function end(): void
    {
        self::$last = null;
    }

    /**
     * Lets all calls go on until there is news of these, or for a while.
     *
     * @param non-empty-array<int, LazyResponse> $responses
     */
    public function listen(array $responses, bool $waits): void
    {
        $now = microtime(true);
        $limit = $this->limit($responses);
        // In slices, as a wait between attempts that begins and ends makes no news.
        $slice = $waits ? min(self::SLICE, max(0.01, $limit / 10)) : 0.0;
        $pending = $until = [];
        foreach ($responses as $id => $response) {
            $pending[$id] = $response->pending();
            $until[$id] = $pending[$id]->waitingUntil();
            $this->seconds[$id] ??= $this->goesOn && $until[$id] === null ? self::$last ?? 0.0 : 0.0;
            if ($until[$id] === null) {
                $slice = min($slice, max(0.0, $limit - $this->seconds[$id]));
            }
        }
        $news = \RetryClient::poll($pending, $slice);
        $this->hasLooked = true;
        if ($news !== []) {
            $this->seconds = array_fill_keys(array_keys($responses), 0.0);
            self::$last = null;
            return;
        }
        $then = microtime(true);
        foreach ($pending as $id => $one) {
            if ($one->waitingUntil() !== null) {
                $this->seconds[$id] = 0.0;
            } else {
                $this->seconds[$id] += max(0.0, $then - max($now, $until[$id] ?? $now));
            }
        }
    }

    /**
     * Whether it is too long for this one.
     *
     * @param non-empty-array<int, LazyResponse> $responses
     */
    public function isTooLong(int $id, array $responses): bool
    {
        if (!$this->hasLooked || !isset($this->seconds[$id]) || $this->seconds[$id] < $this->limit($responses)) {
            return false;
        }
        self::$last ??= $this->seconds[$id];

        return true;
    }

    /** @param non-empty-array<int, LazyResponse> $responses */
    private function limit(array $responses): float
    {
        return $this->timeout ?? max(array_map(static fn(LazyResponse $one): float => $one->timeout(), $responses));
    }
}
