<?php

declare(strict_types=1);

namespace RetryClient\Listener;

use Psr\Log\LoggerInterface;
use Psr\Log\LogLevel;
use RetryClient\Attempt;
use RetryClient\Internal\KnownMethod;
use RetryClient\Internal\RedactedUri;
use RetryClient\MissingRequirement;
use RetryClient\Reason;
use RetryClient\Request;
use RetryClient\Response;

/**
 * Writes retries, and calls that were given up, to a PSR-3 log.
 *
 *     $client = $client->with(...Hooks::of(new Logger($log)));
 *
 * A call that is answered by its first attempt leaves no line. Of the request there are the method and the URI without
 * user, password, query and fragment; no headers, no bodies. The context has `method`, `uri`, `attempt`, `status` (int or
 * null), `error` (string or null), `reason` (a value of `Reason`), `duration` and `paced` in seconds, and for a retry
 * `wait` in seconds.
 *
 * It hears of what happens after a send. A call that ends before its first one (held back, no time left), while it waits
 * for a later one, or by `cancel()` leaves no line: the exception that the caller gets tells of it.
 */
final class Logger implements Listener
{
    /**
     * Levels are those of `Psr\Log\LogLevel`, or what else the logger takes; null writes nothing.
     *
     * @param string|null $retry     an attempt failed and another follows
     * @param string|null $gaveUp    the call failed: no attempt or no time is left, it is held back, a hook stopped it, or
     *     sending again is unsafe or useless
     * @param string|null $recovered the call was answered after retries
     */
    public function __construct(
        private readonly LoggerInterface $log,
        private readonly ?string $retry = LogLevel::NOTICE,
        private readonly ?string $gaveUp = LogLevel::ERROR,
        private readonly ?string $recovered = LogLevel::INFO,
    ) {
        MissingRequirement::checkExtension(self::class);
    }

    public function onAttempt(Request $request, int $number): array
    {
        return [];
    }

    public function onOutcome(Attempt $attempt, ?Response $response, Request $request): void
    {
        switch ($attempt->reason) {
            case Reason::RetryAfter:
            case Reason::Backoff:
            case Reason::Network:
                break;      // onRetry() or onStopped() follows
            case Reason::Answered:
                if ($attempt->number > 1) {
                    $this->write($this->recovered, '{method} {uri}: {status} on attempt {attempt}', $attempt, $request);
                }
                break;
            default:
                $this->giveUp($attempt, $attempt->reason, $request);
        }
    }

    public function onRetry(Attempt $failed, float $wait, Request $request): void
    {
        $message = '{method} {uri}: ' . self::what($failed) . ' on attempt {attempt}, next one in {wait} s ({reason})';
        $this->write($this->retry, $message, $failed, $request, ['wait' => round($wait, 3)]);
    }

    public function onStopped(Attempt $last, Request $request): void
    {
        $this->giveUp($last, Reason::Stopped, $request);
    }

    private function giveUp(Attempt $last, Reason $reason, Request $request): void
    {
        $message = '{method} {uri}: ' . self::what($last) . ' on attempt {attempt}, giving up ({reason})';
        $this->write($this->gaveUp, $message, $last, $request, ['reason' => $reason->value]);
    }

    private static function what(Attempt $attempt): string
    {
        return $attempt->status === null ? '{error}' : '{status}';
    }

    /** @param array<string, mixed> $more */
    private function write(?string $level, string $message, Attempt $attempt, Request $request, array $more = []): void
    {
        if ($level === null) {
            return;
        }
        $this->log->log($level, $message, $more + [
            'method' => KnownMethod::of($request->method) ?? $request->method,
            'uri' => RedactedUri::of($request->uri),
            'attempt' => $attempt->number,
            'status' => $attempt->status,
            'error' => $attempt->error,
            'reason' => $attempt->reason->value,
            'duration' => round($attempt->duration, 3),
            'paced' => round($attempt->paced, 3),
        ]);
    }
}
