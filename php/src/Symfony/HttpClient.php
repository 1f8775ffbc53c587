<?php

declare(strict_types=1);

namespace RetryClient\Symfony;

use RetryClient\ClientInterface;
use RetryClient\MissingRequirement;
use Symfony\Component\HttpClient\Exception\InvalidArgumentException;
use Symfony\Component\HttpClient\Exception\TransportException;
use Symfony\Component\HttpClient\HttpClientTrait;
use Symfony\Component\HttpClient\Response\ResponseStream;
use Symfony\Contracts\HttpClient\HttpClientInterface;
use Symfony\Contracts\HttpClient\ResponseInterface;
use Symfony\Contracts\HttpClient\ResponseStreamInterface;
use Symfony\Contracts\Service\ResetInterface;

MissingRequirement::checkPackage('RetryClient\Symfony\HttpClient', 'Symfony\Component\HttpClient\HttpClient', 'symfony/http-client');

/**
 * Symfony's HttpClient on a RetryClient, which waits and sends again as servers ask. What retries, and how long, is the
 * RetryClient's to say; the options are Symfony's:
 *
 *     $client = new HttpClient(new \RetryClient(maxAttempts: 8));
 *     $client->request('GET', 'https://api.example.com/', ['auth_bearer' => $token])->toArray();
 *
 * An option that is not given is the RetryClient's own. `extra: ['retry_client' => ['budget' => 30.0]]` changes options of
 * the RetryClient for one request. `timeout` counts silence while PHP waits, not the waits between attempts;
 * `max_duration` bounds all attempts, waits and redirects together.
 *
 * An option that cannot be kept is refused: `bindto`, `capath`, `ciphers`, `passphrase`, `peer_fingerprint`,
 * `capture_peer_cert_chain`.
 *
 * @phpstan-type Url array{scheme: string|null, authority: string|null, path: string|null, query: string|null, fragment: string|null}
 */
final class HttpClient implements HttpClientInterface, ResetInterface
{
    use HttpClientTrait;

    /** Why an option other than its default is refused. */
    private const REFUSED = [
        'bindto' => 'the system chooses the local address',
        'capath' => 'CA certificates are read from one file, which "cafile" names',
        'ciphers' => 'the TLS library chooses the cipher suites',
        'passphrase' => 'private keys are read unencrypted only',
        'peer_fingerprint' => 'certificates are checked against CA certificates only',
        'capture_peer_cert_chain' => 'certificates are not handed out',
        'crypto_method' => 'TLS 1.2 and newer are spoken',
    ];

    private const SUPPORTED = [
        'auth_basic', 'auth_bearer', 'query', 'headers', 'body', 'json', 'user_data', 'max_redirects', 'http_version',
        'base_uri', 'buffer', 'on_progress', 'resolve', 'proxy', 'no_proxy', 'timeout', 'max_duration',
        'max_connect_duration', 'verify_peer', 'verify_host', 'cafile', 'local_cert', 'local_pk', 'extra',
    ];

    /** What to use instead of options of a RetryClient that responses rely on. */
    private const RESERVED = [
        'maxRedirects' => 'use "max_redirects"',
        'throwOnGiveUp' => 'responses throw as Symfony\'s do',
        'throwOnError' => 'responses throw as Symfony\'s do',
    ];

    /** @var array<string, mixed> */
    private array $defaultOptions = self::OPTIONS_DEFAULTS;

    /** @var array<string, mixed> */
    private static array $emptyDefaults = self::OPTIONS_DEFAULTS;

    /** @var array<string, mixed> default options as given */
    private array $given;

    private readonly Clients $clients;

    /**
     * @param ClientInterface|null $client         null: `new \RetryClient()`
     * @param array<string, mixed> $defaultOptions of every request, see `HttpClientInterface::OPTIONS_DEFAULTS`
     *
     * @throws InvalidArgumentException an option is wrong or refused
     */
    public function __construct(?ClientInterface $client = null, #[\SensitiveParameter] array $defaultOptions = [])
    {
        MissingRequirement::checkExtension(self::class);
        $this->clients = new Clients($client);
        $this->given = $defaultOptions;
        if ($defaultOptions !== []) {
            [, $this->defaultOptions] = self::prepareRequest(null, null, $defaultOptions, $this->defaultOptions);
            self::refuse($this->defaultOptions);
        }
    }

    /**
     * Begins the request and returns at once.
     *
     * @param array<string, mixed> $options
     *
     * @throws InvalidArgumentException an argument or option is wrong, or refused; nothing has been sent
     * @throws TransportException       the body cannot be read
     */
    public function request(string $method, #[\SensitiveParameter] string $url, #[\SensitiveParameter] array $options = []): LazyResponse
    {
        $given = $options + $this->given;
        [$parsed, $options] = self::prepareRequest($method, $url, $options, $this->defaultOptions);
        self::refuse($options);
        $this->clients->remember(self::addresses($options['resolve']));
        $hops = new Hops(
            $this->clients,
            $method,
            $parsed,
            self::sentHeaders($method, $options, $given),
            self::sentBody($method, $options['body']),
            self::own($options),
            self::named($options, $given),
            $options['proxy'],
            $options['no_proxy'],
            $options['max_duration'],
        );

        return new LazyResponse($this->clients, $hops, $options);
    }

    /**
     * @param ResponseInterface|iterable<array-key, ResponseInterface> $responses of this and other clients of this class
     */
    public function stream($responses, ?float $timeout = null): ResponseStreamInterface
    {
        if ($responses instanceof LazyResponse) {
            $responses = [$responses];
        } elseif (!is_iterable($responses)) {
            throw new \TypeError(sprintf('%s(): Argument #1 ($responses) must be of type %s|iterable, %s given', __METHOD__, LazyResponse::class, get_debug_type($responses)));
        }

        return new ResponseStream(LazyResponse::stream($responses, $timeout));
    }

    /** @param array<string, mixed> $options */
    public function withOptions(#[\SensitiveParameter] array $options): static
    {
        $copy = clone $this;
        $copy->defaultOptions = self::mergeDefaultOptions($options, $this->defaultOptions);
        $copy->given = $options + $this->given;
        self::refuse($copy->defaultOptions);

        return $copy;
    }

    /** Forgets the addresses that the option `resolve` gave. */
    public function reset(): void
    {
        $this->clients->forget();
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['options' => array_keys($this->given)];
    }

    /**
     * Where a `Location` points to; null if nowhere.
     *
     * @param Url $from
     *
     * @return Url|null
     *
     * @internal
     */
    public static function target(#[\SensitiveParameter] string $location, #[\SensitiveParameter] array $from): ?array
    {
        try {
            return self::resolveUrl(self::parseUrl($location), $from);
        } catch (InvalidArgumentException) {
            return null;
        }
    }

    /** @param array<string, mixed> $options */
    private static function refuse(#[\SensitiveParameter] array $options): void
    {
        foreach (array_diff_key(self::OPTIONS_DEFAULTS, array_flip(self::SUPPORTED)) as $name => $default) {
            if (!in_array($options[$name] ?? null, [$default, null, false, '', []], true)) {
                throw new InvalidArgumentException(sprintf('Option "%s" is not supported by "%s": %s.', $name, self::class, self::REFUSED[$name] ?? 'it is unknown'));
            }
        }
    }

    /**
     * @param array<string, mixed> $options
     * @param array<string, mixed> $given
     *
     * @return array<string, list<string>>
     */
    private static function sentHeaders(string $method, #[\SensitiveParameter] array $options, #[\SensitiveParameter] array $given): array
    {
        $headers = [];
        foreach ($options['normalized_headers'] as $name => $lines) {
            $headers[$name] = array_map(static fn(string $line): string => substr($line, strlen((string) $name) + 2), $lines);
        }
        if ($headers['accept'] === ['*/*'] && !isset(self::normalizeHeaders($given['headers'] ?? [])['accept'])) {
            unset($headers['accept']);
        }
        $hasBody = $options['body'] !== '' || $method === 'POST' || isset($headers['content-length']);
        if ($hasBody) {
            $headers += ['content-type' => ['application/x-www-form-urlencoded']];
        }
        // Framing is the RetryClient's.
        unset($headers['content-length'], $headers['transfer-encoding'], $headers['expect']);

        return $headers;
    }

    /**
     * @param array<string, string|null> $addresses
     *
     * @return array<string, string|null>
     */
    private static function addresses(array $addresses): array
    {
        foreach ($addresses as $host => $address) {
            $isAddress = filter_var($address, FILTER_VALIDATE_IP) !== false;
            if ($isAddress && trim((string) $host, '[]') === $address) {
                unset($addresses[$host]);       // it is its own
            } elseif (str_contains((string) $host, ':') || ($address !== null && !$isAddress)) {
                throw new InvalidArgumentException(sprintf('Option "resolve" must map host names to IP addresses, "%s" to "%s" given.', $host, $address));
            }
        }

        return $addresses;
    }

    /**
     * What every attempt and hop can send: a string, or a file.
     *
     * @param string|resource|\Closure(int): string $body
     *
     * @return string|resource|null
     */
    private static function sentBody(string $method, #[\SensitiveParameter] mixed $body): mixed
    {
        if (is_resource($body)) {
            $about = stream_get_meta_data($body);
            if ($about['seekable'] && $about['wrapper_type'] === 'plainfile') {
                return $body;
            }
            $body = stream_get_contents($body);
            if ($body === false) {
                throw new TransportException('The stream in option "body" cannot be read.');
            }
        } elseif ($body instanceof \Closure) {
            $read = $body;
            $body = '';
            while ('' !== $data = $read(self::$CHUNK_SIZE)) {
                if (!is_string($data)) {
                    throw new TransportException(sprintf('Return value of the "body" option callback must be string, "%s" returned.', get_debug_type($data)));
                }
                $body .= $data;
            }
        }

        return $body === '' && $method !== 'POST' ? null : $body;
    }

    /**
     * @param array<string, mixed> $options
     *
     * @return array<string, mixed> options of `\RetryClient` by name that the request has for it
     */
    private static function own(#[\SensitiveParameter] array $options): array
    {
        $own = $options['extra']['retry_client'] ?? [];
        if (!is_array($own) || ($own !== [] && array_is_list($own))) {
            throw new InvalidArgumentException(sprintf('Option "extra.retry_client" must be an array of RetryClient options by name, "%s" given.', get_debug_type($own)));
        }
        foreach (array_intersect_key(self::RESERVED, $own) as $name => $reason) {
            throw new InvalidArgumentException(sprintf('Option "extra.retry_client.%s" is not supported by "%s": %s.', $name, self::class, $reason));
        }

        return $own;
    }

    /**
     * @param array<string, mixed> $options
     * @param array<string, mixed> $given
     *
     * @return array<string, mixed> options of `\RetryClient` by name that Symfony's options ask for
     */
    private static function named(#[\SensitiveParameter] array $options, #[\SensitiveParameter] array $given): array
    {
        $named = [];
        if ($options['normalized_headers']['accept-encoding'] ?? []) {
            $named['decode'] = false;
        }
        if ($options['http_version'] !== null) {
            $named['httpVersion'] = match ((float) $options['http_version']) {
                1.0 => '1.0',
                1.1 => '1.1',
                2.0 => null,
                default => throw new InvalidArgumentException(sprintf('Option "http_version" must be 1.0, 1.1 or 2.0, "%s" given.', $options['http_version'])),
            };
        }
        if (!$options['verify_peer']) {
            $named['verify'] = false;
        } elseif (!$options['verify_host']) {
            throw new InvalidArgumentException('Option "verify_host" cannot be false while "verify_peer" is true: host names are checked with the certificate.');
        } elseif ($options['cafile'] !== null) {
            $named['verify'] = (string) $options['cafile'];
        } elseif (isset($given['verify_peer'])) {
            $named['verify'] = true;
        }
        if ($options['local_cert'] !== null) {
            $named['cert'] = (string) $options['local_cert'];
        }
        if ($options['local_pk'] !== null) {
            $named['key'] = (string) $options['local_pk'];
        }
        if (($options['max_connect_duration'] ?? 0) > 0) {
            $named['connectTimeout'] = (float) $options['max_connect_duration'];
        }

        return $named;
    }
}
