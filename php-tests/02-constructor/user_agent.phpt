--TEST--
The user agent: version of the extension and of PHP unless given, none if empty
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$version = (new ReflectionExtension('retry_client'))->getVersion();
foreach ([
    [[], "retry_client/$version PHP/" . PHP_VERSION],
    [['userAgent' => null], "retry_client/$version PHP/" . PHP_VERSION],
    [['userAgent' => 'mine/1'], 'mine/1'],
    [['userAgent' => ''], null],
    [['userAgent' => 'mine/1', 'headers' => ['USER-agent' => 'theirs']], 'theirs'],
    [['userAgent' => 'mine/1', 'headers' => ['User-Agent' => []]], null],
] as $number => [$options, $expected]) {
    (new RetryClient(...$options))->get($url);
    assert_same($expected, header_of(received('a', $number + 1)[$number], 'User-Agent'), json_encode($options));
}
assert_throws(ValueError::class, 'RetryClient::__construct(): Argument #27 ($userAgent) must not contain control characters', static fn() => new RetryClient(userAgent: "a\r\nB: c"));
done();
?>
--EXPECT--
done
