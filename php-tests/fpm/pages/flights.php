<?php

/**
 * Ends, in the plan's way, while calls are under way: started ones (of which one is being read), a batch and a stream.
 *
 * `how` is as end_by() has it, or `return`. `place` is where: `page`, at the end of the file, all kept in variables;
 * `property`, the same kept in a static property and a cycle; `function`, in one whose locals they are; `batch` and `stream`,
 * in the body of that loop; `journal`, in that of a batch with the plan's `journal`, whose key `yielded` has come; or in the
 * code that a batch or a started call runs. `stall`, `endless` and `quick` are URLs of answers of that kind. With `later`, a
 * shutdown function waits for a call that was started before, and for a new one.
 */

declare(strict_types=1);

require __DIR__ . '/lib.php';

use RetryClient\{Pending, Request, Responses, StreamIterator};

final class Kept
{
    /** @var list<object> */
    public static array $things = [];
    public ?self $self = null;
    /** @var list<object> */
    public array $others = [];
}

final class Flights
{
    /** @var list<Pending> */
    public array $pending;
    public Responses $batch;
    public StreamIterator $stream;

    public function __construct(RetryClient $client, string $stall, string $endless, string $quick)
    {
        $started = $client->start(new Request('GET', $endless));
        $this->pending = [$started, $client->start(new Request('GET', $stall)), $client->start(new Request('POST', $stall, body: 'x'))];
        $this->stream = $client->stream('GET', $endless)->events();
        $this->stream->rewind();
        $this->batch = $client->sendAll(['quick' => new Request('GET', $quick), new Request('GET', $stall), new Request('GET', $endless)], 3);
        $this->batch->rewind();
        while ($started->received() === 0) {
            RetryClient::poll([$started]);
        }
    }
}

$plan = plan();
['stall' => $stall, 'endless' => $endless, 'quick' => $quick] = $plan;
$client = new RetryClient(maxAttempts: 1, verify: $plan['verify']);
$die = static function () use ($plan): void {
    if ($plan['how'] !== 'return') {
        end_by($plan['how']);
    }
};
if (isset($plan['later'])) {
    $earlier = $client->start(new Request('GET', $plan['later']));
    register_shutdown_function(static function () use ($client, $plan, $earlier): void {
        echo $earlier->wait()->body, ' ', $client->get($plan['later'])->body;
    });
}
$flights = new Flights($client, $stall, $endless, $quick);
$one = new Request('GET', $quick);

switch ($plan['place']) {
    case 'page':
        $die();
        break;
    case 'property':
        $kept = new Kept();
        $kept->self = $kept;
        $kept->others = [$flights];
        Kept::$things = [$kept, new Flights($client, $stall, $endless, $quick)];
        unset($kept, $flights);
        $die();
        break;
    case 'function':
        unset($flights);
        (static function () use ($client, $stall, $endless, $quick, $die): void {
            $flights = new Flights($client, $stall, $endless, $quick);
            $die();
        })();
        break;
    case 'batch':
        foreach ($client->sendAll([$one, new Request('GET', $stall)], 2) as $response) {
            $die();
            return;
        }
        break;
    case 'stream':
        foreach ($client->stream('GET', $endless)->events() as $event) {
            $die();
            return;
        }
        break;
    case 'onAttempt':
    case 'onOutcome':
        $client->with(...[$plan['place'] => $die])->start($one)->wait();
        break;
    case 'onOutcome of a batch':
        iterator_to_array($client->with(onOutcome: $die)->sendAll([new Request('GET', $stall), $one], 2));
        break;
    case 'onOutcome beside a stream':
        $started = $client->with(onOutcome: $die)->start($one);
        while (!$started->done()) {
            $flights->stream->next();
        }
        $started->wait();
        break;
    case 'journal':
        foreach ($client->sendAll(['yielded' => $one, 'stall' => new Request('GET', $stall)], 2, journal: $plan['journal']) as $response) {
            $die();
            return;
        }
        break;
    case 'onProgress':
        iterator_to_array($client->sendAll([new Request('GET', $stall), $one], 2, $die));
        break;
    case 'input':
        iterator_to_array($client->sendAll((static function () use ($one, $die) {
            yield $one;
            $die();
        })(), 2));
        break;
    case 'iterable of poll':
        RetryClient::poll((static function () use ($flights, $die) {
            yield $flights->pending[0];
            $die();
        })());
        break;
}
