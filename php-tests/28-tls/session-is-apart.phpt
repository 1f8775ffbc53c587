--TEST--
A connection made without verification is not used by a client that verifies
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$untrusted = server('untrusted') . '/status/200';
assert_same(200, (new RetryClient(verify: false))->get($untrusted)->status);
assert_same('tls', thrown_by(fn() => (new RetryClient(verify: server('ca')))->get($untrusted))?->kind);
assert_same('tls', thrown_by(fn() => (new RetryClient())->get($untrusted))?->kind);
done();
?>
--EXPECT--
done
