--TEST--
No message, trace or dump of an exception shows a credential
--EXTENSIONS--
retry_client
--INI--
zend.exception_ignore_args=0
zend.exception_string_param_max_len=100000
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/secrets.inc';

use RetryClient\{FakeClient, Request, Response};

final class Throwing
{
    public function __toString(): string { throw new LogicException('no text'); }
}
final class ThrowingJson implements JsonSerializable
{
    public function jsonSerialize(): mixed { throw new LogicException('no json'); }
}

$cases = [
    // Calls that fail.
    'get' => static fn() => secret_client()->get('x', ...secret_arguments()),
    'post json' => static fn() => secret_client()->post(secret_uri(server('refused')), ...secret_arguments(json: [secret('body')])),
    'put form' => static fn() => secret_client()->put('x', ...secret_arguments(form: ['a' => secret('body')])),
    'patch multipart' => static fn() => secret_client()->patch('x', ...secret_arguments(multipart: ['a' => ['contents' => secret('body')]])),
    'delete body' => static fn() => secret_client()->delete('x', ...secret_arguments(body: secret('body'))),
    'head' => static fn() => secret_client()->head('x', ['Authorization' => secret('authorization')]),
    'send by position' => static fn() => secret_client()->send('POST', '?' . secret('query'), ['Cookie' => secret('cookie')], secret('body'), null, [], ['a' => secret('query')], [], null, secret('limitKey')),
    'sendRequest' => static fn() => secret_client()->sendRequest(secret_request()),
    'sendRequest of a body' => static fn() => secret_client()->sendRequest(secret_request(json: null, body: secret('body'))),
    'no such host' => static fn() => (new RetryClient(maxAttempts: 1))->get(secret_uri('http://missing.invalid/')),
    'TLS' => static fn() => secret_client()->get(secret_uri(server('https') . '/')),
    'drop' => static fn() => secret_client()->get(script('a', [['action' => 'drop']]) . '?' . secret('query')),
    'reset' => static fn() => secret_client()->get(script('b', [['action' => 'reset']]) . '?' . secret('query')),
    'half' => static fn() => secret_client()->get(script('c', [['action' => 'half', 'body' => '0123456789']]) . '?' . secret('query')),
    'not HTTP' => static fn() => secret_client()->get(script('d', [['action' => 'raw', 'raw' => "HTTP/1.1 two\r\n\r\n"]]) . '?' . secret('query')),
    'too large' => static fn() => secret_client(maxBodySize: 2)->get(script('e', [['body' => 'large']]) . '?' . secret('query')),
    'timeout' => static fn() => secret_client(timeout: 0.05)->get(script('f', [['action' => 'stall']]) . '?' . secret('query')),
    'deadline' => static fn() => secret_client(budget: 0.05)->get(script('g', [['action' => 'stall']]) . '?' . secret('query')),
    'exhausted' => static fn() => secret_client()->get(script('h', [['status' => 500, 'headers' => [['Set-Cookie', secret('cookie')], ['X-Api-Key', secret('x-api-key')], ['Location', '/?' . secret('redirect')]]]]) . '?' . secret('query')),
    'error status' => static fn() => secret_client(throwOnError: true)->get(script('i', [['status' => 401]]) . '?' . secret('query')),
    'budget' => static fn() => secret_client(maxAttempts: 5, budget: 1, limitKey: secret('limitKey') . ' held')->get(script('j', [['status' => 429, 'headers' => [['Retry-After', '9']]]]) . '?' . secret('query')),
    'held back' => static fn() => secret_client(budget: 1, limitKey: secret('limitKey') . ' held')->get(script('j', [[]]) . '?' . secret('query')),

    // Proxies.
    'proxy refuses' => static fn() => secret_client(proxy: str_replace('://', '://user:' . secret('proxy') . '@', server('refused')))->get(server('http')),
    'proxy wants other credentials' => static fn() => secret_client(proxy: str_replace('://', '://user:' . secret('proxy') . '@', server('proxy_auth')))->get(server('https')),
    'proxy is none' => static fn() => secret_client(proxy: str_replace('://', '://user:' . secret('proxy') . '@', server('http')))->get(server('https')),
    'proxy is not found' => static fn() => secret_client(proxy: 'http://user:' . secret('proxy') . '@missing.invalid:1')->get(server('http')),
    'proxy speaks no SOCKS' => static fn() => secret_client(timeout: 1, proxy: str_replace('http://', 'socks5://user:' . secret('proxy') . '@', server('http')))->get(server('http')),
    'proxy with an unknown certificate' => static fn() => secret_client(proxy: str_replace('://', '://user:' . secret('proxy') . '@', server('proxy_tls')))->get(server('http')),
    'proxy of the environment' => static function () {
        putenv('http_proxy=' . str_replace('://', '://user:' . secret('proxy') . '@', server('refused')));
        try {
            secret_client()->get(server('http'));
        } finally {
            putenv('http_proxy');
        }
    },

    // Redirects.
    'redirect to another scheme' => static fn() => secret_client()->post(secret_redirect('r1', 'ftp://user:SECRET@a.test/SECRET?SECRET')),
    'redirect to a refusal' => static fn() => secret_client()->post(secret_redirect('r2', str_replace('://', '://user:SECRET@', server('refused')) . '/?SECRET#SECRET')),
    'redirect to no host' => static fn() => secret_client()->get(secret_redirect('r3', 'http://user:SECRET@missing.invalid/?SECRET')),
    'redirect loop' => static fn() => secret_client()->get(secret_redirect('r4', '?SECRET')),
    'redirect from https' => static fn() => secret_client(verify: server('ca'))->get(secret_redirect('r5', 'http://user:SECRET@a.test/?SECRET', 'https')),
    'redirect to an error' => static fn() => secret_client(throwOnError: true)->get(secret_redirect('r6', server('http') . '/status/404?SECRET')),

    // Wrong arguments.
    'baseUri' => static fn() => new RetryClient(...secret_options(baseUri: secret_uri('ftp://a.test'))),
    'header of the client' => static fn() => new RetryClient(headers: ['Authorization' => secret('authorization') . "\n"]),
    'header as a name' => static fn() => new RetryClient(headers: ['Authorization: ' . secret('authorization') => '']),
    'proxy' => static fn() => new RetryClient(...secret_options(proxy: 'ftp://user:' . secret('proxy') . '@a.test')),
    'other option' => static fn() => new RetryClient(...secret_options(maxAttempts: 0)),
    'unknown option' => static fn() => new RetryClient(...secret_options(nope: 1)),
    'method' => static fn() => secret_client()->send('G ET', 'x', ...secret_arguments()),
    'uri' => static fn() => secret_client()->get(secret_uri('ftp://a.test')),
    'header' => static fn() => secret_client()->get('x', ['Authorization' => secret('authorization') . "\r\nX: y"]),
    'header that throws' => static fn() => secret_client()->get('x', ['Authorization' => secret('authorization'), 'X' => new Throwing()]),
    'two bodies' => static fn() => secret_client()->post('x', body: secret('body'), json: [secret('body')]),
    'cost' => static fn() => secret_client()->get('x', ...secret_arguments(cost: 0)),
    'sink' => static fn() => secret_client()->get('x', ...secret_arguments(sink: '/missing/file')),
    'json' => static fn() => secret_client()->post('x', ...secret_arguments(json: [secret('body'), INF])),
    'json that throws' => static fn() => secret_client()->post('x', ...secret_arguments(json: [secret('body'), new ThrowingJson()])),
    'unknown argument' => static fn() => secret_client()->get('x', ...secret_arguments(url: 'y')),
    'request' => static fn() => new Request('G ET', secret_uri('http://a.test'), ...secret_arguments(body: secret('body'))),
    'no base' => static fn() => (new RetryClient())->sendRequest(new Request('GET', 'x?' . secret('query'), ...secret_arguments())),
    'multipart' => static fn() => secret_client()->post('x', ...secret_arguments(multipart: ['a' => ['contents' => secret('body'), 'type' => "a\n"]])),

    // Copies and fake clients.
    'with()' => static fn() => secret_client()->with(...secret_options(maxAttempts: 0)),
    'with() unknown' => static fn() => secret_client()->with(nope: secret('authorization')),
    'with() by position' => static fn() => secret_client()->with(secret_options()),
    'with() both' => static fn() => secret_client()->with(secret('authorization'), headers: ['Authorization' => secret('authorization')]),
    'fake without answers' => static fn() => new FakeClient(...secret_options()),
    'fake with wrong answers' => static fn() => new FakeClient([1], ...secret_options()),
    'fake by position' => static fn() => new FakeClient([], secret_options(), secret('authorization')),
    'fake with a wrong option' => static fn() => new FakeClient([], ...secret_options(maxAttempts: 0)),
    'fake used up' => static fn() => (new FakeClient([], ...secret_options()))->sendRequest(secret_request()),
    'fake that throws' => static fn() => (new FakeClient([new LogicException('x')], ...secret_options()))->post('x', ...secret_arguments(json: secret('body'))),
    'fake whose function throws' => static fn() => (new FakeClient(static fn($request) => throw new LogicException('x'), ...secret_options()))->post('x', ...secret_arguments(json: secret('body'))),
    'fake whose function is wrong' => static fn() => (new FakeClient(static fn($request) => $request, ...secret_options()))->post('x', ...secret_arguments(json: secret('body'))),

    // Hooks.
    'onAttempt throws' => static fn() => secret_client(onAttempt: static fn($request) => throw new LogicException('x'))->post('x', ...secret_arguments(json: secret('body'))),
    'onAttempt has another type' => static fn() => secret_client(onAttempt: static fn(int $request) => null)->post('x', ...secret_arguments(json: secret('body'))),
    'onAttempt returns a wrong header' => static fn() => secret_client(onAttempt: static fn() => ['Authorization' => secret('onAttempt') . "\n"])->get('x'),
    'onAttempt returns a wrong name' => static fn() => secret_client(onAttempt: static fn() => ['Authorization: ' . secret('onAttempt')])->get('x'),
    'onOutcome throws' => static fn() => secret_client(onOutcome: static fn($attempt, $response) => throw new LogicException('x'))->get('x', ...secret_arguments()),
];
foreach ($cases as $name => $case) {
    try {
        $case();
        fail("$name: nothing was thrown");
    } catch (Throwable $thrown) {
        assert_hidden(shown_of($thrown), $name . ' (' . $thrown::class . ')');
    }
}
done();
?>
--EXPECT--
done
