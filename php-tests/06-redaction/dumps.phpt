--TEST--
No dump of a client, a request or a response shows a credential
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/secrets.inc';

use RetryClient\{FakeClient, HttpException, Request, Response};

$url = script('a', [['headers' => [
    ['Set-Cookie', 'a=' . secret('cookie')], ['X-Api-Key', secret('x-api-key')], ['Authorization', secret('authorization')],
    ['Location', secret_uri('http://a.test/')], ['Content-Location', '/x?' . secret('query')], ['Refresh', '0; url=http://a.test/?' . secret('query')],
]]]);
$fake = new FakeClient([new Response()], ...secret_options());
$fake->post('x', ...secret_arguments(json: ['a' => secret('body')]));
foreach ([
    'client' => secret_client(proxy: 'http://user:' . secret('proxy') . '@a.test'),
    'copy' => secret_client()->with(headers: ['Authorization' => secret('authorization')]),
    'fake client' => $fake,
    'copy of a fake client' => $fake->with(limitKey: secret('limitKey')),
    'sent requests' => $fake->requests(),
    'request' => secret_request(),
    'request with a body' => secret_request(json: null, body: secret('body')),
    'request with an object as body' => secret_request(json: null, body: new class { private string $text = SECRETS['body']; public function __toString(): string { return $this->text; } }),
    'request with a form' => secret_request(json: null, form: ['a' => secret('body'), 'b' => [secret('body')]]),
    'request with files' => secret_request(json: null, multipart: ['a' => ['contents' => secret('body')], 'b' => secret('body')]),
    'request with an object as json' => secret_request(json: new Response(body: secret('body'))),
    'response' => secret_client()->get("$url?" . secret('query')),
    'exception with a response' => new HttpException('x', response: secret_client()->get("$url?" . secret('query'))),
    'all of them in an array' => [[secret_client(), secret_request()]],
] as $name => $value) {
    assert_hidden(shown($value), $name);
    if ($value instanceof RetryClient\ClientInterface) {
        assert_hidden(json_encode($value) . json_encode(get_object_vars($value)) . json_encode((array) $value), "$name as data");
        assert_hidden(json_encode(array_map(static fn($property) => $property->name, (new ReflectionObject($value))->getProperties())), "$name by reflection");
    }
}
done();
?>
--EXPECT--
done
