<?php

/**
 * One batch of a row, what came of it, and the line of the table.
 */

declare(strict_types=1);

/** Starts `benches/cli/batch.php` for one row and one client, and counts at the server. */
final class Run
{
    private const PATIENCE = 4.0;               // times the optimum, after which a batch is broken off
    private const ON_THE_WAY = 1_500_000;       // ns: what arrives up to so much later was sent before

    private readonly string $endpoint;
    private ?Daemon $batch = null;

    public function __construct(private readonly Setting $setting, private readonly Scenario $scenario, private readonly string $client)
    {
        $this->endpoint = bin2hex(random_bytes(6));
    }

    public function start(): void
    {
        $folder = "{$this->setting->folder}/batch-$this->endpoint";
        mkdir($folder);
        file_put_contents("$folder/plan.json", json_encode($this->plan()));
        $php = [PHP_BINARY, '-c', $this->setting->iniFile(extension: false)];
        $this->batch = new Daemon([...$php, 'benches/cli/batch.php', "$folder/plan.json"], "$folder/log", $this->setting->environment());
    }

    /** @return resource what it prints at the end */
    public function output()
    {
        return $this->batch->output();
    }

    public function result(): Result
    {
        $batch = json_decode(stream_get_contents($this->batch->output()), true);
        if ($batch === null) {
            throw new RuntimeException("{$this->scenario->name}, $this->client: " . $this->batch->log());
        }
        $this->batch->stop();
        return new Result($this->scenario, $batch, $this->counted());
    }

    private function plan(): array
    {
        $commands = [];
        for ($machine = 0; $machine < $this->scenario->machines; $machine++) {
            $shared = "{$this->setting->shared}/$this->endpoint-$machine";
            mkdir($shared, 0700);
            $commands[] = $this->setting->command('batch-worker.php', [], ['-d', "retry_client.shared_memory=$shared"]);
        }
        $queues = array_map(fn(Queue $queue): array => [
            'url' => $this->setting->server->of('http') . "/limited/$this->endpoint?" . http_build_query($queue->server),
            'model' => $queue->model,
            'workers' => $queue->workers,
            'costs' => $queue->costs,
        ], $this->scenario->queues);
        return [
            'commands' => $commands,
            'client' => $this->client,
            'queues' => $queues,
            'options' => (object) $this->scenario->options,
            'kill' => $this->scenario->kill,
            'start' => $this->scenario->start,
            'timeout' => self::PATIENCE * $this->scenario->optimum() + 10,
        ];
    }

    /** @return array{accepted: int, refused: int, first: int} by the server; `first`: refused at the first contact */
    private function counted(): array
    {
        $counted = ['accepted' => 0, 'refused' => 0, 'first' => 0];
        foreach ($this->scenario->queues as $queue) {
            $name = isset($queue->server['by']) ? rawurlencode("$this->endpoint:$queue->model") : $this->endpoint;
            $limited = $this->setting->server->control('GET', "/_limited/$name");
            $this->setting->server->control('DELETE', "/_limited/$name");
            $counted['accepted'] += $limited['accepted'];
            $counted['refused'] += $limited['refused'];
            $counted['first'] += self::first_contact($queue, $limited['log']);
        }
        return $counted;
    }

    /** Refusals of requests that were sent before the first answer that told of a limit: a refusal, or quota headers. */
    private static function first_contact(Queue $queue, array $log): int
    {
        $told = INF;
        $first = 0;
        foreach ($log as $request) {
            if (!$request['allowed'] || isset($queue->server['quota'])) {
                $answer_time = $queue->server[$request['allowed'] ? 'delay' : 'refuse_delay'] * 1e6;
                $told = min($told, $request['monotonic_ns'] + $answer_time + self::ON_THE_WAY);
            }
            $first += (int) (!$request['allowed'] && $request['monotonic_ns'] <= $told);
        }
        return $first;
    }
}

final class Result
{
    /** Makespan / optimum, of the queue where it is the most. */
    public readonly float $ratio;
    public readonly bool $finished;
    public readonly int $refused;
    /** 429s that the first contact costs, and those that come on top. */
    public readonly int $first;
    public readonly int $later;
    public readonly float $per_100;
    public readonly int $lost;
    /** @var array<string, int> why => how many */
    public readonly array $reasons;
    public readonly int $attempts;
    /** Accepted by the server / jobs. */
    public readonly float $accepted;
    /** Of the fair share, for the machine that got least. */
    public readonly float $share;

    /**
     * @param array<string, mixed> $batch what benches/cli/batch.php prints
     * @param array{accepted: int, refused: int, first: int} $counted
     */
    public function __construct(Scenario $scenario, array $batch, array $counted)
    {
        $this->ratio = max(array_map(static fn(float|int $end, Queue $queue): float => $end / $queue->optimum, $batch['ends'], $scenario->queues));
        $this->finished = $batch['unfinished'] === 0;
        $this->refused = $counted['refused'];
        $this->first = $counted['first'];
        $this->later = $counted['refused'] - $counted['first'];
        $this->per_100 = 100 * $this->later / max(1, $counted['accepted'] + $counted['refused']);
        $this->lost = $batch['lost'];
        $this->reasons = $batch['reasons'];
        $this->attempts = $batch['attempts'];
        $this->accepted = $counted['accepted'] / $scenario->jobs();
        $this->share = min($batch['served']) * $scenario->machines / max(1, array_sum($batch['served']));
    }

    public function time(): string
    {
        return ($this->finished ? '' : '> ') . sprintf('%.3f', $this->ratio);
    }
}

/** RetryClient's result held against the row's goal, and the loop's beside it. */
final class Outcome implements Line
{
    public const COLUMNS = [
        '' => 44, 'optimum' => 9, 'time' => 8, 'first' => 7, 'later' => 7, 'per 100' => 9, 'lost' => 6, 'most' => 6,
        'loop: time' => 12, '429s' => 7, 'lost ' => 6, 'asked' => 24, ' ' => 1,
    ];

    public function __construct(private readonly Scenario $scenario, private readonly Result $ours, private readonly Result $loop) {}

    public function group(): string
    {
        return $this->scenario->group;
    }

    public function cells(): array
    {
        $missed = $this->missed();
        return [
            $this->scenario->name,
            sprintf('%.1f s', $this->scenario->optimum()),
            $this->ours->time(),
            (string) $this->ours->first,
            (string) $this->ours->later,
            sprintf('%.2f', $this->ours->per_100),
            (string) $this->ours->lost,
            (string) $this->ours->attempts,
            $this->loop->time(),
            (string) $this->loop->refused,
            (string) $this->loop->lost,
            $this->scenario->goal->text(),
            implode('; ', [$missed ? 'missed: ' . implode(', ', $missed) : 'ok', ...$this->notes()]),
        ];
    }

    /** @return list<string> what was not reached */
    private function missed(): array
    {
        [$goal, $ours] = [$this->scenario->goal, $this->ours];
        $more = $this->scenario->kill ? $ours->accepted : 1.0;
        return array_keys(array_filter([
            'time' => !$ours->finished || $ours->ratio > ($goal->ratio ?? INF) * $more,
            '429s' => $ours->per_100 > ($goal->per_100 ?? INF) || $ours->later > ($goal->later ?? INF) || $ours->refused > ($goal->all ?? INF),
            'share' => $ours->share < ($goal->share ?? 0),
            'lost' => $ours->lost > 0,
            'attempts' => $ours->attempts > 5,
        ]));
    }

    /** @return list<string> what only some rows have */
    private function notes(): array
    {
        $notes = [];
        if ($this->scenario->kill) {
            $notes[] = sprintf('accepted %.3f of the jobs', $this->ours->accepted);
        }
        if ($this->scenario->machines > 1) {
            $notes[] = sprintf('least share %.2f', $this->ours->share);
        }
        foreach ($this->ours->reasons as $reason => $count) {
            $notes[] = "lost $count: $reason";
        }
        return $notes;
    }
}
