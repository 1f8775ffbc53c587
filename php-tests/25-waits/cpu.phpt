--TEST--
A wait is slept through
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(jitter: 0.0, baseDelay: 0.01);
$client->get(script('warm', [['status' => 500], []]));
$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '2']]], []]);
$before = getrusage()['ru_nvcsw'];
$client->get($url);
assert_between(1, 50, getrusage()['ru_nvcsw'] - $before, 'sleeps in a wait of 2 s');
done();
?>
--EXPECT--
done
