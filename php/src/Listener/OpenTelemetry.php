<?php

declare(strict_types=1);

namespace RetryClient\Listener;

use OpenTelemetry\API\Globals;
use OpenTelemetry\API\Trace\SpanInterface;
use OpenTelemetry\API\Trace\SpanKind;
use OpenTelemetry\API\Trace\TracerInterface;
use OpenTelemetry\API\Trace\TracerProviderInterface;
use OpenTelemetry\Context\Context;
use OpenTelemetry\Context\ContextInterface;
use OpenTelemetry\Context\Propagation\TextMapPropagatorInterface;
use RetryClient\Attempt;
use RetryClient\Internal\KnownMethod;
use RetryClient\Internal\RedactedUri;
use RetryClient\Internal\TracedCall;
use RetryClient\MissingRequirement;
use RetryClient\Reason;
use RetryClient\Request;
use RetryClient\Response;

/**
 * Traces calls with OpenTelemetry: a span per call, below it one per attempt, whose `traceparent` is sent. Those of attempts
 * are of kind CLIENT, that of the call is INTERNAL, so that what counts requests counts what was sent.
 *
 *     $client = $client->with(...Hooks::of(new OpenTelemetry()));
 *
 * Spans are named and described as the semantic conventions for HTTP clients say: `http.request.method`, `url.full`
 * (without user, password, query and fragment), `server.address`, `server.port`, `http.response.status_code`, `error.type`,
 * `http.request.resend_count`, `network.protocol.version`. Each wait is an event `retry` of the call's span, with
 * `retry_client.wait` in seconds and `retry_client.reason`. For a URI relative to the client's `baseUri` the address is
 * known, and noted, when an answer has come.
 *
 * The parent is the span that is current when the first attempt is sent; for a call of `start()` or `sendAll()` that is
 * the one of whoever waits then. A stream's span ends when its first byte is there. A call that ends without a hook (by
 * `cancel()`, or held back between two attempts) has its span ended when its Request is gone; a call that never sent
 * anything has none.
 *
 * Needs the package open-telemetry/api, 1.0 or newer.
 */
final class OpenTelemetry implements Listener
{
    private const SCOPE = 'retry-client/retry-client';
    private const SCHEMA = 'https://opentelemetry.io/schemas/1.30.0';

    private ?TracerInterface $tracer = null;

    /** @var \WeakMap<Request, list<TracedCall>> */
    private \WeakMap $calls;

    /**
     * @param TracerProviderInterface|null    $tracers    null: the one that is globally configured at the first call
     * @param TextMapPropagatorInterface|null $propagator null: the one that is globally configured
     *
     * @throws MissingRequirement
     */
    public function __construct(
        private readonly ?TracerProviderInterface $tracers = null,
        private readonly ?TextMapPropagatorInterface $propagator = null,
    ) {
        MissingRequirement::checkExtension(self::class);
        MissingRequirement::checkPackage(self::class, TracerProviderInterface::class, 'open-telemetry/api');
        $this->calls = new \WeakMap();
    }

    public function onAttempt(Request $request, int $number): array
    {
        $call = $number === 1 ? null : $this->find($request, static fn(TracedCall $call): bool => $call->waitsFor($number));
        $call ??= $this->begin($request);
        $more = $number > 1 ? ['http.request.resend_count' => $number - 1] : [];
        $attempt = $this->span($request, $call->context, SpanKind::KIND_CLIENT, $more);
        $call->begin($number, $attempt);

        $headers = [];
        ($this->propagator ?? Globals::propagator())->inject($headers, null, $attempt->storeInContext($call->context));
        return $headers;
    }

    public function onOutcome(Attempt $attempt, ?Response $response, Request $request): void
    {
        $call = $this->find($request, static fn(TracedCall $call): bool => $call->isSending($attempt->number));
        if ($call === null) {
            return;
        }
        $call->endAttempt($attempt, $response?->protocol, $response === null ? [] : self::location($response->uri));
        if (!in_array($attempt->reason, [Reason::RetryAfter, Reason::Backoff, Reason::Network], true)) {
            $this->end($call, $attempt, $request);
        }
    }

    public function onRetry(Attempt $failed, float $wait, Request $request): void
    {
        $this->find($request, static fn(TracedCall $call): bool => $call->hasSent($failed->number))?->waits($wait, $failed->reason);
    }

    public function onStopped(Attempt $last, Request $request): void
    {
        $call = $this->find($request, static fn(TracedCall $call): bool => $call->hasSent($last->number));
        if ($call !== null) {
            $this->end($call, $last, $request);
        }
    }

    private function begin(Request $request): TracedCall
    {
        $parent = Context::getCurrent();
        $call = new TracedCall($this->span($request, $parent, SpanKind::KIND_INTERNAL), $parent, self::location($request->uri) !== []);
        $this->calls[$request] = [...$this->calls[$request] ?? [], $call];
        return $call;
    }

    private function end(TracedCall $call, Attempt $last, Request $request): void
    {
        $call->end($last);
        $others = array_filter($this->calls[$request] ?? [], static fn(TracedCall $other): bool => $other !== $call);
        if ($others) {
            $this->calls[$request] = array_values($others);
        } else {
            unset($this->calls[$request]);
        }
    }

    /** @param callable(TracedCall): bool $is */
    private function find(Request $request, callable $is): ?TracedCall
    {
        foreach ($this->calls[$request] ?? [] as $call) {
            if ($is($call)) {
                return $call;
            }
        }
        return null;
    }

    /**
     * @param SpanKind::KIND_*                    $kind
     * @param array<non-empty-string, int|string> $more
     */
    private function span(Request $request, ContextInterface $parent, int $kind, array $more = []): SpanInterface
    {
        $this->tracer ??= ($this->tracers ?? Globals::tracerProvider())->getTracer(self::SCOPE, null, self::SCHEMA);
        $method = KnownMethod::of($request->method);
        $attributes = $method !== null
            ? ['http.request.method' => $method]
            : ['http.request.method' => '_OTHER', 'http.request.method_original' => $request->method];
        return $this->tracer->spanBuilder($method ?? 'HTTP')
            ->setParent($parent)
            ->setSpanKind($kind)
            ->setAttributes($attributes + self::location($request->uri) + $more)
            ->startSpan();
    }

    /** @return array<non-empty-string, int|string> empty for a relative URI */
    private static function location(string $uri): array
    {
        $shown = RedactedUri::of($uri);
        $parts = parse_url($shown);
        $scheme = strtolower($parts['scheme'] ?? '');
        if (!isset($parts['host']) || !in_array($scheme, ['http', 'https'], true)) {
            return [];
        }
        return [
            'url.full' => $shown,
            'server.address' => trim($parts['host'], '[]'),
            'server.port' => $parts['port'] ?? ($scheme === 'https' ? 443 : 80),
        ];
    }
}
