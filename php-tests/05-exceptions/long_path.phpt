--TEST--
A message shows the beginning of a very long path
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{AttemptsExhaustedException, FakeClient, Response};

$client = new FakeClient([new Response(status: 500)], maxAttempts: 1);
try {
    $client->get('https://a.test/' . str_repeat('x', 60_000));
} catch (AttemptsExhaustedException $e) {
    assert_same(true, str_starts_with($e->getMessage(), 'GET https://a.test/xxx'), 'beginning');
    assert_same(true, str_ends_with($e->getMessage(), 'x… answered 500 Internal Server Error'), 'end');
    assert_between(500, 600, strlen($e->getMessage()), 'length');
}
echo "done\n";
?>
--EXPECT--
done
