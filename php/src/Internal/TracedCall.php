<?php

declare(strict_types=1);

namespace RetryClient\Internal;

use OpenTelemetry\API\Trace\SpanInterface;
use OpenTelemetry\API\Trace\StatusCode;
use OpenTelemetry\Context\ContextInterface;
use RetryClient\Attempt;
use RetryClient\BudgetExceededException;
use RetryClient\NetworkException;
use RetryClient\Reason;

/**
 * The span of a call and that of its attempt under way. Dropped before its end, it ends them.
 *
 * @internal
 */
final class TracedCall
{
    /** The context in which the call's span is the current one. */
    public readonly ContextInterface $context;
    private int $number = 0;
    private ?SpanInterface $attempt = null;
    private bool $hasEnded = false;

    public function __construct(
        private readonly SpanInterface $span,
        ContextInterface $parent,
        private readonly bool $isLocated,
    ) {
        $this->context = $span->storeInContext($parent);
    }

    public function __destruct()
    {
        if ($this->hasEnded) {
            return;
        }
        foreach (array_filter([$this->attempt, $this->span]) as $span) {
            $span->setAttribute('error.type', '_OTHER');
            $span->setStatus(StatusCode::STATUS_ERROR, 'ended without an outcome');
            $span->end();
        }
    }

    public function waitsFor(int $number): bool
    {
        return $this->attempt === null && $this->number === $number - 1;
    }

    public function isSending(int $number): bool
    {
        return $this->attempt !== null && $this->number === $number;
    }

    public function hasSent(int $number): bool
    {
        return $this->attempt === null && $this->number === $number;
    }

    public function begin(int $number, SpanInterface $attempt): void
    {
        $this->number = $number;
        $this->attempt = $attempt;
    }

    /** @param array<non-empty-string, int|string> $location of the answer, for a request whose URI is relative */
    public function endAttempt(Attempt $attempt, ?string $protocol, array $location): void
    {
        if ($this->attempt === null) {
            return;
        }
        if ($protocol !== null) {
            $this->attempt->setAttribute('network.protocol.version', $protocol);
        }
        if (!$this->isLocated) {
            $this->attempt->setAttributes($location);
            $this->span->setAttributes($location);
        }
        self::finish($this->attempt, $attempt);
        $this->attempt = null;
    }

    public function waits(float $wait, Reason $reason): void
    {
        $this->span->addEvent('retry', ['retry_client.wait' => $wait, 'retry_client.reason' => $reason->value]);
    }

    public function end(Attempt $last): void
    {
        if ($last->number > 1) {
            $this->span->setAttribute('http.request.resend_count', $last->number - 1);
        }
        $this->hasEnded = true;
        self::finish($this->span, $last);
    }

    private static function finish(SpanInterface $span, Attempt $attempt): void
    {
        if ($attempt->status !== null) {
            $span->setAttribute('http.response.status_code', $attempt->status);
        }
        $error = match (true) {
            $attempt->status === null && $attempt->reason === Reason::BudgetExceeded => BudgetExceededException::class,
            $attempt->status === null => NetworkException::class,
            $attempt->status >= 400 => (string) $attempt->status,
            default => null,
        };
        if ($error !== null) {
            $span->setAttribute('error.type', $error);
            $span->setStatus(StatusCode::STATUS_ERROR, $attempt->error);
        }
        $span->end();
    }
}
