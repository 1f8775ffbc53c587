--TEST--
The scripted server answers, and the helpers read what it saw (no extension needed)
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 429, 'headers' => [['Retry-After', '1']]], ['body' => 'ok']]);
$context = stream_context_create(['http' => ['method' => 'POST', 'content' => 'hello', 'ignore_errors' => true,
    'header' => "X-Test: 1\r\nContent-Type: text/plain\r\n"]]);
file_get_contents($url, context: $context);
assert_contains(' 429 ', $http_response_header[0], 'first answer');
usleep(50_000);
assert_same('ok', file_get_contents($url, context: $context), 'second answer');

$log = received('a', 2);
assert_same(2, count($log), 'requests');
assert_same('1', header_of($log[0], 'x-test'), 'header');
assert_same(null, header_of($log[0], 'x-other'), 'absent header');
assert_same('hello', body_of($log[1]), 'body');
assert_between(0.05, 2.0, gaps($log)[0], 'gap');

assert_contains('unknown field', thrown_by(fn() => script('b', [['staus' => 429]]))->getMessage(), 'a mistake');
done();
?>
--EXPECT--
done
