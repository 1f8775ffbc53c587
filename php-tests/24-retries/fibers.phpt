--TEST--
Calls in several fibers take turns in their hooks
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$log = [];
$start = function (string $name) use (&$log): Fiber {
    $url = script($name, [['status' => 503, 'times' => 2], ['body' => $name]]);
    $fiber = new Fiber(function () use ($url, $name, &$log): void {
        $client = new RetryClient(baseDelay: 0.01, jitter: 0.0, onRetry: function (RetryClient\Attempt $failed) use ($name, &$log) {
            $log[] = "$name $failed->number";
            Fiber::suspend();
        });
        $log[] = "$name got " . $client->get($url)->body;
    });
    $fiber->start();
    return $fiber;
};
[$a, $b, $c] = array_map($start, ['a', 'b', 'c']);
foreach ([$c, $a, $b, $b, $c, $a] as $fiber) {
    $fiber->resume();
}
assert_same(['a 1', 'b 1', 'c 1', 'c 2', 'a 2', 'b 2', 'b got b', 'c got c', 'a got a'], $log);

$dropped = $start('d');
unset($dropped);
gc_collect_cycles();
assert_same('d', (new RetryClient(baseDelay: 0.0, jitter: 0.0))->get(server('http') . '/' . script_name('d'))->body, 'after a fiber that was dropped');
$unfinished = $start('e');
done();
?>
--EXPECT--
done
