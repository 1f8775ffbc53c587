--TEST--
The body of a POST does not follow a 302 elsewhere
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$to = script('to', [[]]);
(new RetryClient())->post(script('from', [['action' => 'redirect', 'location' => str_replace(server('http'), server('control'), $to)]]), json: ['password' => 's3cret']);
[$entry] = received('to', 1);
assert_same(['GET', '', null], [$entry['method'], body_of($entry), header_of($entry, 'Content-Type')]);
assert_same(null, header_of($entry, 'Idempotency-Key'), 'a GET has no key');
done();
?>
--EXPECT--
done
