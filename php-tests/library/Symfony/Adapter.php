<?php

declare(strict_types=1);

namespace RetryClient\Tests\Symfony;

use RetryClient\Symfony\HttpClient;
use RetryClient\Tests\Catching;

require_once dirname(__DIR__, 2) . '/support.php';

/** What the tests of the Symfony adapter share. */
trait Adapter
{
    use Catching;

    /**
     * What a server says of its limits in one test does not hold back others.
     *
     * @param array<string, mixed> $defaults
     */
    private function http(array $defaults = [], mixed ...$options): HttpClient
    {
        return new HttpClient(new \RetryClient(...$options + ['baseDelay' => 0.01, 'jitter' => 0.0, 'limitKey' => $this->name('')]), $defaults);
    }

    /** @param list<array<string, mixed>>|array{steps: list<array<string, mixed>>, then: string} $steps */
    private function url(array $steps, string $on = 'http', string $name = ''): string
    {
        return script($this->name($name), $steps, $on);
    }

    /** @return list<array<string, mixed>> */
    private function log(int $atLeast = 0, string $name = ''): array
    {
        return received($this->name($name), $atLeast);
    }

    private function gate(): string
    {
        return script_name($this->name('gate'));
    }

    private function name(string $name): string
    {
        return 'symfony-' . preg_replace('/\W/', '-', $this->getName(false)) . ($name === '' ? '' : "-$name");
    }

    /** @return list<string> f, l, t or the content of a chunk */
    private static function kinds(iterable $stream): array
    {
        $kinds = [];
        foreach ($stream as $chunk) {
            $kinds[] = match (true) {
                $chunk->isTimeout() => 't',
                $chunk->isFirst() => 'f',
                $chunk->isLast() => 'l',
                default => $chunk->getContent(),
            };
        }
        return $kinds;
    }
}
