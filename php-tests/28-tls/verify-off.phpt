--TEST--
verify: false takes any certificate
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(verify: false);
foreach (['https', 'untrusted', 'self_signed', 'expired', 'wrong_host', 'h2'] as $which) {
    assert_same(200, $client->get(server($which) . '/status/200')->status, $which);
}
done();
?>
--EXPECT--
done
