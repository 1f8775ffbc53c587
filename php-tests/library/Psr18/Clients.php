<?php

declare(strict_types=1);

namespace RetryClient\Tests\Psr18;

use Psr\Http\Message\ResponseFactoryInterface;
use RetryClient\Psr18\Client;
use RetryClient\Tests\Catching;

require_once dirname(__DIR__, 2) . '/support.php';

/** What these tests send with, and to: names are those of the server's scripts. */
trait Clients
{
    use Catching { caught as private thrown; }

    /** A client that gives up soon, and that nothing which others learn about the server's limits slows. */
    private function retryClient(mixed ...$options): \RetryClient
    {
        return new \RetryClient(...$options + [
            'maxAttempts' => 2,
            'baseDelay' => 0.001,
            'jitter' => 0.0,
            'share' => false,
            'limitKey' => $this->name('key'),
        ]);
    }

    private function client(?ResponseFactoryInterface $factory = null, mixed ...$options): Client
    {
        return new Client($this->retryClient(...$options), $factory);
    }

    /** @param list<array<string, mixed>> $steps */
    private function url(array $steps, string $on = 'http'): string
    {
        return script($this->name(), $steps, $on);
    }

    /** @return list<array<string, mixed>> */
    private function received(int $atLeast = 0): array
    {
        return received($this->name(), $atLeast);
    }

    private function name(string $suffix = ''): string
    {
        return substr(strrchr(self::class, '\\'), 1) . '.' . $this->getName(false) . '.' . substr(md5($this->getName()), 0, 8) . $suffix;
    }
}
