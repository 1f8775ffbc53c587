--TEST--
At most one of body, json, form and multipart
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
$bodies = ['body' => [3, ''], 'json' => [4, false], 'form' => [5, ['a' => '']], 'multipart' => [7, ['a' => '']]];
$url = server('refused');
foreach ($bodies as $first => [, $firstValue]) {
    foreach ($bodies as $second => [$number, $secondValue]) {
        if (array_search($first, array_keys($bodies)) >= array_search($second, array_keys($bodies))) {
            continue;
        }
        $given = [$second => $secondValue, $first => $firstValue];
        $rule = "must not be given together with \$$first";
        assert_throws(ValueError::class, "RetryClient::post(): Argument #$number (\$$second) $rule", static fn() => $client->post($url, ...$given));
        assert_throws(ValueError::class, 'RetryClient::send(): Argument #' . $number + 1 . " (\$$second) $rule", static fn() => $client->send('POST', $url, ...$given));
        assert_throws(ValueError::class, 'RetryClient\Request::__construct(): Argument #' . $number + 1 . " (\$$second) $rule", static fn() => new RetryClient\Request('POST', $url, ...$given));
    }
}
assert_throws(
    ValueError::class,
    'RetryClient::post(): Argument #4 ($json) must not be given together with $body',
    static fn() => $client->post($url, body: 'a', json: 1, form: ['a' => 1], multipart: ['a' => 1]),
);
done();
?>
--EXPECT--
done
