<?php

/**
 * The part of open-telemetry/api 1.x that the listener calls, by names and signatures, without what is behind them:
 * Debian has no package of it.
 */

declare(strict_types=1);

namespace OpenTelemetry\Context {
    interface ScopeInterface
    {
        public function detach(): int;
    }

    interface ContextKeyInterface
    {
    }

    interface ImplicitContextKeyedInterface
    {
        public function activate(): ScopeInterface;

        public function storeInContext(ContextInterface $context): ContextInterface;
    }

    interface ContextInterface
    {
        public static function createKey(string $key): ContextKeyInterface;

        public static function getCurrent(): ContextInterface;

        public function activate(): ScopeInterface;

        public function with(ContextKeyInterface $key, $value): ContextInterface;

        public function withContextValue(ImplicitContextKeyedInterface $value): ContextInterface;

        public function get(ContextKeyInterface $key);
    }

    final class Context implements ContextInterface
    {
        private static ?self $current = null;

        /** @var \SplObjectStorage<ContextKeyInterface, mixed> */
        private \SplObjectStorage $values;

        private function __construct()
        {
            $this->values = new \SplObjectStorage();
        }

        public static function createKey(string $key): ContextKeyInterface
        {
            return new class implements ContextKeyInterface {};
        }

        public static function getCurrent(): ContextInterface
        {
            return self::$current ??= new self();
        }

        public function activate(): ScopeInterface
        {
            $before = self::getCurrent();
            self::$current = $this;
            return new class (static fn() => self::$current = $before) implements ScopeInterface {
                public function __construct(private readonly \Closure $restore) {}

                public function detach(): int
                {
                    ($this->restore)();
                    return 0;
                }
            };
        }

        public function with(ContextKeyInterface $key, $value): ContextInterface
        {
            $context = new self();
            $context->values->addAll($this->values);
            $context->values[$key] = $value;
            return $context;
        }

        public function withContextValue(ImplicitContextKeyedInterface $value): ContextInterface
        {
            return $value->storeInContext($this);
        }

        public function get(ContextKeyInterface $key)
        {
            return isset($this->values[$key]) ? $this->values[$key] : null;
        }
    }
}

namespace OpenTelemetry\Context\Propagation {
    use OpenTelemetry\Context\ContextInterface;

    interface PropagationGetterInterface
    {
    }

    interface PropagationSetterInterface
    {
        public function set(&$carrier, string $key, string $value): void;
    }

    interface TextMapPropagatorInterface
    {
        public function fields(): array;

        public function inject(mixed &$carrier, ?PropagationSetterInterface $setter = null, ?ContextInterface $context = null): void;

        public function extract($carrier, ?PropagationGetterInterface $getter = null, ?ContextInterface $context = null): ContextInterface;
    }
}

namespace OpenTelemetry\API\Trace {
    use OpenTelemetry\Context\ContextInterface;
    use OpenTelemetry\Context\ImplicitContextKeyedInterface;

    interface SpanKind
    {
        public const KIND_INTERNAL = 0;
        public const KIND_CLIENT = 1;
    }

    interface StatusCode
    {
        public const STATUS_UNSET = 'Unset';
        public const STATUS_OK = 'Ok';
        public const STATUS_ERROR = 'Error';
    }

    interface SpanContextInterface
    {
    }

    interface SpanInterface extends ImplicitContextKeyedInterface
    {
        public static function fromContext(ContextInterface $context): SpanInterface;

        public static function getCurrent(): SpanInterface;

        public static function getInvalid(): SpanInterface;

        public static function wrap(SpanContextInterface $spanContext): SpanInterface;

        public function getContext(): SpanContextInterface;

        public function isRecording(): bool;

        public function setAttribute(string $key, $value): SpanInterface;

        public function setAttributes(iterable $attributes): SpanInterface;

        public function addEvent(string $name, iterable $attributes = [], ?int $timestamp = null): SpanInterface;

        public function recordException(\Throwable $exception, iterable $attributes = []): SpanInterface;

        public function updateName(string $name): SpanInterface;

        public function setStatus(string $code, ?string $description = null): SpanInterface;

        public function end(?int $endEpochNanos = null): void;
    }

    interface SpanBuilderInterface
    {
        public function setParent(ContextInterface|false|null $context): SpanBuilderInterface;

        public function addLink(SpanContextInterface $context, iterable $attributes = []): SpanBuilderInterface;

        public function setAttribute(string $key, mixed $value): SpanBuilderInterface;

        public function setAttributes(iterable $attributes): SpanBuilderInterface;

        public function setStartTimestamp(int $timestampNanos): SpanBuilderInterface;

        public function setSpanKind(int $spanKind): SpanBuilderInterface;

        public function startSpan(): SpanInterface;
    }

    interface TracerInterface
    {
        public function spanBuilder(string $spanName): SpanBuilderInterface;
    }

    interface TracerProviderInterface
    {
        public function getTracer(string $name, ?string $version = null, ?string $schemaUrl = null, iterable $attributes = []): TracerInterface;
    }
}

namespace OpenTelemetry\API {
    use OpenTelemetry\API\Trace\TracerProviderInterface;
    use OpenTelemetry\Context\Propagation\TextMapPropagatorInterface;

    final class Globals
    {
        public static ?TracerProviderInterface $tracers = null;
        public static ?TextMapPropagatorInterface $propagator = null;

        public static function tracerProvider(): TracerProviderInterface
        {
            return self::$tracers ?? throw new \LogicException('no tracer provider was set');
        }

        public static function propagator(): TextMapPropagatorInterface
        {
            return self::$propagator ?? throw new \LogicException('no propagator was set');
        }
    }
}
