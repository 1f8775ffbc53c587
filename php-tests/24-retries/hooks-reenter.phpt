--TEST--
A hook may use the client, the same or another
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$inner = [];
$client = null;
$client = new RetryClient(baseDelay: 0.01, jitter: 0.0, onRetry: function (RetryClient\Attempt $failed) use (&$client, &$inner) {
    $inner[] = $client->with(onRetry: null)->get(server('http') . '/bytes/3')->body;
    $inner[] = $client->with(onRetry: null)->get(script('inner', [['status' => 503], ['body' => 'in']]))->body;
});
assert_same('out', $client->get(script('outer', [['status' => 503], ['body' => 'out']]))->body, 'outer');
assert_same(['xxx', 'in'], $inner, 'inner');
done();
?>
--EXPECT--
done
