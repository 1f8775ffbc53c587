<?php

/**
 * One batch of a row, what came of it, and the line of the table; and many batches at the same time.
 */

declare(strict_types=1);

const AT_ONCE = 8;      // batches; together they take a quarter of a processor

/** A batch of one row by one client: starts it, and counts at the server. */
abstract class Run
{
    private const PATIENCE = 4.0;               // times the optimum, after which a batch is broken off
    private const ON_THE_WAY = 1_500_000;       // ns: what arrives up to so much later was sent before

    protected readonly string $endpoint;
    private ?Daemon $batch = null;

    public function __construct(protected readonly Setting $setting, protected readonly Scenario $scenario, protected readonly string $client)
    {
        $this->endpoint = bin2hex(random_bytes(6));
    }

    /**
     * @param string $folder for the files of this batch
     * @return list<string> what does it, and prints the result that benches/cli/batch.php describes
     */
    abstract protected function command(string $folder): array;

    public function start(): void
    {
        $folder = "{$this->setting->folder}/batch-$this->endpoint";
        mkdir($folder);
        $this->batch = new Daemon($this->command($folder), "$folder/log", $this->setting->environment());
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

    /** PHP, one of benches/cli, with shared state of its own. */
    protected function separate(string $script, string $name): array
    {
        $shared = "{$this->setting->shared}/$this->endpoint-$name";
        mkdir($shared, 0700);
        return $this->setting->command($script, [], ['-d', "retry_client.shared_memory=$shared"]);
    }

    protected function url(Queue $queue): string
    {
        return $this->setting->server->of('http') . "/limited/$this->endpoint?" . http_build_query($queue->server);
    }

    /** Seconds. */
    protected function timeout(): float
    {
        return self::PATIENCE * $this->scenario->optimum() + 10;
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

/** By worker processes, which get the jobs one by one. */
final class WorkersRun extends Run
{
    protected function command(string $folder): array
    {
        file_put_contents("$folder/plan.json", json_encode($this->plan()));
        return [PHP_BINARY, '-c', $this->setting->iniFile(extension: false), 'benches/cli/batch.php', "$folder/plan.json"];
    }

    private function plan(): array
    {
        $commands = [];
        for ($machine = 0; $machine < $this->scenario->machines; $machine++) {
            $commands[] = $this->separate('batch-worker.php', (string) $machine);
        }
        $queues = array_map(fn(Queue $queue): array => [
            'url' => $this->url($queue),
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
            'timeout' => $this->timeout(),
        ];
    }
}

/** By one process, which has as many requests at once as the row has workers. */
final class OneProcessRun extends Run
{
    protected function command(string $folder): array
    {
        [$queue] = $this->scenario->queues;
        $arguments = [$this->client, $this->url($queue), count($queue->costs), $queue->workers, ceil($this->timeout())];
        return [...$this->separate('limited-batch.php', 'one'), ...array_map(strval(...), $arguments)];
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

/** RetryClient's result held against the row's goal, and the other way's beside it. */
class Outcome implements Line
{
    public const COLUMNS = [
        '' => 44, 'optimum' => 9, 'time' => 8, 'first' => 7, 'later' => 7, 'per 100' => 9, 'lost' => 6, 'most' => 6,
        'loop: time' => 12, '429s' => 7, 'lost ' => 6, 'asked' => 24, ' ' => 1,
    ];

    public function __construct(private readonly Scenario $scenario, private readonly Result $ours, private readonly Result $other) {}

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
            $this->other->time(),
            (string) $this->other->refused,
            (string) $this->other->lost,
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
            '429s' => $ours->per_100 > ($goal->per_100 ?? INF) || $ours->later > ($goal->later ?? INF)
                || $ours->refused > ($goal->all ?? INF) || $ours->first > ($goal->first ?? INF),
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

/** As Outcome, beside Guzzle's Pool. */
final class PoolOutcome extends Outcome
{
    public const COLUMNS = [
        '' => 44, 'optimum' => 9, 'time' => 8, 'first' => 7, 'later' => 7, 'per 100' => 9, 'lost' => 6, 'most' => 6,
        'Guzzle: time' => 14, '429s' => 7, 'lost ' => 6, 'asked' => 24, ' ' => 1,
    ];
}

/**
 * @param list<Scenario> $scenarios
 * @param list<string> $filters parts of names or groups
 * @return list<Scenario> those that a filter fits
 */
function chosen(array $scenarios, array $filters): array
{
    $fits = static fn(Scenario $scenario, string $filter): bool => str_contains("$scenario->group $scenario->name", $filter);
    foreach ($filters as $filter) {
        if (!array_filter($scenarios, static fn(Scenario $scenario): bool => $fits($scenario, $filter))) {
            throw new Unavailable("no row has '$filter' in its name:\n    " . implode("\n    ", array_column($scenarios, 'name')));
        }
    }
    $any = static fn(Scenario $scenario): bool => (bool) array_filter($filters, static fn(string $filter): bool => $fits($scenario, $filter));
    return $filters ? array_values(array_filter($scenarios, $any)) : $scenarios;
}

/** Each row is two batches. Most take about the optimum, and some seconds to begin and to count. */
function expected_seconds(array $scenarios): float
{
    $seconds = array_map(static fn(Scenario $scenario): float => 2 * ($scenario->optimum() + 2), $scenarios);
    return max(array_sum($seconds) / AT_ONCE, max($seconds) / 2);
}

/**
 * Several at the same time.
 *
 * @param list<Run> $runs
 * @return Generator<int, Result> their results, in this order
 */
function in_order(string $title, array $runs): Generator
{
    [$waiting, $under_way, $results] = [$runs, [], []];
    foreach (array_keys($runs) as $number) {
        while (!isset($results[$number])) {
            while ($waiting && count($under_way) < AT_ONCE) {
                $key = array_key_first($waiting);
                $under_way[$key] = $waiting[$key];
                unset($waiting[$key]);
                $under_way[$key]->start();
            }
            progress(sprintf('%s: %d of %d batches done', $title, count($results), count($runs)));
            foreach (ended($under_way) as $key) {
                $results[$key] = $under_way[$key]->result();
                unset($under_way[$key]);
            }
        }
        end_progress();
        yield $results[$number];
    }
}

/**
 * Waits until one has something to say, which is its result.
 *
 * @param array<int, Run> $runs
 * @return list<int> which
 */
function ended(array $runs): array
{
    $outputs = array_map(static fn(Run $run) => $run->output(), $runs);
    $none = null;
    return @stream_select($outputs, $none, $none, 600) ? array_keys($outputs) : [];
}
