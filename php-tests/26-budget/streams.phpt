--TEST--
Neither a body that does not come nor a sink that takes nothing outlasts the budget
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';

/** A byte every 50 ms, forty times; writes take half a second. */
class Slow
{
    public mixed $context = null;
    private int $read = 0;

    public function stream_open(): bool { return true; }
    public function stream_eof(): bool { return $this->read >= 40; }
    public function stream_stat(): array { return []; }

    public function stream_read(int $count): string
    {
        usleep(50_000);
        $this->read++;
        return 'x';
    }

    public function stream_write(string $data): int
    {
        usleep(500_000);
        return strlen($data);
    }
}
stream_wrapper_register('slow', Slow::class);

$client = new RetryClient(budget: 0.4);
function assert_in_time(string $what, callable $call): void
{
    $seconds = seconds($call, $thrown);
    assert_true($thrown instanceof RetryClient\BudgetExceededException, "$what: " . show($thrown));
    assert_between(0.4, 0.6, $seconds, $what);
}

/** Streams that say nothing and, past what fits between, take nothing. */
$streams = [
    'pipe' => static fn(string $mode) => popen('sleep 1.5', $mode),
    'socket' => static function (string $mode) {
        global $others;
        [$one, $others[]] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        return $one;
    },
    'tcp' => static function (string $mode) {
        global $others;
        $others[] = $server = stream_socket_server('tcp://127.0.0.1:0');
        $one = stream_socket_client('tcp://' . stream_socket_get_name($server, false));
        $others[] = stream_socket_accept($server);
        return $one;
    },
];
$url = script('sent', [[]]);
foreach ($streams as $what => $open) {
    $stream = $open('r');
    assert_in_time("body, $what", static fn() => $client->post($url, body: $stream));
}
assert_in_time('multipart', static fn() => $client->post($url, multipart: ['f' => fopen('slow://x', 'r')]));
assert_in_time('body, slow', static fn() => $client->post($url, body: fopen('slow://x', 'r')));
assert_same([], received('sent'), 'what is not whole is not sent');

$url = script('large', [['body_repeat' => ['x', 30_000_000]]]);
foreach ($streams as $what => $open) {
    $stream = $open('w');
    assert_in_time("sink, $what", static fn() => $client->get($url, sink: $stream));
}
assert_in_time('sink, slow', static fn() => $client->get($url, sink: fopen('slow://x', 'w')));

// In time all is well, and a signal is handled while there is nothing to read.
pcntl_async_signals(true);
pcntl_signal(SIGALRM, static function () use (&$alarmed) { $alarmed = hrtime(true); });
$begin = hrtime(true);
pcntl_alarm(1);
$stream = popen('echo first; sleep 1.5; echo second', 'r');
$response = (new RetryClient(budget: 10.0))->post(script('whole', [['action' => 'echo']]), body: $stream);
assert_same("first\nsecond\n", base64_decode($response->json()['body_base64']), 'the body');
assert_between(0.9, 1.3, ($alarmed - $begin) / 1e9, 'the signal');

[$one, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$pid = pcntl_fork();
if ($pid === 0) {
    fclose($one);
    usleep(200_000);
    $all = stream_get_contents($other);
    exit(strlen($all) === 30_000_000 && trim($all, 'x') === '' ? 7 : 8);
}
fclose($other);
(new RetryClient(budget: 20.0))->get($url, sink: $one);
fclose($one);
pcntl_waitpid($pid, $status);
assert_same(7, pcntl_wexitstatus($status), 'a slow reader gets all');
done();
?>
--EXPECT--
done
