--TEST--
A name is resolved by the system, and every address is tried
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$port = parse_url(server('http'), PHP_URL_PORT);
$url = script('a', [['body' => 'x']]);
assert_same('x', (new RetryClient())->get(str_replace('127.0.0.1', 'localhost', $url))->body);
assert_same("localhost:$port", header_of(received('a', 1)[0], 'Host'));
done();
?>
--EXPECT--
done
