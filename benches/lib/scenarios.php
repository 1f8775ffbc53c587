<?php

/**
 * The rows of `benches/run pacing` and `quota`: a server, who asks it, the optimum, and what must be reached. Names and
 * formulas are those of crates/simulator.
 */

declare(strict_types=1);

/** Jobs and the workers that do them. */
final class Queue
{
    /**
     * @param array<string, string|int|float> $server parameters of /limited (php-tests/server/README.md)
     * @param list<int> $costs one for each job
     */
    public function __construct(
        public readonly array $server,
        public readonly int $workers,
        public readonly array $costs,
        public readonly float $optimum,
        public readonly string $model = 'a',
    ) {}

    public function with(mixed ...$changes): self
    {
        return new self(...array_merge(get_object_vars($this), $changes));
    }
}

/** What a row must reach; null asks nothing. */
final class Goal
{
    public function __construct(
        public readonly ?float $ratio = null,       // makespan / optimum; with killed workers times accepted / jobs
        public readonly ?float $per_100 = null,     // 429s per 100 sends, after the first contact
        public readonly ?int $later = null,         // 429s after the first contact
        public readonly ?int $all = null,           // 429s
        public readonly ?float $share = null,       // of the fair share, for the machine that got least
        public readonly ?int $first = null,         // 429s of the first contact
    ) {}

    public function text(): string
    {
        return implode(', ', array_filter([
            $this->ratio === null ? '' : sprintf('≤ %.4g', $this->ratio),
            $this->first === null ? '' : "$this->first first",
            $this->per_100 === null ? '' : sprintf('%g %%', $this->per_100),
            $this->later === null ? '' : "$this->later later",
            $this->all === null ? '' : 'no 429',
            $this->share === null ? '' : sprintf('share %g', $this->share),
        ]));
    }
}

final class Scenario
{
    /**
     * @param list<Queue> $queues
     * @param array<string, mixed> $options RetryClient's
     * @param array{float, float}|null $start [period, phase]: begin when the Unix time modulo the period is the phase
     */
    public function __construct(
        public readonly string $group,
        public readonly string $name,
        public readonly array $queues,
        public readonly Goal $goal,
        public readonly array $options = [],
        public readonly int $machines = 1,
        public readonly bool $kill = false,
        public readonly ?array $start = null,
    ) {}

    public function with(mixed ...$changes): self
    {
        return new self(...array_merge(get_object_vars($this), $changes));
    }

    /** @param array<string, string|int|float> $parameters */
    public function server(array $parameters): self
    {
        return $this->with(queues: array_map(
            static fn(Queue $queue): Queue => $queue->with(server: $parameters + $queue->server),
            $this->queues,
        ));
    }

    /** Another beginning of the name, another group, another goal. */
    public function as(string $group, string $kind, Goal $goal): self
    {
        return $this->with(group: $group, name: $kind . strstr($this->name, '/'), goal: $goal);
    }

    public function told(string $quota, int $later = 0): self
    {
        $queue = $this->queues[0];
        $latency = $queue->server['delay'] / 1000;
        $goal = new Goal(ratio: 1.01 + $latency / $queue->optimum, later: $later);
        return $this->as('quota headers', $quota, $goal)->server(['quota' => $quota]);
    }

    /** The caller says it, the server does not. */
    public function limit(string $limit, string $kind = 'limit'): self
    {
        $goal = new Goal(ratio: 1.015, all: 0);
        return $this->as("the caller's limit", $kind, $goal)->with(options: ['limit' => $limit]);
    }

    public function killed(string $name = ''): self
    {
        $goal = new Goal(1.03, ...array_diff_key(get_object_vars($this->goal), ['ratio' => 0]));
        return $this->with(group: 'one random worker killed (-9) each second', name: "$this->name$name/killed", goal: $goal, kill: true);
    }

    public function jobs(): int
    {
        return array_sum(array_map(static fn(Queue $queue): int => count($queue->costs), $this->queues));
    }

    public function workers(): int
    {
        return array_sum(array_map(static fn(Queue $queue): int => $queue->workers, $this->queues));
    }

    public function optimum(): float
    {
        return max(array_map(static fn(Queue $queue): float => $queue->optimum, $this->queues));
    }
}

final class Scenarios
{
    private const RETRY_AFTER = ['bare' => 'none', 'seconds' => 'seconds', 'ms' => 'ms'];

    /** @param float $part of the full length of each row */
    private function __construct(private readonly float $part) {}

    /** @return list<Scenario> */
    public static function all(bool $quick): array
    {
        $make = new self($quick ? 0.2 : 1.0);
        return [
            ...$make->bare(), ...$make->seconds(), ...$make->windows(), ...$make->headers(), ...$make->slow(), ...$make->tokens(),
            ...$make->steps(), ...$make->limits(), ...$make->models(), ...$make->killed(), ...$make->machines(),
        ];
    }

    /**
     * One process with so many requests at once, in place of workers.
     *
     * @return list<Scenario>
     */
    public static function at_once(bool $quick): array
    {
        $make = new self($quick ? 0.2 : 1.0);
        $rows = [];
        foreach (['bare' => [], 'openai' => ['quota' => 'openai']] as $kind => $quota) {
            foreach ([0.02, 0.25] as $latency) {
                $row = $make->bucket('bare', 50, 50, 50, $latency)->server($quota);
                $goal = $quota ? new Goal(1.02, later: 0) : new Goal(1.05, per_100: 1, first: $row->workers());
                $name = strtr($row->name, ['bare/' => "$kind/", '/w' => '/c']);
                $rows[] = $row->with(name: $name, group: $quota ? 'quota headers' : 'bare 429', goal: $goal);
            }
        }
        return $rows;
    }

    private function bare(): array
    {
        $rows = [];
        foreach ([[20, 5], [20, 50], [50, 5], [50, 50], [20, 1], [50, 1]] as [$rate, $burst]) {
            [$group, $goal] = $burst === 1 ? ['bare 429, B 1', new Goal(1.15, 3)] : ['bare 429, token bucket', new Goal(1.05, 1)];
            foreach ([[10, 0.02], [16, $rate === 20 ? 0.5 : 0.25]] as [$workers, $latency]) {
                $rows[] = $this->bucket('bare', $rate, $burst, $workers, $latency)->with(group: $group, goal: $goal);
            }
        }
        return $rows;
    }

    private function seconds(): array
    {
        $rows = [];
        foreach ([[20, 20, 10, 0.02], [20, 50, 16, 0.5], [50, 50, 10, 0.02], [50, 50, 16, 0.25]] as [$rate, $burst, $workers, $latency]) {
            $rows[] = $this->bucket('seconds', $rate, $burst, $workers, $latency)
                ->with(group: 'Retry-After in whole seconds, B ≥ rate', goal: new Goal(1.05, 1));
        }
        foreach ([[20, 10, 0.02], [20, 16, 0.5], [50, 10, 0.02], [50, 16, 0.25]] as [$rate, $workers, $latency]) {
            $rows[] = $this->bucket('seconds', $rate, 5, $workers, $latency, jobs: $rate * 120)
                ->with(group: 'Retry-After in whole seconds, B < rate, 120 s', goal: new Goal(1.10));
        }
        return $rows;
    }

    private function windows(): array
    {
        $rows = [];
        foreach ([[40, 4.0, 1.2], [100, 10.0, 3.0]] as [$count, $period, $phase]) {
            $rows[] = $this->window('seconds', $count, $period, $phase, 10, 0.02);
            $rows[] = $this->window('seconds', $count, $period, null, 16, 0.5);
        }
        return array_map(static fn(Scenario $row): Scenario => $row->with(
            group: 'Retry-After to the end of a fixed window',
            goal: new Goal(1.05, later: $row->workers() + 4),       // W at the second window, and a probe at every other one
        ), $rows);
    }

    private function headers(): array
    {
        $rows = [
            $this->bucket('bare', 20, 20, 10, 0.02)->told('openai'),
            $this->bucket('bare', 50, 5, 16, 0.25)->told('openai'),
            $this->bucket('bare', 500, 50, 24, 2.0, jobs: 1000, per: 60)->told('openai'),
            $this->bucket('seconds', 300, 300, 16, 2.0, jobs: 900, per: 60)->told('anthropic'),
            $this->token_row('bare', 1.0)->told('openai'),
        ];
        foreach ([[40, 4.0, 10, 0.02, 'draft'], [100, 10.0, 16, 0.5, 'draft'], [40, 4.0, 16, 0.5, 'github'], [100, 10.0, 10, 0.02, 'github']] as $window) {
            $quota = array_pop($window);
            $rows[] = $this->unix_window(...$window)->told($quota);
        }
        $rows[] = $this->stepping('bare')->told('openai', later: 2);
        $rows[] = $this->stepping_window()->told('draft', later: 2);
        return $rows;
    }

    private function slow(): array
    {
        $rows = [];
        foreach ([[40, 40, 240, 16], [500, 50, 1000, 24]] as [$rate, $burst, $jobs, $workers]) {
            foreach (['bare', 'seconds'] as $says) {
                $rows[] = $this->bucket($says, $rate, $burst, $workers, 2.0, jobs: $jobs, per: 60)
                    ->with(group: '40/min and 500/min, answers take 2 s', goal: new Goal(1.05, 1));
            }
        }
        return $rows;
    }

    private function tokens(): array
    {
        return [$this->token_row('bare', 1.0), $this->token_row('seconds', 1.0), $this->token_row('bare', 2.0)];
    }

    private function steps(): array
    {
        return [$this->stepping('bare'), $this->stepping('seconds')];
    }

    private function limits(): array
    {
        $rows = [
            $this->bucket('bare', 20, 5, 10, 0.02)->limit('20/s burst 5'),
            $this->bucket('bare', 50, 50, 16, 0.02)->limit('50/s burst 50'),
            $this->bucket('bare', 50, 5, 16, 0.25)->limit('50/s burst 5'),
            $this->bucket('bare', 500, 20, 24, 2.0, jobs: 1000, per: 60)->limit('500/min burst 20'),
        ];
        foreach ([[40, 4.0, 10, 0.02], [100, 10.0, 16, 0.5]] as [$count, $period, $workers, $latency]) {
            $row = $this->window('bare', $count, $period, 0.3 * $period, $workers, $latency);
            [$queue] = $row->queues;
            $optimum = sliding_optimum($count, $period, count($queue->costs), $workers, $latency);
            $limit = sprintf('%d per %gs', $count, $period);
            $log = ['kind' => 'sliding'] + array_diff_key($queue->server, ['phase_ms' => 0]);
            $rows[] = $row->with(queues: [$queue->with(optimum: $optimum)])->limit($limit, 'limit/window');
            $rows[] = $row->with(queues: [$queue->with(optimum: $optimum, server: $log)])->limit($limit, 'limit/log');
        }
        return $rows;
    }

    private function models(): array
    {
        $rows = [];
        foreach (['bare', 'seconds'] as $says) {
            $queues = [];
            foreach ([[1, 6, 100, 'slow'], [20, 20, 1600, 'fast']] as [$rate, $burst, $jobs, $model]) {
                [$queue] = $this->bucket($says, $rate, $burst, 8, 0.3, jobs: $jobs)->queues;
                $queues[] = $queue->with(server: ['by' => 'model', 'refuse_delay' => 150] + $queue->server, model: $model);
            }
            $rows[] = new Scenario('two models behind one API key', "$says/models/1-and-20/w8+8/300ms", $queues, new Goal(1.05, 1));
        }
        return $rows;
    }

    private function killed(): array
    {
        $goal = new Goal(per_100: 1);
        return [
            $this->bucket('bare', 20, 5, 10, 0.02)->with(goal: $goal)->killed(),
            $this->bucket('bare', 50, 50, 16, 0.02)->with(goal: $goal)->killed(),
            $this->bucket('seconds', 20, 50, 16, 0.5)->with(goal: $goal)->killed(),
            $this->window('ms', 40, 4.0, 1.2, 10, 0.02)->with(goal: new Goal(later: 14))->killed(),
            $this->bucket('bare', 50, 50, 16, 0.02)->told('openai')->killed(),
            $this->bucket('bare', 20, 5, 16, 0.5)->limit('20/s burst 5')->killed(),
        ];
    }

    private function machines(): array
    {
        $rows = [];
        foreach ([['bare', 20, 5], ['seconds', 50, 50]] as [$says, $rate, $burst]) {
            foreach ([2, 4] as $machines) {
                $row = $this->bucket($says, $rate, $burst, 8 * $machines, 0.2, jobs: $rate * 80);
                $rows[] = $row->with(
                    group: 'machines with separate state on one key',
                    name: "$row->name/machines$machines",
                    goal: new Goal(1.10, 3, share: 0.5),
                    machines: $machines,
                );
            }
        }
        return $rows;
    }

    /** A token bucket of `$rate` per `$per` seconds; 40 s of it unless `$jobs` are given. */
    private function bucket(string $says, int $rate, int $burst, int $workers, float $latency, ?int $jobs = null, int $per = 1): Scenario
    {
        $jobs = $this->count($jobs ?? $rate * 40);
        $optimum = max(work($jobs, $workers, $latency), bucket_optimum([[0.0, $rate / $per]], $burst, $jobs) + $latency);
        $server = ['kind' => 'bucket', 'limit' => $rate, 'window_ms' => $per * 1000, 'burst' => $burst] + self::answers($says, $latency, $per);
        $pace = $per === 60 ? "$rate-min" : $rate;
        $queue = new Queue($server, $workers, array_fill(0, $jobs, 1), $optimum);
        return new Scenario('', "$says/$pace/b$burst/w$workers/" . short($latency), [$queue], new Goal());
    }

    /** Eight fixed windows and a half. `$first_end`: when the first one ends; null: a period after the first request. */
    private function window(string $says, int $count, float $period, ?float $first_end, int $workers, float $latency): Scenario
    {
        $jobs = (int) ($count * ($this->part < 1 ? 2.5 : 8.5));
        $optimum = window_optimum([[0.0, $count]], $period, $first_end ?? $period, $jobs, $workers, $latency);
        $server = ['limit' => $count, 'window_ms' => $period * 1000] + self::answers($says, $latency);
        if ($first_end !== null) {
            $server += ['phase_ms' => (int) round($first_end * 1000)];
        }
        $name = sprintf('%s/%d-per-%gs%s/w%d/%s', $says, $count, $period, $first_end === null ? '/from-first' : '', $workers, short($latency));
        $queue = new Queue($server, $workers, array_fill(0, $jobs, 1), $optimum);
        return new Scenario('', $name, [$queue], new Goal());
    }

    /** Windows that end on whole seconds of the clock, the first one 1.63 s or 3.63 s after the beginning. */
    private function unix_window(int $count, float $period, int $workers, float $latency): Scenario
    {
        $first_end = $period === 4.0 ? 1.63 : 3.63;
        $row = $this->window('bare', $count, $period, $first_end, $workers, $latency);
        $server = ['aligned' => 'unix'] + array_diff_key($row->queues[0]->server, ['phase_ms' => 0]);
        return $row->with(queues: [$row->queues[0]->with(server: $server)], start: [$period, $period - $first_end]);
    }

    /** 200,000 tokens a minute, a bucket of 60,000; costs are lognormal with this coefficient of variation. */
    private function token_row(string $says, float $variation): Scenario
    {
        $row = $this->bucket($says, 200_000, 60_000, 16, 4.0, jobs: 200, per: 60);
        $jobs = count($row->queues[0]->costs);
        $costs = lognormal_costs($jobs, 2900.0, $variation, 300, 40_000);
        $optimum = max(work($jobs, 16, 4.0), bucket_optimum([[0.0, 200_000 / 60]], 60_000, array_sum($costs)) + 4.0);
        return $row->with(
            group: 'token costs of very different size, 200,000 a minute',
            name: "$says/tokens/cv$variation/w16/4s",
            queues: [$row->queues[0]->with(costs: $costs, optimum: $optimum)],
            goal: new Goal(1.10, 5),
        );
    }

    private function stepping(string $says): Scenario
    {
        [$down, $up] = [20 * $this->part, 60 * $this->part];
        $row = $this->bucket($says, 50, 50, 16, 0.1, jobs: 4000);
        [$queue] = $row->queues;
        $jobs = count($queue->costs);
        $optimum = max(work($jobs, 16, 0.1), bucket_optimum([[0.0, 50], [$down, 25], [$up, 50]], 50, $jobs) + 0.1);
        $server = $queue->server + ['steps' => sprintf('%d:25,%d:50', $down * 1000, $up * 1000)];
        return $row->with(
            group: '50, 25, 50/s, nothing said',
            name: "$says/steps/50-25-50/b50/w16/100ms",
            queues: [$queue->with(server: $server, optimum: $optimum)],
            goal: new Goal(1.07, 1),
        );
    }

    /** 100, then 50, then 100 per window of 10 s. */
    private function stepping_window(): Scenario
    {
        [$down, $up] = $this->part < 1 ? [13.63, 23.63] : [23.63, 53.63];
        $jobs = $this->part < 1 ? 270 : 850;
        $row = $this->unix_window(100, 10.0, 10, 0.02);
        $optimum = window_optimum([[0.0, 100], [$down, 50], [$up, 100]], 10.0, 3.63, $jobs, 10, 0.02);
        $server = $row->queues[0]->server + ['steps' => sprintf('%d:50,%d:100', $down * 1000, $up * 1000)];
        $queue = new Queue($server, 10, array_fill(0, $jobs, 1), $optimum);
        return $row->with(name: 'bare/steps/100-50-100-per-10s/w10/20ms', queues: [$queue]);
    }

    private function count(int $jobs): int
    {
        return (int) round($jobs * $this->part);
    }

    /** A refusal takes 2 ms, of an API with slow answers 150 ms. */
    private static function answers(string $says, float $latency, int $per = 1): array
    {
        return ['delay' => (int) round($latency * 1000), 'refuse_delay' => $per === 60 ? 150 : 2, 'retry_after' => self::RETRY_AFTER[$says]];
    }
}

function short(float $latency): string
{
    return $latency < 1 ? round($latency * 1000) . 'ms' : "{$latency}s";
}

/** @return list<int> the same ones each time */
function lognormal_costs(int $count, float $mean, float $variation, int $least, int $most): array
{
    mt_srand(1);
    $variance = log($variation ** 2 + 1);
    $costs = [];
    while (count($costs) < $count) {
        $normal = sqrt(-2 * log(1 - mt_rand() / (mt_getrandmax() + 1))) * cos(2 * M_PI * mt_rand() / mt_getrandmax());
        $costs[] = (int) round(min(max(exp(log($mean) - $variance / 2 + sqrt($variance) * $normal), $least), $most));
    }
    mt_srand();
    return $costs;
}
