<?php

declare(strict_types=1);

namespace RetryClient\Symfony;

use RetryClient\ClientInterface;
use Symfony\Component\HttpClient\Exception\InvalidArgumentException;

/**
 * The caller's client with the options that requests ask for, and the addresses they name for hosts. An `HttpClient`, its
 * copies and its responses share one.
 *
 * @internal
 */
final class Clients
{
    private const MOST_KNOWN = 32;

    private readonly ClientInterface $base;

    /** @var array<string, ClientInterface> */
    private array $known = [];

    /** @var array<string, string> host => IP address, for as long as there are responses */
    private array $addresses = [];

    private int $responses = 0;

    public function __construct(ClientInterface $client)
    {
        $this->base = $client->with(maxRedirects: 0, throwOnGiveUp: false, throwOnError: false);
    }

    /**
     * @param array<string, mixed> $options of `\RetryClient`, by name
     *
     * @throws InvalidArgumentException one of them is wrong
     */
    public function with(#[\SensitiveParameter] array $options): ClientInterface
    {
        if ($options === []) {
            return $this->base;
        }
        $key = self::isPlain($options) ? serialize($options) : null;
        if ($key !== null && isset($this->known[$key])) {
            return $this->known[$key];
        }
        try {
            $client = $this->base->with(...$options);
        } catch (\Error $e) {
            throw new InvalidArgumentException($e->getMessage(), 0, $e);
        }
        if ($key !== null) {
            if (count($this->known) === self::MOST_KNOWN) {
                $this->known = [];
            }
            $this->known[$key] = $client;
        }
        return $client;
    }

    /**
     * Remembers what a request says of hosts.
     *
     * @param array<string, string|null> $addresses null: asks DNS again
     */
    public function remember(array $addresses): void
    {
        $this->addresses = array_filter($addresses + $this->addresses, is_string(...));
    }

    public function address(string $host): ?string
    {
        return $this->addresses[$host] ?? null;
    }

    public function forget(): void
    {
        $this->addresses = [];
    }

    public function begin(): void
    {
        $this->responses++;
    }

    public function end(): void
    {
        if (--$this->responses === 0) {
            $this->forget();
        }
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        // The options that clients are kept under may have credentials.
        return ['known' => count($this->known), 'addresses' => $this->addresses, 'responses' => $this->responses];
    }

    /** @param array<mixed> $options */
    private static function isPlain(#[\SensitiveParameter] array $options): bool
    {
        foreach ($options as $value) {
            if (is_array($value) ? !self::isPlain($value) : !is_scalar($value) && $value !== null) {
                return false;
            }
        }
        return true;
    }
}
