--TEST--
What json_encode refuses is a JsonException, and nothing is sent
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient();
$cycle = ['x' => null];
$cycle['x'] = &$cycle;
foreach (['infinite' => INF, 'not UTF-8' => "\xff", 'recursive' => $cycle, 'a resource' => STDERR] as $what => $value) {
    $thrown = thrown_by(fn() => $client->post($url, json: [$value]), JsonException::class);
    assert_true($thrown?->getCode() > 0, "$what: no code");
    assert_same(__FILE__, $thrown?->getFile(), "$what: file");
}
assert_same([], received('a'), 'requests');
done();
?>
--EXPECT--
done
