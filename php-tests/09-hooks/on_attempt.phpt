--TEST--
onAttempt: the headers it returns are added to this attempt
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['status' => 503], ['status' => 503], []]);
$client = new RetryClient(baseDelay: 0, jitter: 0, headers: ['X-Client' => 'client', 'X-List' => ['a', 'b']], onAttempt: static fn($request, int $attempt) => match ($attempt) {
    1 => ['traceparent' => '00-1', 'x-LIST' => 'one', 'User-Agent' => 'hook'],
    2 => null,
    3 => ['X-List' => ['c', 'd', 5], 'X-Own' => 'hook', 'Authorization' => "bytes \xff", 'X-Client' => ''],
});
$client->get($url, headers: ['X-Own' => 'request']);
[$first, $second, $third] = received('a', 3);
$of = static fn(array $sent) => array_map(static fn($name) => header_of($sent, $name), ['traceparent', 'X-List', 'X-Own', 'X-Client', 'Authorization']);
assert_same(['00-1', 'one', 'request', 'client', null], $of($first));
assert_same('hook', header_of($first, 'User-Agent'));
assert_same([null, ['a', 'b'], 'request', 'client', null], $of($second), 'nothing is left of the first');
assert_same([null, ['c', 'd', '5'], 'hook', '', 'bytes ÿ'], $of($third));

// An empty array adds nothing.
$client->with(onAttempt: static fn() => [])->get($url);
assert_same(['a', 'b'], header_of(received('a', 4)[3], 'X-List'));

// The key is made before, so a hook can replace it.
$post = script('b', [['status' => 503], []]);
$client->with(onAttempt: static fn($request, $attempt) => $attempt === 2 ? ['Idempotency-Key' => 'own'] : null)->post($post);
$log = received('b', 2);
assert_true(strlen(header_of($log[0], 'Idempotency-Key')) === 36, 'the client\'s own');
assert_same('own', header_of($log[1], 'Idempotency-Key'));
done();
?>
--EXPECT--
done
