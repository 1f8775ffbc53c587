--TEST--
Content-Type and Content-Length: whose counts
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

function type(array $default, array $own, mixed ...$body): ?array
{
    $client = new FakeClient([new Response()], headers: $default);
    $client->post('http://a.test/', ...['headers' => $own] + $body);
    return $client->requests()[0]->headers['content-type'] ?? null;
}

$kind = ['Content-Type' => 'application/vnd.api+json'];
$other = ['content-type' => 'text/other'];
// A type of the client's may be a kind of JSON, but never fits a form.
assert_same(['application/json'], type([], [], json: 1));
assert_same(['application/vnd.api+json'], type($kind, [], json: 1));
assert_same(['text/other'], type($kind, $other, json: 1));
assert_same(['application/x-www-form-urlencoded'], type([], [], form: ['a' => 1]));
assert_same(['application/x-www-form-urlencoded'], type($kind, [], form: ['a' => 1]));
assert_same(['text/other'], type($kind, $other, form: ['a' => 1]));
assert_same(['application/vnd.api+json'], type($kind, [], body: 'x'));
assert_same(null, type([], [], body: 'x'));
assert_true(preg_match('~^multipart/form-data; boundary=[\w-]+$~', type($kind, $other, multipart: ['a' => '1'])[0]) === 1, 'multipart names its boundary');
foreach ([['json' => 1], ['form' => ['a' => 1]], ['body' => 'x']] as $body) {
    assert_same([null, null], [type([], ['Content-Type' => []], ...$body), type($kind, ['Content-Type' => []], ...$body)], 'none');
}

// A true Content-Length is sent once, another is refused.
$url = script('a', [[]]);
$client = new RetryClient();
$client->post($url, headers: ['Content-Length' => '5'], body: 'hello');
assert_same('5', header_of(received('a', 1)[0], 'Content-Length'));
$must = 'RetryClient::post(): Argument #2 ($headers) must not have another "content-length" than the body\'s, which is 5';
foreach (['4', '6', '-1', '5, 5', '0x5', '', ['5', '6']] as $wrong) {
    assert_throws(ValueError::class, $must, static fn() => $client->post($url, headers: ['Content-Length' => $wrong], body: 'hello'));
}
assert_same(1, count(received('a')), 'nothing else was sent');
done();
?>
--EXPECT--
done
