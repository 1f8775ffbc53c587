--TEST--
kill -9 at any moment: nothing that was yielded is sent again, and nothing is lost
--EXTENSIONS--
retry_client
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

$count = 60;
foreach ([1, 7, 20, 45] as $round => $after) {
    $url = script('a', [['action' => 'echo', 'delay_ms' => 15]]);
    $journal = folder() . '/batch.jsonl';
    $process = proc_open([...php_command(), __DIR__ . '/batch.inc', $url, $journal, (string) $count], [['file', '/dev/null', 'r'], ['pipe', 'w']], $pipes);
    $said = '';
    while (substr_count($said, "\n") < $after && ($line = fgets($pipes[1])) !== false) {
        $said .= $line;
    }
    usleep(random_int(0, 5000));
    posix_kill(proc_get_status($process)['pid'], SIGKILL);
    $said .= stream_get_contents($pipes[1]);
    proc_close($process);
    preg_match_all('/^key (\d+): /m', $said, $yielded);
    assert_not_contains("end\n", $said, "round $round: it was killed in the middle");
    assert_true(count($yielded[1]) >= $after, "round $round: yielded");
    usleep(50_000);    // for what was under way to arrive

    [$code, $all] = run_php(__DIR__ . '/batch.inc', [$url, $journal, (string) $count]);
    preg_match_all('/^key (\d+): (.*)$/m', $all, $got);
    $keys = $got[1];
    sort($keys, SORT_NUMERIC);
    assert_same([0, array_map(strval(...), range(0, $count - 1))], [$code, $keys], "round $round: all are there once");
    foreach ($got[1] as $i => $key) {
        assert_same("/$key", strrchr(json_decode($got[2][$i], true)['path'] ?? '/?', '/'), "round $round: the answer of $key");
    }
    $sent = array_count_values(array_map(static fn(array $entry) => basename($entry['target']), received('a')));
    foreach ($yielded[1] as $key) {
        assert_same(1, $sent[$key] ?? 0, "round $round: requests for key $key, which was yielded");
    }
    assert_same($count, count($sent), "round $round: each was sent");
    assert_true(max($sent) <= 2, "round $round: none more than twice");
    // 4 in flight and 4 read ahead may have been lost.
    assert_between($count, $count + 8, array_sum($sent), "round $round: requests");
}
done();
?>
--EXPECT--
done
