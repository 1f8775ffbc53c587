--TEST--
Code that runs while an argument is read can change what the argument refers to
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Request, Response};

/** Clears `$target` when it is cast, and fills the memory that comes free with other texts. */
class Clearing
{
    public mixed $target = null;
    public array $others = [];

    public function __toString(): string
    {
        $this->target = null;
        for ($i = 0; $i < 200; $i++) {
            $this->others[] = [str_repeat('z', $i), str_repeat('y', $i)];
        }
        return 'first';
    }
}

/** @return array{Clearing, array} an array of which nothing else holds the inner one */
function clearing(callable $inner): array
{
    $clearing = new Clearing();
    $clearing->target = $inner($clearing);
    return [$clearing, ['X-Name' => &$clearing->target]];
}

$list = static fn(Clearing $clearing) => [$clearing, str_repeat('b', 20), str_repeat('c', 30)];
$want = ['first', str_repeat('b', 20), str_repeat('c', 30)];
$fake = static fn(mixed ...$options) => new FakeClient(static fn() => new Response(), ...$options);

$client = $fake();
[, $headers] = clearing($list);
$client->get('http://localhost/', headers: $headers);
assert_same($want, $client->requests()[0]->headers['x-name'], 'headers of a call');

[, $headers] = clearing($list);
$client = $fake(headers: $headers);
$client->get('http://localhost/');
assert_same($want, $client->requests()[0]->headers['x-name'], 'headers of a client');

$client = $fake(onAttempt: static fn() => clearing($list)[1]);
$client->get('http://localhost/');
assert_same($want, $client->requests()[0]->headers['x-name'], 'headers of onAttempt');

[, $headers] = clearing($list);
new Request('GET', 'http://localhost/', headers: $headers);

[, $headers] = clearing($list);
assert_same($want, (new Response(headers: $headers))->headers['x-name'], 'headers of a response');

$url = script('a', [['action' => 'echo']]);
$client = new RetryClient();
[, $multipart] = clearing($list);
$client->post($url, multipart: $multipart);
$body = body_of(received('a', 1)[0]);
foreach ($want as $text) {
    assert_contains("name=\"X-Name\"\r\n\r\n$text\r\n", $body, 'multipart list');
}

$url = script('b', [['action' => 'echo']]);
[, $multipart] = clearing(static fn(Clearing $clearing) => ['filename' => $clearing, 'contents' => str_repeat('b', 20), 'type' => 'text/x-' . str_repeat('c', 30)]);
$client->post($url, multipart: $multipart);
assert_contains(
    "name=\"X-Name\"; filename=\"first\"\r\nContent-Type: text/x-" . str_repeat('c', 30) . "\r\n\r\n" . str_repeat('b', 20) . "\r\n",
    body_of(received('b', 1)[0]),
    'multipart field',
);
done();
?>
--EXPECT--
done
