<?php

declare(strict_types=1);

namespace RetryClient\Tests\Guzzle;

use GuzzleHttp\Client;
use GuzzleHttp\Handler\CurlHandler;
use GuzzleHttp\Handler\CurlMultiHandler;
use GuzzleHttp\Handler\StreamHandler;
use GuzzleHttp\HandlerStack;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamInterface;
use RetryClient\Guzzle\Handler;

/** A Guzzle client on one handler, and what comes of a request on it. */
final class Contender
{
    /** What RetryClient sends by itself, unless the request has it. */
    private const OWN_HEADERS = ['accept' => '*/*', 'accept-encoding' => 'gzip, br, zstd, deflate'];

    private function __construct(
        public readonly string $name,
        public readonly Client $client,
        private readonly bool $isSynchronous,
    ) {}

    /** @return list<self> Guzzle's own, and ours in the same order */
    public static function pairs(string $way): array
    {
        $ours = new Handler(new \RetryClient(maxAttempts: 1, idempotencyKey: false));
        $make = static fn(string $name, callable $handler, bool $isSynchronous): self
            => new self("$name-$way", new Client(['handler' => HandlerStack::create($handler)]), $isSynchronous);
        return match ($way) {
            'synchronous' => [$make('curl', new CurlHandler(), true), $make('ours', $ours, true)],
            'promise' => [$make('curl', new CurlMultiHandler(), false), $make('ours', $ours, false)],
            'stream' => [$make('php', new StreamHandler(), true), $make('ours', $ours, true)],
        };
    }

    /**
     * @param array{
     *     steps?: list<array<string, mixed>>|array<string, mixed>,
     *     on?: string,
     *     url?: string,
     *     method?: string,
     *     path?: string,
     *     user?: string,
     *     options?: array<string, mixed>|\Closure(): array<string, mixed>,
     *     observed?: list<string>,
     *     sinkFile?: bool,
     * } $case
     *
     * @return array<string, mixed>
     */
    public function play(string $name, array $case): array
    {
        $script = preg_replace('/[^A-Za-z0-9]+/', '-', "guzzle $name $this->name");
        $url = ($case['url'] ?? script($script, $case['steps'] ?? [['body' => 'hello']], $case['on'] ?? 'http')) . ($case['path'] ?? '');
        if (isset($case['user'])) {
            $url = str_replace('://', "://$case[user]@", $url);
        }
        $options = $case['options'] ?? [];
        $options = $options instanceof \Closure ? $options() : $options;
        $seen = [];
        foreach ($case['observed'] ?? [] as $callback) {
            $options[$callback] = self::observer($callback, $seen, $options[$callback] ?? null);
        }
        if ($case['sinkFile'] ?? false) {
            $options['sink'] = folder() . '/sink';
        }

        $began = hrtime(true);
        $outcome = $this->outcome($case['method'] ?? 'GET', $url, $options);
        return $outcome + [
            'calls' => $seen,
            'received' => isset($case['url']) ? null : array_map(self::request(...), received($script)),
            'sink' => isset($options['sink']) ? self::contents($options['sink']) : null,
            'delayed' => !isset($options['delay']) || hrtime(true) - $began >= $options['delay'] * 1e6,
        ];
    }

    /**
     * @param array<string, mixed> $options
     *
     * @return array<string, mixed>
     */
    private function outcome(string $method, string $url, array $options): array
    {
        try {
            $response = $this->isSynchronous
                ? $this->client->request($method, $url, $options)
                : $this->client->requestAsync($method, $url, $options)->wait();
            return ['response' => self::response($response)];
        } catch (\Throwable $e) {
            $context = method_exists($e, 'getHandlerContext') ? $e->getHandlerContext() : [];
            $previous = $e->getPrevious();
            return [
                'exception' => $e instanceof \InvalidArgumentException ? \InvalidArgumentException::class : $e::class,
                'errno' => $context['errno'] ?? null,
                'why' => $previous === null || $previous instanceof \RetryClient\Exception || $previous instanceof \Error ? null : $previous->getMessage(),
                'response' => method_exists($e, 'getResponse') && $e->getResponse() !== null ? self::response($e->getResponse()) : null,
            ];
        }
    }

    /** @return array<string, mixed> */
    private static function response(ResponseInterface $response): array
    {
        $headers = array_change_key_case($response->getHeaders());
        // Of each connection, and PHP's streams use another one for each request.
        unset($headers['connection'], $headers['transfer-encoding']);
        ksort($headers);
        return [
            'status' => $response->getStatusCode(),
            'reason' => $response->getReasonPhrase(),
            'version' => $response->getProtocolVersion(),
            'headers' => $headers,
            'position' => $response->getBody()->isSeekable() ? $response->getBody()->tell() : null,
            'body' => (string) $response->getBody(),
        ];
    }

    /**
     * @param array<string, mixed> $entry of the server's log
     *
     * @return array<string, mixed>
     */
    private static function request(array $entry): array
    {
        $headers = [];
        foreach ($entry['headers'] as [$name, $value]) {
            $headers[strtolower($name)][] = $value;
        }
        foreach (self::OWN_HEADERS as $name => $value) {
            if (($headers[$name] ?? null) === [$value]) {
                unset($headers[$name]);
            }
        }
        unset($headers['expect'], $headers['host'], $headers['connection']);
        if ($entry['body_length'] === 0 && in_array($entry['method'], ['GET', 'HEAD'], true)) {
            unset($headers['content-length']);      // PHP's streams send it
        }
        ksort($headers);
        return [
            'method' => $entry['method'],
            'target' => preg_replace('/(curl|php|ours)-(synchronous|promise|stream)/', 'X', $entry['target']),
            'protocol' => $entry['protocol'],
            'headers' => $headers,
            'body' => body_of($entry),
        ];
    }

    /** A callback that writes down what it is called with, and calls what it stands before. */
    private static function observer(string $name, array &$seen, ?callable $then): \Closure
    {
        return match ($name) {
            'on_headers' => static function (ResponseInterface $response) use (&$seen, $then): void {
                $seen[] = [
                    'on_headers', $response->getStatusCode(), $response->getHeaderLine('X-Test'), $response->getBody()->getSize(),
                    $response->getReasonPhrase(), $response->getProtocolVersion(),
                ];
                $then === null || $then($response);
            },
            'on_stats' => static function (\GuzzleHttp\TransferStats $stats) use (&$seen, $then): void {
                $seen[] = [
                    'on_stats',
                    $stats->getResponse()?->getStatusCode(),
                    $stats->getHandlerErrorData(),
                    $stats->getHandlerStat('http_code'),
                    $stats->getTransferTime() > 0,
                    $stats->getHandlerStat('url') === (string) $stats->getEffectiveUri(),
                    $stats->getHandlerStat('content_type'),
                ];
                $then === null || $then($stats);
            },
            // cURL calls it as often as it likes: each way's last call counts.
            'progress' => static function (int $total, int $received, int $size, int $sent) use (&$seen, $then): void {
                $seen = array_values(array_filter($seen, static fn(array $call): bool => $call[0] !== 'progress'));
                $seen[] = ['progress', $total, $received, $size, $sent];
                $then === null || $then($total, $received, $size, $sent);
            },
        };
    }

    private static function contents(mixed $sink): ?string
    {
        return match (true) {
            is_string($sink) => is_file($sink) ? file_get_contents($sink) : null,
            is_resource($sink) => stream_get_contents($sink, -1, 0),
            // The stream on a resource closes it when it is dropped.
            $sink instanceof StreamInterface => $sink->isReadable() ? (string) $sink : null,
            default => null,
        };
    }
}
