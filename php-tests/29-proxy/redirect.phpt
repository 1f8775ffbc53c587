--TEST--
Each hop of a redirect chooses its proxy
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

putenv('http_proxy=' . server('proxy'));
putenv('no_proxy=localhost');
$to = script('to', [['action' => 'echo']]);
$from = script('from', [['action' => 'redirect', 'location' => str_replace('127.0.0.1', 'localhost', $to)]]);
assert_not_contains('test-proxy', (new RetryClient())->get($from)->body, 'the second hop');
assert_contains('test-proxy', json_encode(received('from', 1)[0]['headers']), 'the first hop');
done();
?>
--EXPECT--
done
