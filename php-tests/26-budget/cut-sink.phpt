--TEST--
Writing to a sink is inside the budget, and the old file stays
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$path = folder() . '/out';
file_put_contents($path, 'the old one');
$url = script('a', [['action' => 'endless', 'body' => str_repeat('x', 1000)]]);
$seconds = seconds(fn() => (new RetryClient(budget: 0.3))->get($url, sink: $path), $thrown);
assert_same(RetryClient\BudgetExceededException::class, get_debug_type($thrown));
assert_between(0.3, 0.5, $seconds, 'seconds');
assert_same('the old one', file_get_contents($path), 'file');
assert_same(['out'], array_values(array_diff(scandir(dirname($path)), ['.', '..'])), 'nothing is left beside it');
done();
?>
--EXPECT--
done
