--TEST--
A failed call leaves the old file, and nothing beside it
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
file_put_contents("$folder/out", 'the old one');
$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
$steps = [
    'half' => ['action' => 'half', 'body' => 'hello world'],
    'drop' => ['action' => 'drop'],
    'truncated' => ['body' => str_repeat('x', 1000), 'encoding' => 'gzip', 'truncate' => -5],
    'gives up' => ['status' => 503, 'body' => 'come back'],
];
foreach ($steps as $what => $step) {
    thrown_by(fn() => $client->get(script('a', [$step]), sink: "$folder/out"), RetryClient\Exception::class);
    assert_same('the old one', file_get_contents("$folder/out"), $what);
    assert_same(['out'], array_values(array_diff(scandir($folder), ['.', '..'])), "$what: beside it");
}
$thrown = thrown_by(fn() => $client->get(script('a', [['status' => 503, 'body' => 'come back']]), sink: "$folder/out"), RetryClient\AttemptsExhaustedException::class);
assert_same('come back', $thrown?->response->body, 'the last response keeps its body');
done();
?>
--EXPECT--
done
