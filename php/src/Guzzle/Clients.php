<?php

declare(strict_types=1);

namespace RetryClient\Guzzle;

use GuzzleHttp\Exception\InvalidArgumentException;
use RetryClient\ClientInterface;

/**
 * The client by what requests want of it. Those last used are kept: to make one takes longer than to send with it.
 *
 * @internal
 */
final class Clients
{
    private const KEPT = 8;

    /** What Guzzle calls it that the client calls otherwise, and what is the same to both. */
    private const NAMES = [
        'timeout' => 'timeout',
        'connectTimeout' => 'connect_timeout',
        'idleTimeout' => 'read_timeout',
        'decode' => 'decode_content',
        'verify' => 'verify',
        'cert' => 'cert',
        'key' => 'ssl_key',
        'proxy' => 'proxy',
        'httpVersion' => 'version',
    ];

    private readonly ClientInterface $client;

    /** @var list<array{array<string, mixed>, ClientInterface}> */
    private array $known = [];

    public function __construct(ClientInterface $client)
    {
        // What follows a redirect and throws for a status is Guzzle's middleware.
        $this->client = $client->with(maxRedirects: 0, throwOnGiveUp: false, throwOnError: false);
    }

    /**
     * @param array<string, mixed> $options RetryClient's
     *
     * @throws InvalidArgumentException one of them is wrong
     */
    public function with(#[\SensitiveParameter] array $options): ClientInterface
    {
        if (!$options) {
            return $this->client;
        }
        foreach ($this->known as [$others, $client]) {
            if ($others === $options) {
                return $client;
            }
        }
        try {
            $client = $this->client->with(...$options);
        } catch (\Error $e) {
            throw self::refused($e) ?? $e;
        }
        if (count($this->known) === self::KEPT) {
            array_shift($this->known);
        }
        $this->known[] = [$options, $client];
        return $client;
    }

    /** @return array<string, mixed> without the options, which may have credentials */
    public function __debugInfo(): array
    {
        return ['client' => $this->client, 'known' => array_column($this->known, 1)];
    }

    /** The extension's words with the name that Guzzle has for it. */
    private static function refused(\Error $e): ?InvalidArgumentException
    {
        if (preg_match('/^[\w\\\\]+::__construct\(\): Argument #\d+ \(\$(\w+)\) (.+)$/s', $e->getMessage(), $found)) {
            $name = self::NAMES[$found[1]] ?? "retry_client' => '$found[1]";
            return new InvalidArgumentException("The option '$name' $found[2]", 0, $e);
        }
        if (preg_match('/^Unknown named parameter \$(.+)$/s', $e->getMessage(), $found)) {
            return new InvalidArgumentException("The option 'retry_client' has no '$found[1]'", 0, $e);
        }
        return null;
    }
}
