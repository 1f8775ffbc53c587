<?php

declare(strict_types=1);

namespace RetryClient\Guzzle;

use GuzzleHttp\Promise\Promise;
use GuzzleHttp\Promise\PromiseInterface;
use GuzzleHttp\Promise\Utils;
use Psr\Http\Message\RequestInterface;
use RetryClient\ClientInterface;
use RetryClient\Internal\Variants;
use RetryClient\MissingRequirement;
use RetryClient\Pending;

/**
 * A handler for Guzzle 7 that sends with RetryClient: what is answered with 429 or 5xx is sent again as the server asks.
 *
 *     $client = new GuzzleHttp\Client(['handler' => GuzzleHttp\HandlerStack::create(new RetryClient\Guzzle\Handler())]);
 *
 * What was asked for by `sendAsync()` and its like is on its way at once, and goes on, all of it at the same time, while PHP
 * waits for any promise or response.
 *
 * Guzzle's options are honoured but for a few that are refused with an InvalidArgumentException. Those that are not given
 * are the RetryClient's own, and so are `verify` and `decode_content` where they are true, as Guzzle's Client always gives
 * them. `timeout` holds for each attempt. One option more is `retry_client`: constructor arguments of RetryClient by name,
 * and `cost`, for this request.
 *
 *     $client->post('chat', ['json' => $payload, 'retry_client' => ['maxAttempts' => 8, 'budget' => 120.0]]);
 */
final class Handler
{
    private readonly Variants $clients;

    /** @var array<int, Transfer> those that have not ended */
    private array $transfers = [];

    /** @var array<int, Pending> of those under way; none while it is in a callback of its own */
    private array $pendings = [];

    /** @var array<int, float> when those begin that have a `delay`, in seconds of the monotonic clock */
    private array $delayed = [];

    private int $last = 0;

    /** @throws MissingRequirement Guzzle is not installed, or the extension is not loaded, or too old */
    public function __construct(?ClientInterface $client = null)
    {
        MissingRequirement::checkPackage(self::class, PromiseInterface::class, 'guzzlehttp/guzzle');
        MissingRequirement::checkExtension(self::class);
        $this->clients = new Variants($client);
    }

    /**
     * @param array<string, mixed> $options Guzzle's, and `retry_client`
     *
     * @throws \InvalidArgumentException an option is wrong, or cannot be honoured
     * @throws \RuntimeException         the directory of `sink` does not exist
     */
    public function __invoke(RequestInterface $request, array $options): PromiseInterface
    {
        $settings = new Settings($request, $options);
        try {
            $client = $this->clients->with($settings->client);
        } catch (\Error $e) {
            throw $settings->refused($e);
        }
        $transfer = new Transfer($client, $request, $settings);
        if ($settings->stream || !empty($options['synchronous'])) {
            self::pause($settings->delay);
            $outcome = $settings->stream ? $transfer->stream() : self::whole($transfer);
            $this->settleOthers();
            return $outcome;
        }

        $id = ++$this->last;
        $transfer->promise = new Promise(
            function () use ($id, $transfer): void {
                $this->finish($id, $transfer);
            },
            function () use ($id): void {
                $this->forget($id);
            },
        );
        $this->transfers[$id] = $transfer;
        if ($settings->delay > 0) {
            $this->delayed[$id] = self::now() + $settings->delay;
        } else {
            $this->begin($id);
        }
        return $transfer->promise;
    }

    private static function whole(Transfer $transfer): PromiseInterface
    {
        try {
            $pending = $transfer->start();
            while ($pending !== null && !$transfer->advance()) {
                \RetryClient::poll([$pending]);
            }
            return $transfer->settle();
        } catch (\Throwable $e) {
            $transfer->cancel();
            throw $e;
        }
    }

    /** What has ended meanwhile: promises that nobody waits for must not pile up beside synchronous requests. */
    private function settleOthers(): void
    {
        if ($this->pendings) {
            foreach (\RetryClient::poll($this->pendings, 0.0) as $id => $_) {
                $this->advance($id);
            }
        }
    }

    /** What a promise does that is waited for. */
    private function finish(int $id, Transfer $transfer): void
    {
        try {
            $this->run($id);
        } catch (\Throwable $e) {
            $this->forget($id);
            $transfer->reject($e);
        }
    }

    /**
     * Moves all on until this one has ended.
     *
     * @throws \Throwable what a task of Guzzle's queue or a signal's handler throws
     */
    private function run(int $id): void
    {
        $queue = Utils::queue();
        for (;;) {
            $queue->run();
            $next = $this->delayed ? $this->beginDelayed() : null;
            if (!isset($this->transfers[$id])) {
                return;
            }
            if (!isset($this->pendings[$id]) && !isset($this->delayed[$id])) {
                throw new \LogicException('A request cannot be waited for in a callback of its own');
            }
            if (!$this->pendings) {
                self::pause(($next ?? 0.0) - self::now());
                continue;
            }
            $timeout = $next === null ? null : max(0.0, $next - self::now());
            foreach (\RetryClient::poll($this->pendings, $timeout) as $one => $_) {
                $this->advance($one);
            }
        }
    }

    private function advance(int $id): void
    {
        $pending = $this->pendings[$id] ?? null;
        if ($pending === null) {
            return;     // a callback of another has cancelled it, or waited for it
        }
        // What waits in a callback of this one must not get to it.
        unset($this->pendings[$id]);
        $transfer = $this->transfers[$id];
        if (!$transfer->advance()) {
            if (isset($this->transfers[$id])) {
                $this->pendings[$id] = $pending;
            }
        } elseif (isset($this->transfers[$id])) {
            unset($this->transfers[$id]);
            $transfer->settle();
        }
    }

    private function begin(int $id): void
    {
        $transfer = $this->transfers[$id];
        $pending = $transfer->start();
        if ($pending !== null) {
            $this->pendings[$id] = $pending;
        } else {
            unset($this->transfers[$id]);
            $transfer->settle();
        }
    }

    /** @return float|null when the next one begins */
    private function beginDelayed(): ?float
    {
        $now = self::now();
        foreach ($this->delayed as $id => $due) {
            if ($due <= $now) {
                unset($this->delayed[$id]);
                $this->begin($id);
            }
        }
        return $this->delayed ? min($this->delayed) : null;
    }

    private function forget(int $id): void
    {
        $transfer = $this->transfers[$id] ?? null;
        unset($this->transfers[$id], $this->pendings[$id], $this->delayed[$id]);
        $transfer?->cancel();
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** So many seconds, though signals come. */
    private static function pause(float $seconds): void
    {
        for ($until = self::now() + $seconds; $seconds > 0; $seconds = $until - self::now()) {
            usleep((int) ceil($seconds * 1e6));
        }
    }
}
