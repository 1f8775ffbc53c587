<?php

declare(strict_types=1);

namespace RetryClient\Guzzle;

use GuzzleHttp\Exception\InvalidArgumentException;
use GuzzleHttp\Psr7\LazyOpenStream;
use GuzzleHttp\Psr7\Utils as Psr7;
use GuzzleHttp\Utils;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\StreamInterface;
use RetryClient\Internal\Refusal;
use RetryClient\Internal\Variants;

/**
 * What Guzzle's options say of one request. Those that middlewares and Guzzle's Client have done by then, and those of others,
 * are left alone.
 *
 * @internal
 */
final class Settings
{
    /** Seconds: what no request lasts. */
    private const ENDLESS = 1e9;

    /** What these do is Guzzle's middlewares' to do. */
    private const GUZZLES = [
        'maxRedirects' => "Guzzle's 'allow_redirects' follows redirects",
        'throwOnError' => "Guzzle's 'http_errors' throws for a status",
        'throwOnGiveUp' => "Guzzle's 'http_errors' throws for a status",
    ];

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

    /** @var array<string, mixed> RetryClient's options where they are not the client's own */
    public readonly array $client;

    /** @var list<string> those of them that were given by RetryClient's names */
    private readonly array $own;

    /** Seconds. */
    public readonly float $delay;
    public readonly bool $stream;
    public readonly bool $decode;
    /** @var string|resource|StreamInterface|null */
    public readonly mixed $sink;
    /** Something is to be done while the answer arrives. */
    public readonly bool $isWatched;
    public readonly ?\Closure $onHeaders;
    public readonly ?\Closure $onStats;
    public readonly ?\Closure $progress;
    /** @var resource|null where to say what happens */
    public readonly mixed $debug;
    public readonly ?string $limitKey;
    public readonly ?float $cost;

    /**
     * @param array<string, mixed> $options
     *
     * @throws \InvalidArgumentException
     * @throws \RuntimeException the sink's directory does not exist
     */
    public function __construct(RequestInterface $request, #[\SensitiveParameter] array $options)
    {
        self::refuse($options);
        $this->stream = !empty($options['stream']);
        $this->decode = !empty($options['decode_content']);
        $this->delay = isset($options['delay']) ? self::number($options, 'delay') / 1000 : 0.0;
        $this->onHeaders = isset($options['on_headers']) ? self::callback($options['on_headers'], 'on_headers must be callable') : null;
        $this->onStats = isset($options['on_stats']) ? self::callback($options['on_stats'], 'on_stats must be callable') : null;
        $this->progress = isset($options['progress']) ? self::callback($options['progress'], 'progress client option must be callable') : null;
        $this->debug = empty($options['debug']) ? null : Utils::debugResource($options['debug']);

        $own = $options['retry_client'] ?? [];
        if ($own) {
            $own = self::own($own);
        }
        $this->limitKey = $own['limitKey'] ?? null;
        $this->cost = $own['cost'] ?? null;
        unset($own['limitKey'], $own['cost']);
        $this->sink = isset($options['sink']) && !$this->stream ? self::sink($options['sink']) : null;
        $this->isWatched = $this->onHeaders !== null || $this->progress !== null;
        if ($this->sink !== null && $this->isWatched) {
            $own += ['maxBodySize' => \PHP_INT_MAX];      // it is written on as it arrives
        }
        // Guzzle's redirects know nothing of the client's own headers, which are not another origin's to see.
        $hop = empty($options['__redirect_count']) ? [] : ['headers' => []];
        $this->client = $hop + $own + self::transport($request, $options, $this->stream);
        $this->own = array_keys($own);
    }

    /** What an option of the client is refused with, by the name that it was given by. */
    public function refused(\Error $e): \Throwable
    {
        $refusal = Refusal::of($e, Variants::class, 'with');
        if ($refusal === null) {
            return $e;
        }
        $name = in_array($refusal->name, $this->own, true) ? null : self::NAMES[$refusal->name] ?? null;
        return new InvalidArgumentException(sprintf("The option '%s' %s", $name ?? "retry_client' => '$refusal->name", $refusal->rule), 0, $e);
    }

    /** @return array<string, mixed> the client's options by their names only, since they may have credentials */
    public function __debugInfo(): array
    {
        return ['client' => array_keys($this->client), 'limitKey' => $this->limitKey === null ? null : '[redacted]'] + get_object_vars($this);
    }

    /** @param array<string, mixed> $options */
    private static function refuse(array $options): void
    {
        if (isset($options['force_ip_resolve'])) {
            throw self::unsupported('force_ip_resolve', 'addresses of both families are tried');
        }
        if (!empty($options['curl'])) {
            self::refuseCurl((array) $options['curl']);
        }
        if (!empty($options['stream_context'])) {
            throw self::unsupported('stream_context', 'no stream of PHP is opened');
        }
        if (isset($options['crypto_method'])) {
            self::refuseTls('crypto_method', $options['crypto_method'], [
                \STREAM_CRYPTO_METHOD_TLS_CLIENT,
                \STREAM_CRYPTO_METHOD_TLSv1_0_CLIENT,
                \STREAM_CRYPTO_METHOD_TLSv1_1_CLIENT,
                \STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT,
            ]);
        }
        if (isset($options['crypto_method_max'])) {
            self::refuseTls('crypto_method_max', $options['crypto_method_max'], [\STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT]);
        }
    }

    /** @param array<array-key, mixed> $curl */
    private static function refuseCurl(array $curl): void
    {
        $constants = get_defined_constants(true)['curl'] ?? [];
        $names = [];
        foreach ($curl as $option => $_) {
            $found = array_filter(array_keys($constants, $option, true), static fn(string $name): bool => str_starts_with($name, 'CURLOPT_'));
            $names[] = reset($found) ?: (string) $option;
        }
        $digest = defined('CURLOPT_HTTPAUTH') && isset($curl[\CURLOPT_HTTPAUTH]) ? "; of 'auth', digest and ntlm need it" : '';
        throw self::unsupported('curl', implode(', ', $names) . ' cannot be set, since nothing is sent with cURL' . $digest);
    }

    /** @param list<int> $met what TLS 1.2 and 1.3 satisfy */
    private static function refuseTls(string $option, mixed $method, array $met): void
    {
        if (!in_array($method, $met, true)) {
            throw self::unsupported($option, 'TLS 1.2 and 1.3 are used, whichever of them the server prefers');
        }
    }

    /**
     * @param array<string, mixed> $options
     *
     * @return array<string, mixed>
     */
    private static function transport(RequestInterface $request, #[\SensitiveParameter] array $options, bool $stream): array
    {
        $client = [];
        if (isset($options['decode_content']) && !$options['decode_content']) {
            $client['decode'] = false;
        }
        if (isset($options['timeout'])) {
            $client['timeout'] = self::number($options, 'timeout') ?: self::ENDLESS;
        }
        if (isset($options['connect_timeout']) && $seconds = self::number($options, 'connect_timeout')) {
            $client['connectTimeout'] = $seconds;
        }
        if ($stream && isset($options['read_timeout'])) {
            $client['idleTimeout'] = self::number($options, 'read_timeout') ?: self::ENDLESS;
        }
        if (isset($options['verify']) && $options['verify'] !== true) {
            $client['verify'] = self::verify($options['verify']);
        }
        if (isset($options['cert'])) {
            $client['cert'] = self::file($options['cert'], 'cert', 'SSL certificate');
        }
        if (isset($options['ssl_key'])) {
            $client['key'] = self::file($options['ssl_key'], 'ssl_key', 'SSL private key');
        }
        if (isset($options['proxy']) && ($proxy = self::proxy($request, $options['proxy'])) !== null) {
            $client['proxy'] = $proxy;
        }
        // Guzzle hands on what it was given, be it a number.
        if ((float) $request->getProtocolVersion() === 1.0) {
            $client['httpVersion'] = '1.0';
        }
        return $client;
    }

    private static function verify(mixed $verify): string|false
    {
        if ($verify === false) {
            return false;
        }
        if (!is_string($verify)) {
            throw new InvalidArgumentException('Invalid verify request option');
        }
        if (is_dir($verify)) {
            throw self::unsupported('verify', 'it takes a file with all certificates, not a directory of them');
        }
        return is_file($verify) ? $verify : throw new InvalidArgumentException("SSL CA bundle not found: $verify");
    }

    private static function file(#[\SensitiveParameter] mixed $file, string $option, string $what): string
    {
        [$path, $password] = is_array($file) ? [$file[0] ?? null, $file[1] ?? ''] : [$file, ''];
        if ($password !== '') {
            throw self::unsupported($option, 'it takes a PEM file without a password');
        }
        if (!is_string($path)) {
            throw new InvalidArgumentException("The option '$option' must be the path of a PEM file");
        }
        return is_file($path) ? $path : throw new InvalidArgumentException("$what not found: $path");
    }

    /** @return string|null null: as the client does without this option; '': none */
    private static function proxy(RequestInterface $request, #[\SensitiveParameter] mixed $proxy): ?string
    {
        if (is_array($proxy)) {
            $uri = $request->getUri();
            $no = $proxy['no'] ?? [];
            if (is_string($no)) {
                $no = preg_split('/[\s,]+/', $no, -1, \PREG_SPLIT_NO_EMPTY);     // as the variable no_proxy is written
            }
            if ($no && $uri->getHost() !== '' && Utils::isHostInNoProxy($uri->getHost(), (array) $no)) {
                return '';
            }
            $proxy = $proxy[$uri->getScheme()] ?? null;
            if ($proxy === null) {
                return null;
            }
        }
        if ($proxy === false) {
            return '';
        }
        return is_string($proxy) ? $proxy : throw new InvalidArgumentException("The option 'proxy' must be a string or an array of strings");
    }

    /**
     * @return string|resource|StreamInterface a string is the path of a file
     *
     * @throws \RuntimeException
     */
    private static function sink(mixed $sink): mixed
    {
        if (is_resource($sink) || $sink instanceof StreamInterface) {
            return $sink;
        }
        if (!is_string($sink)) {
            return Psr7::streamFor($sink);
        }
        if (!is_dir(dirname($sink))) {
            throw new \RuntimeException(sprintf('Directory %s does not exist for sink value of %s', dirname($sink), $sink));
        }
        // What is no file of this system's, and what is one but a device or pipe, is written to where it is.
        return str_contains($sink, '://') || (file_exists($sink) && !is_file($sink)) ? new LazyOpenStream($sink, 'w+') : $sink;
    }

    /** @return array<string, mixed> */
    private static function own(#[\SensitiveParameter] mixed $own): array
    {
        if (!is_array($own) || array_is_list($own)) {
            throw new InvalidArgumentException("The option 'retry_client' must be an array of RetryClient's options by name");
        }
        foreach (array_intersect_key(self::GUZZLES, $own) as $name => $reason) {
            throw new InvalidArgumentException("The option 'retry_client' cannot have '$name': $reason");
        }
        if (isset($own['limitKey']) && !is_string($own['limitKey'])) {
            throw new InvalidArgumentException("The option 'retry_client' => 'limitKey' must be a string");
        }
        if (isset($own['cost'])) {
            $own['cost'] = self::number($own, 'cost');
        }
        return $own;
    }

    /** @param array<string, mixed> $options */
    private static function number(array $options, string $name): float
    {
        $value = $options[$name];
        if (!is_numeric($value) || $value < 0) {
            throw new InvalidArgumentException("The option '$name' must be a number of at least 0");
        }
        return (float) $value;
    }

    private static function callback(mixed $callback, string $otherwise): \Closure
    {
        return is_callable($callback) ? $callback(...) : throw new InvalidArgumentException($otherwise);
    }

    private static function unsupported(string $option, string $reason): InvalidArgumentException
    {
        return new InvalidArgumentException("The option '$option' is not supported by " . Handler::class . ": $reason");
    }
}
