<?php

/**
 * One batch by real processes: hands out its jobs until all are done, and prints how it went.
 *
 * usage: batch.php FILE
 *
 * The file is JSON:
 *   commands  by machine: PHP with its options, and the worker's script
 *   client, options  as batch-worker.php takes them
 *   queues    list of {url, model, workers, costs}: `costs` has one entry for each job. The workers of a queue are spread
 *             over the machines
 *   kill      one random worker is killed (-9) each second; another does its unfinished job
 *   start     null, or [period, phase]: begin when the Unix time modulo `period` is `phase`
 *   timeout   seconds after which it is broken off
 *
 * What it prints is JSON: `ends` (by queue, seconds from the beginning to the last result), `lost`, `reasons`,
 * `unfinished`, `attempts` (the most of one job), `served` (by machine).
 */

declare(strict_types=1);

final class Worker
{
    /** @var resource */
    private $process;
    /** @var resource */
    private $input;
    /** @var resource */
    public $output;
    /** What its job costs, null when it has none. */
    public ?int $job = null;
    public bool $ready = false;

    /** @param list<string> $command */
    public function __construct(private readonly array $command, public readonly int $machine, public readonly int $queue)
    {
        $this->start();
    }

    public function start(): void
    {
        $this->ready = false;
        $this->process = proc_open($this->command, [['pipe', 'r'], ['pipe', 'w'], ['file', 'php://stderr', 'a']], $pipes);
        [$this->input, $this->output] = $pipes;
    }

    public function send(int $cost): void
    {
        $this->job = $cost;
        @fwrite($this->input, "$cost\n");
    }

    public function kill(): void
    {
        proc_terminate($this->process, 9);
    }

    public function close(): void
    {
        fclose($this->input);
        fclose($this->output);
        proc_close($this->process);
    }
}

final class Batch
{
    /** @var array<int, Worker> */
    private array $workers = [];
    /** @var list<list<int>> by queue: what the jobs left cost, the next one last */
    private array $jobs;
    private array $result;
    private int $begin = 0;

    public function __construct(private readonly stdClass $plan)
    {
        $this->jobs = array_map(static fn(stdClass $queue): array => array_reverse($queue->costs), $plan->queues);
        $queues = count($plan->queues);
        $this->result = [
            'ends' => array_fill(0, $queues, 0.0),
            'lost' => 0,
            'reasons' => [],
            'unfinished' => 0,
            'attempts' => 0,
            'served' => array_fill(0, count($plan->commands), 0),
        ];
        foreach ($plan->queues as $number => $queue) {
            for ($i = 0; $i < $queue->workers; $i++) {
                $machine = $i % count($plan->commands);
                $arguments = [$plan->client, $queue->url, $queue->model, json_encode($plan->options)];
                $this->workers[] = new Worker([...$plan->commands[$machine], ...$arguments], $machine, $number);
            }
        }
    }

    public function run(): array
    {
        foreach ($this->workers as $worker) {
            $worker->ready = fgets($worker->output) === "ready\n" ?: throw new RuntimeException('a worker does not start');
        }
        $this->wait_for_the_phase();
        $this->begin = hrtime(true);
        array_map($this->next(...), $this->workers);
        for ($second = 1; $this->busy() && $this->elapsed() < $this->plan->timeout; ) {
            if ($this->plan->kill && $this->elapsed() > $second) {
                $this->workers[array_rand($this->workers)]->kill();
                $second++;
            }
            $this->read();
        }
        return $this->result;
    }

    public function stop(): void
    {
        foreach ($this->workers as $worker) {
            $worker->kill();
            $worker->close();
        }
        $this->workers = [];
    }

    private function read(): void
    {
        $ready = array_map(static fn(Worker $worker) => $worker->output, $this->workers);
        $none = null;
        if (!@stream_select($ready, $none, $none, 0, 20_000)) {
            return;
        }
        foreach (array_keys($ready) as $key) {
            $worker = $this->workers[$key];
            $line = fgets($worker->output);
            if ($line === false) {
                $worker->close();
                if (!$this->plan->kill && $worker->job !== null) {
                    $this->note($worker, 'lost 0 the worker has ended');
                }
                $worker->start();
            } elseif ($line === "ready\n") {
                $worker->ready = true;
                $worker->job === null ? $this->next($worker) : $worker->send($worker->job);
            } else {
                $this->note($worker, $line);
                $this->next($worker);
            }
        }
    }

    private function note(Worker $worker, string $line): void
    {
        if (!preg_match('/^(done|lost) (\d+) ?(.*)$/', $line, $m)) {
            throw new RuntimeException("a worker says: $line");
        }
        $worker->job = null;
        if ($m[1] === 'lost') {
            $this->result['lost']++;
            $this->result['reasons'][$m[3]] = ($this->result['reasons'][$m[3]] ?? 0) + 1;
        } else {
            $this->result['served'][$worker->machine]++;
        }
        $this->result['attempts'] = max($this->result['attempts'], (int) $m[2]);
        $this->result['ends'][$worker->queue] = $this->elapsed();
    }

    private function next(Worker $worker): void
    {
        $cost = array_pop($this->jobs[$worker->queue]);
        if ($cost !== null) {
            $worker->send($cost);
        }
    }

    /** How many jobs are not done is in the result, too. */
    private function busy(): bool
    {
        $under_way = count(array_filter($this->workers, static fn(Worker $worker): bool => $worker->job !== null));
        return ($this->result['unfinished'] = array_sum(array_map(count(...), $this->jobs)) + $under_way) > 0;
    }

    private function wait_for_the_phase(): void
    {
        if ($this->plan->start !== null) {
            [$period, $phase] = $this->plan->start;
            $wait = fmod($phase - fmod(microtime(true), $period) + $period, $period);
            usleep((int) ($wait * 1e6));
        }
    }

    private function elapsed(): float
    {
        return (hrtime(true) - $this->begin) / 1e9;
    }
}

$batch = new Batch(json_decode(file_get_contents($argv[1]), flags: JSON_THROW_ON_ERROR));
register_shutdown_function($batch->stop(...));
if (function_exists('pcntl_signal')) {
    pcntl_async_signals(true);
    foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
        pcntl_signal($signal, static fn() => exit(130));        // the shutdown function ends the workers
    }
}
echo json_encode($batch->run());
