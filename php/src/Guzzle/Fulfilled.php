<?php

declare(strict_types=1);

namespace RetryClient\Guzzle;

use GuzzleHttp\Promise\Create;
use GuzzleHttp\Promise\PromiseInterface;
use GuzzleHttp\Promise\RejectedPromise;
use GuzzleHttp\Promise\Utils;

/**
 * The promise of a synchronous request. Whoever asked waits already, so what comes next is done at once, and not by way of
 * Guzzle's queue, which would take as long as much else that the handler does.
 *
 * @internal
 */
final class Fulfilled implements PromiseInterface
{
    public function __construct(private readonly mixed $value) {}

    public function then(?callable $onFulfilled = null, ?callable $onRejected = null): PromiseInterface
    {
        if ($onFulfilled === null) {
            return $this;
        }
        try {
            $value = $onFulfilled($this->value);
        } catch (\Throwable $e) {
            return new RejectedPromise($e);
        }
        return is_object($value) && method_exists($value, 'then') ? Create::promiseFor($value) : new self($value);
    }

    public function otherwise(callable $onRejected): PromiseInterface
    {
        return $this;
    }

    /** @param bool $unwrap */
    public function wait($unwrap = true): mixed
    {
        Utils::queue()->run();      // of others, as each wait does
        return $unwrap ? $this->value : null;
    }

    public function getState(): string
    {
        return self::FULFILLED;
    }

    /** @param mixed $value */
    public function resolve($value): void
    {
        if ($value !== $this->value) {
            throw new \LogicException('A fulfilled promise cannot be resolved');
        }
    }

    /** @param mixed $reason */
    public function reject($reason): void
    {
        throw new \LogicException('A fulfilled promise cannot be rejected');
    }

    public function cancel(): void {}
}
