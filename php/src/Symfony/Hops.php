<?php

declare(strict_types=1);

namespace RetryClient\Symfony;

use RetryClient\Internal\Refusal;
use RetryClient\Pending;
use RetryClient\Request;
use Symfony\Component\HttpClient\Exception\InvalidArgumentException;
use Symfony\Component\HttpClient\Exception\TransportException;

/**
 * What is sent for one response: the request, and after each redirect the next one, with what cURL would keep of it.
 *
 * @phpstan-import-type Url from HttpClient
 *
 * @internal
 */
final class Hops
{
    private const CONTENT = ['content-length', 'content-type', 'transfer-encoding'];

    public readonly float $startedAt;

    private readonly string $origin;

    /** Seconds for all hops; null: no limit of the request's own. */
    private readonly ?float $duration;

    /** Where a body that is a stream begins. */
    private readonly int $bodyStart;

    private bool $isAtOrigin = true;

    /**
     * @param Url                         $url
     * @param array<string, list<string>> $headers  by lower-case name; an empty list keeps the client's own away
     * @param string|resource|null        $body
     * @param array<string, mixed>        $own      of `\RetryClient` by name, as `extra.retry_client` has them
     * @param array<string, mixed>        $named    of `\RetryClient` by name, as Symfony's options ask for them
     * @param string|null                 $proxy    null: none is named
     * @param string|null                 $noProxy  null: none is named
     * @param float                       $duration seconds for all hops, as a `budget` among the options is, too; 0 or infinite: no limit
     */
    public function __construct(
        private readonly Clients $clients,
        private string $method,
        #[\SensitiveParameter] private array $url,
        #[\SensitiveParameter] private array $headers,
        #[\SensitiveParameter] private mixed $body,
        #[\SensitiveParameter] private readonly array $own,
        #[\SensitiveParameter] private readonly array $named,
        #[\SensitiveParameter] private readonly ?string $proxy,
        private readonly ?string $noProxy,
        float $duration,
    ) {
        $this->startedAt = microtime(true);
        $limits = array_filter([$duration, $own['budget'] ?? null], static fn(mixed $limit): bool => is_numeric($limit) && $limit > 0 && is_finite((float) $limit));
        $this->duration = $limits === [] ? null : (float) min($limits);
        $this->origin = $this->origin();
        $this->bodyStart = is_resource($body) ? (int) ftell($body) : 0;
    }

    /**
     * Begins the call to where the request, or the last redirect, points.
     *
     * @throws TransportException|InvalidArgumentException
     */
    public function start(): Pending
    {
        $named = $this->named;
        $proxy = $this->proxy();
        if ($proxy !== null) {
            $named += ['proxy' => $proxy];
        }
        // Only of this host: clients with other addresses share no connections.
        $address = $this->clients->address($this->host());
        if ($address !== null) {
            $named += ['resolve' => [$this->host() => $address]];
        }
        $own = $this->own;
        $headers = $this->headers;
        if (!$this->isAtOrigin) {
            // None of the RetryClient's own headers is another origin's to see.
            $own = ['headers' => []] + $own;
            $headers = array_filter($headers, static fn(int|string $name): bool => !self::isCredential((string) $name), ARRAY_FILTER_USE_KEY);
        }
        $client = $this->clients->with($own, $named);
        if ($this->duration !== null) {
            $left = $this->duration - (microtime(true) - $this->startedAt);
            if ($left <= 0) {
                throw new TransportException(sprintf('Max duration was reached for "%s".', $this->shownUrl()));
            }
            $client = $client->with(budget: $left);
        }
        if (is_resource($this->body)) {
            fseek($this->body, $this->bodyStart);
        }
        try {
            return $client->start(new Request($this->method, $this->url(), $headers, $this->body));
        } catch (\Error $e) {
            $refusal = Refusal::of($e, self::class, 'start') ?? throw $e;
            throw new InvalidArgumentException("The request is malformed: its $refusal->name $refusal->rule", 0, $e);
        }
    }

    /** @param Url $url where an answer of this status redirects to */
    public function redirect(int $status, #[\SensitiveParameter] array $url): void
    {
        if ($status === 303 || ($this->method === 'POST' && in_array($status, [301, 302], true))) {
            $this->method = $this->method === 'HEAD' ? 'HEAD' : 'GET';
            $this->body = null;
            $this->headers = array_diff_key($this->headers, array_flip(self::CONTENT));
        }
        unset($this->headers['host']);
        $this->url = $url;
        // Another port or scheme of the same host may be somebody else's server.
        $this->isAtOrigin = $this->origin() === $this->origin;
    }

    public function method(): string
    {
        return $this->method;
    }

    public function url(): string
    {
        return implode('', $this->url);
    }

    /** @return Url */
    public function parsedUrl(): array
    {
        return $this->url;
    }

    /** For messages: credentials are at home in userinfo and query. */
    public function shownUrl(): string
    {
        return $this->origin() . $this->url['path'];
    }

    /** Scheme, host and port. */
    private function origin(): string
    {
        return $this->url['scheme'] . preg_replace('#^//[^@]*@#', '//', (string) $this->url['authority']);
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['method' => $this->method, 'url' => $this->shownUrl()];
    }

    /** As the RetryClient's own redirects tell them. */
    private static function isCredential(string $name): bool
    {
        return in_array($name, ['authorization', 'proxy-authorization', 'cookie'], true) || str_ends_with($name, 'api-key');
    }

    private function host(): string
    {
        return (string) parse_url((string) $this->url['authority'], PHP_URL_HOST);
    }

    /** '': none; null: what the client has of its own, which may be the environment's. */
    private function proxy(): ?string
    {
        $proxy = $this->proxy;
        $isEnvironments = false;
        if ($proxy === null) {
            $names = PHP_SAPI === 'cli' || PHP_SAPI === 'phpdbg'
                ? ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']
                : ['http_proxy', 'all_proxy', 'ALL_PROXY'];
            if ($this->url['scheme'] === 'https:') {
                array_unshift($names, 'https_proxy', 'HTTPS_PROXY');
            }
            foreach ($names as $name) {
                if (isset($_SERVER[$name])) {
                    $proxy = (string) $_SERVER[$name];
                    $isEnvironments = getenv($name) === $proxy
                        && ($this->url['scheme'] === 'http:' || strcasecmp($name, 'http_proxy') !== 0);
                    break;
                }
            }
        }
        if ($proxy !== null || $this->noProxy !== null) {
            $rules = $this->noProxy ?? $_SERVER['no_proxy'] ?? $_SERVER['NO_PROXY'] ?? '';
            foreach (preg_split('/[\s,]+/', (string) $rules, -1, PREG_SPLIT_NO_EMPTY) ?: [] as $rule) {
                if ($rule === '*' || self::matches(trim($this->host(), '[]'), strtolower($rule))) {
                    return '';
                }
            }
        }
        if ($proxy === null || $isEnvironments) {
            return null;
        }
        return $proxy === '' || str_contains($proxy, '://') ? $proxy : "http://$proxy";
    }

    /** @param string $rule a domain; or an IP address or, as `10.0.0.0/8`, a block of them, which cURL takes, too */
    private static function matches(string $host, string $rule): bool
    {
        $address = filter_var($host, FILTER_VALIDATE_IP) === false ? false : inet_pton($host);
        if ($address === false) {
            return str_ends_with(".$host", '.' . ltrim($rule, '.'));
        }
        [$block, $bits] = explode('/', $rule, 2) + [1 => (string) (8 * strlen($address))];
        $block = trim($block, '[]');
        $first = filter_var($block, FILTER_VALIDATE_IP) === false ? false : inet_pton($block);
        if ($first === false || strlen($first) !== strlen($address) || !ctype_digit($bits) || (int) $bits > 8 * strlen($address)) {
            return false;
        }
        $mask = str_pad(str_repeat("\xff", intdiv((int) $bits, 8)) . chr((0xff << (8 - (int) $bits % 8)) & 0xff), strlen($address), "\0");
        $mask = substr($mask, 0, strlen($address));

        return ($address & $mask) === ($first & $mask);
    }
}
