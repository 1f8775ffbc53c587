--TEST--
A wait costs hardly any CPU
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(jitter: 0.0, baseDelay: 0.01);
$client->get(script('warm', [['status' => 500], []]));
$cpu = static function (): float {
    $usage = getrusage();
    return $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'] + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6;
};
$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '2']]], []]);
$before = $cpu();
$client->get($url);
assert_between(0.0, 0.03, $cpu() - $before, 'CPU seconds of a wait of 2 s');
done();
?>
--EXPECT--
done
