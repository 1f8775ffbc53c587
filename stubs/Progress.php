<?php

namespace RetryClient;

/**
 * How far a batch is: the argument of `sendAll()`'s `onProgress`.
 *
 * The constructor is public so that tests can make one. Cannot be serialized.
 */
final class Progress
{
    /** Results so far, failures included, with the one that is about to be handed out. */
    public readonly int $done;

    /** How many there will be; null if the input is neither an array nor Countable. */
    public readonly ?int $total;

    /** Results per second over about the last ten seconds; 0.0 before the first. */
    public readonly float $rate;

    /** How many times a request of this batch was answered with 429. */
    public readonly int $limited;

    /** While all requests under way wait: until when the first of them does, seconds since 1970 (Unix time). Else null. */
    public readonly ?float $waitingUntil;

    /** Seconds until the end if it goes on like this; null before the first result, and without a `$total`. */
    public readonly ?float $eta;

    /** @throws \ValueError|\TypeError a time or rate is negative or not finite */
    public function __construct(
        int $done = 0,
        ?int $total = null,
        float $rate = 0.0,
        int $limited = 0,
        ?float $waitingUntil = null,
        ?float $eta = null,
    ) {}
}
