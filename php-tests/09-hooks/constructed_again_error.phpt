--TEST--
A hook cannot construct its client anew
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

foreach ([RetryClient::class, FakeClient::class] as $class) {
    $hook = static function () use (&$client, $class) {
        assert_throws(Error::class, "Cannot call constructor of $class twice", static fn() => $class === FakeClient::class ? $client->__construct([]) : $client->__construct());
    };
    $client = $class === FakeClient::class ? new FakeClient([new Response()], onAttempt: $hook) : new RetryClient(onAttempt: $hook);
    assert_same(200, $client->get(script('a', [[]]))->status);
}
done();
?>
--EXPECT--
done
