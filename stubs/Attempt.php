<?php

namespace RetryClient;

/**
 * One send of a call: what came of it, how long it took, and what happened next.
 *
 * A response's or exception's `$attempts` lists all of them; `onRetry` and `onOutcome` get each one. Can be
 * serialized. The constructor is public so that tests can make one.
 */
final class Attempt
{
    /** 1 for the first send. */
    public readonly int $number;

    /** The answer's status, after redirects; null if none came. */
    public readonly ?int $status;

    /** Why no answer came, without credentials; null if one did. */
    public readonly ?string $error;

    /** When it began, seconds since 1970 (Unix time). */
    public readonly float $startedAt;

    /** Seconds from its beginning to the answer or failure. */
    public readonly float $duration;

    /** Seconds the call waited after it; 0.0 on the last one. */
    public readonly float $wait;

    /** Seconds it was held back before it was sent, by a limit or by what another call was told; not part of `$wait`. */
    public readonly float $paced;

    /** What came next, or, on the last attempt, why the call ended. */
    public readonly Reason $reason;

    /**
     * @param int<1, max> $number
     * @param int<100, 999>|null $status
     *
     * @throws \ValueError|\TypeError
     */
    public function __construct(
        int $number = 1,
        ?int $status = null,
        ?string $error = null,
        float $startedAt = 0.0,
        float $duration = 0.0,
        float $wait = 0.0,
        float $paced = 0.0,
        Reason $reason = Reason::Answered,
    ) {}

    /** @return array<string, mixed> */
    public function __serialize(): array {}

    /**
     * @param array<string, mixed> $data checked as the constructor's arguments are
     *
     * @throws \ValueError|\TypeError
     */
    public function __unserialize(array $data): void {}
}
