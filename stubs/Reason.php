<?php

namespace RetryClient;

/**
 * What followed an attempt: three of them are waits before another one, the rest are ends.
 */
enum Reason: string
{
    /** An answer whose status is not in `retryOn`: the call's result. */
    case Answered = 'answered';

    /** A status that asks for another attempt; waited as long as the server asked, capped by `maxRetryAfter`. */
    case RetryAfter = 'retry-after';

    /** A status that asks for another attempt; the server named no time, so the client's own backoff was waited. */
    case Backoff = 'backoff';

    /** No answer, and safe to send again; the client's own backoff was waited. */
    case Network = 'network';

    /** An end: sending again is unsafe or useless, by a header, the error's code, the method or the failure. */
    case NotRetryable = 'not-retryable';

    /** An end: `maxAttempts` sends were made. */
    case AttemptsExhausted = 'attempts-exhausted';

    /** An end: held back until all waits were used up, or too many processes wait already. */
    case RateLimited = 'rate-limited';

    /** An end: the next wait or attempt does not fit into the time left, or the deadline cut this one. */
    case BudgetExceeded = 'budget-exceeded';

    /** An end: `onRetry` returned false. */
    case Stopped = 'stopped';
}
