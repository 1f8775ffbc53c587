<?php

declare(strict_types=1);

namespace RetryClient\Symfony;

use RetryClient\ClientInterface;
use RetryClient\Internal\Refusal;
use RetryClient\Internal\Variants;
use Symfony\Component\HttpClient\Exception\InvalidArgumentException;

/**
 * The caller's client with the options that requests ask for, and the addresses they name for hosts. An `HttpClient`, its
 * copies and its responses share one.
 *
 * @internal
 */
final class Clients
{
    /** Symfony's names of options of `\RetryClient`. */
    private const NAMES = [
        'proxy' => 'proxy',
        'verify' => 'cafile',
        'cert' => 'local_cert',
        'key' => 'local_pk',
        'resolve' => 'resolve',
        'connectTimeout' => 'max_connect_duration',
    ];

    private readonly Variants $variants;

    /** @var array<string, string> host => IP address, for as long as there are responses */
    private array $addresses = [];

    private int $responses = 0;

    public function __construct(?ClientInterface $client)
    {
        $this->variants = new Variants($client);
    }

    /**
     * @param array<string, mixed> $own   of `\RetryClient` by name, as `extra.retry_client` has them
     * @param array<string, mixed> $named of `\RetryClient` by name, as Symfony's options ask for them
     *
     * @throws InvalidArgumentException one of them is wrong
     */
    public function with(#[\SensitiveParameter] array $own, #[\SensitiveParameter] array $named): ClientInterface
    {
        try {
            return $this->variants->with($own + $named);
        } catch (\Error $e) {
            $refusal = Refusal::of($e, Variants::class, 'with') ?? throw $e;
            $name = array_key_exists($refusal->name, $own) ? null : self::NAMES[$refusal->name] ?? null;
            throw new InvalidArgumentException(sprintf('Option "%s" %s.', $name ?? "extra.retry_client.$refusal->name", $refusal->rule), 0, $e);
        }
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
}
