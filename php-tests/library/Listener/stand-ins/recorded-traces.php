<?php

/** A tracer provider and a propagator that keep what they are told. */

declare(strict_types=1);

namespace RetryClient\Tests\Listener;

use OpenTelemetry\API\Trace\SpanBuilderInterface;
use OpenTelemetry\API\Trace\SpanContextInterface;
use OpenTelemetry\API\Trace\SpanInterface;
use OpenTelemetry\API\Trace\StatusCode;
use OpenTelemetry\API\Trace\TracerInterface;
use OpenTelemetry\API\Trace\TracerProviderInterface;
use OpenTelemetry\Context\Context;
use OpenTelemetry\Context\ContextInterface;
use OpenTelemetry\Context\ContextKeyInterface;
use OpenTelemetry\Context\Propagation\PropagationGetterInterface;
use OpenTelemetry\Context\Propagation\PropagationSetterInterface;
use OpenTelemetry\Context\Propagation\TextMapPropagatorInterface;
use OpenTelemetry\Context\ScopeInterface;

final class RecordedSpan implements SpanInterface
{
    private static ?ContextKeyInterface $key = null;
    public string $status = StatusCode::STATUS_UNSET;
    public ?string $description = null;
    /** @var list<array{string, array<string, mixed>}> */
    public array $events = [];
    public int $ended = 0;

    /** @param array<string, mixed> $attributes */
    public function __construct(
        public readonly int $id,
        public readonly string $name,
        public readonly int $kind,
        public readonly ?self $parent,
        public array $attributes,
    ) {}

    public static function of(ContextInterface $context): ?self
    {
        return $context->get(self::key());
    }

    private static function key(): ContextKeyInterface
    {
        return self::$key ??= Context::createKey('span');
    }

    public static function fromContext(ContextInterface $context): SpanInterface
    {
        return self::of($context) ?? self::getInvalid();
    }

    public static function getCurrent(): SpanInterface
    {
        return self::fromContext(Context::getCurrent());
    }

    public static function getInvalid(): SpanInterface
    {
        throw new \LogicException('not asked for');
    }

    public static function wrap(SpanContextInterface $spanContext): SpanInterface
    {
        throw new \LogicException('not asked for');
    }

    public function getContext(): SpanContextInterface
    {
        throw new \LogicException('not asked for');
    }

    public function isRecording(): bool
    {
        return $this->ended === 0;
    }

    public function activate(): ScopeInterface
    {
        return $this->storeInContext(Context::getCurrent())->activate();
    }

    public function storeInContext(ContextInterface $context): ContextInterface
    {
        return $context->with(self::key(), $this);
    }

    public function setAttribute(string $key, $value): SpanInterface
    {
        return $this->setAttributes([$key => $value]);
    }

    public function setAttributes(iterable $attributes): SpanInterface
    {
        $this->mustBeOpen();
        foreach ($attributes as $key => $value) {
            $this->attributes[$key] = $value;
        }
        return $this;
    }

    public function addEvent(string $name, iterable $attributes = [], ?int $timestamp = null): SpanInterface
    {
        $this->mustBeOpen();
        $this->events[] = [$name, [...$attributes]];
        return $this;
    }

    public function recordException(\Throwable $exception, iterable $attributes = []): SpanInterface
    {
        throw new \LogicException('not asked for');
    }

    public function updateName(string $name): SpanInterface
    {
        throw new \LogicException('not asked for');
    }

    public function setStatus(string $code, ?string $description = null): SpanInterface
    {
        $this->mustBeOpen();
        [$this->status, $this->description] = [$code, $description];
        return $this;
    }

    public function end(?int $endEpochNanos = null): void
    {
        $this->ended++;
    }

    private function mustBeOpen(): void
    {
        if ($this->ended > 0) {
            throw new \LogicException("the span $this->name has ended");
        }
    }
}

final class RecordedTraces implements TracerProviderInterface, TracerInterface
{
    /** @var list<RecordedSpan> in order of their start */
    public array $spans = [];
    /** @var array{string, string|null, string|null}|null */
    public ?array $scope = null;

    public function getTracer(string $name, ?string $version = null, ?string $schemaUrl = null, iterable $attributes = []): TracerInterface
    {
        $this->scope = [$name, $version, $schemaUrl];
        return $this;
    }

    public function spanBuilder(string $spanName): SpanBuilderInterface
    {
        return new RecordedSpanBuilder($this, $spanName);
    }

    /** @return list<RecordedSpan> */
    public function below(?RecordedSpan $parent): array
    {
        return array_values(array_filter($this->spans, static fn(RecordedSpan $span): bool => $span->parent === $parent));
    }
}

final class RecordedSpanBuilder implements SpanBuilderInterface
{
    private int $kind = 0;
    private ?RecordedSpan $parent = null;
    /** @var array<string, mixed> */
    private array $attributes = [];

    public function __construct(private readonly RecordedTraces $traces, private readonly string $name) {}

    public function setParent(ContextInterface|false|null $context): SpanBuilderInterface
    {
        $this->parent = $context === false ? null : RecordedSpan::of($context ?? Context::getCurrent());
        return $this;
    }

    public function addLink(SpanContextInterface $context, iterable $attributes = []): SpanBuilderInterface
    {
        throw new \LogicException('not asked for');
    }

    public function setAttribute(string $key, mixed $value): SpanBuilderInterface
    {
        return $this->setAttributes([$key => $value]);
    }

    public function setAttributes(iterable $attributes): SpanBuilderInterface
    {
        foreach ($attributes as $key => $value) {
            $this->attributes[$key] = $value;
        }
        return $this;
    }

    public function setStartTimestamp(int $timestampNanos): SpanBuilderInterface
    {
        throw new \LogicException('not asked for');
    }

    public function setSpanKind(int $spanKind): SpanBuilderInterface
    {
        $this->kind = $spanKind;
        return $this;
    }

    public function startSpan(): SpanInterface
    {
        return $this->traces->spans[] = new RecordedSpan(count($this->traces->spans) + 1, $this->name, $this->kind, $this->parent, $this->attributes);
    }
}

/** `traceparent` with the number of the span, as a trace context propagator fills an array. */
final class RecordedPropagator implements TextMapPropagatorInterface
{
    public static function traceparent(RecordedSpan $span): string
    {
        return sprintf('00-%032x-%016x-01', 1, $span->id);
    }

    public function fields(): array
    {
        return ['traceparent', 'tracestate'];
    }

    public function inject(mixed &$carrier, ?PropagationSetterInterface $setter = null, ?ContextInterface $context = null): void
    {
        $span = RecordedSpan::of($context ?? Context::getCurrent());
        if ($span !== null) {
            $carrier['traceparent'] = self::traceparent($span);
            $carrier['tracestate'] = 'vendor=1';
        }
    }

    public function extract($carrier, ?PropagationGetterInterface $getter = null, ?ContextInterface $context = null): ContextInterface
    {
        throw new \LogicException('not asked for');
    }
}
