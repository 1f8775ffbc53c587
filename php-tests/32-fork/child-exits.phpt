--TEST--
However a child ends, its parent's connections live on
--EXTENSIONS--
retry_client
pcntl
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: server('ca'), maxAttempts: 1);
$ends = [
    'exit' => fn() => exit(0),
    'exit after a call' => function () use ($client) { $client->get(server('https') . '/status/200'); exit(0); },
    'exit after the client is gone' => function () use (&$client) { unset($GLOBALS['client'], $client); gc_collect_cycles(); exit(0); },
    'a fatal error' => function () { ini_set('display_errors', '0'); throw new Error('fatal'); },
];
foreach (['http', 'https', 'h2'] as $on) {
    $url = script($on, [['body' => 'ok']], $on);
    $client->get($url);
    foreach ($ends as $how => $end) {
        $child = pcntl_fork();
        if ($child === 0) {
            $end();
        }
        pcntl_waitpid($child, $status);
        assert_same(true, pcntl_wifexited($status), "$how: exited");
        assert_same('ok', $client->get($url)->body, "$on: after $how");
    }
    assert_same(1, count(array_unique(array_column(received($on, 5), 'connection'))), "$on: connections");
}
done();
?>
--EXPECT--
done
