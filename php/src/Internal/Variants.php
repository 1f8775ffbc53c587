<?php

declare(strict_types=1);

namespace RetryClient\Internal;

use RetryClient\ClientInterface;

/**
 * The caller's client with the options that requests ask for. Those last used are kept: to make one takes longer than to send
 * with it.
 *
 * @internal
 */
final class Variants
{
    private const KEPT = 16;

    private readonly ClientInterface $base;

    /** @var list<array{array<string, mixed>, ClientInterface}> */
    private array $known = [];

    public function __construct(?ClientInterface $client)
    {
        $this->base = self::base($client);
    }

    /** It hands back what was answered: redirects and statuses are another's to see to. */
    public static function base(?ClientInterface $client): ClientInterface
    {
        return ($client ?? new \RetryClient())->with(maxRedirects: 0, throwOnGiveUp: false, throwOnError: false);
    }

    /**
     * @param array<string, mixed> $options of `\RetryClient`, by name
     *
     * @throws \Error one of them is wrong, which `Refusal` understands
     */
    public function with(#[\SensitiveParameter] array $options): ClientInterface
    {
        if ($options === []) {
            return $this->base;
        }
        foreach ($this->known as [$others, $client]) {
            if ($others === $options) {
                return $client;
            }
        }
        $client = $this->base->with(...$options);
        if (count($this->known) === self::KEPT) {
            array_shift($this->known);
        }
        $this->known[] = [$options, $client];
        return $client;
    }

    /** @return array<string, mixed> without the options, which may have credentials */
    public function __debugInfo(): array
    {
        return ['base' => $this->base, 'known' => array_column($this->known, 1)];
    }
}
