--TEST--
Arguments that change while they are read
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

/** Runs a function when it is asked for its text. */
final class Changing
{
    public function __construct(private Closure $change) {}
    public function __toString(): string { ($this->change)(); return 'changing'; }
}

/** A list whose first element empties it, and fills the memory it had. */
function vanishing(): array
{
    $list = ['to be replaced', 'b', 'c'];
    $list[0] = new Changing(static function () use (&$list) {
        $list = null;
        for ($i = 0, $kept = []; $i < 50; $i++) {
            $kept[] = [str_repeat('x', $i + 8), 2, 3];
        }
    });
    return ['a' => &$list];
}

$client = new FakeClient(static fn() => new Response());
$client->get('http://a.test/', headers: vanishing());
$client->with(headers: vanishing())->get('http://a.test/');
$client->with(onAttempt: static fn() => vanishing())->get('http://a.test/');
foreach ($client->requests() as $sent) {
    assert_same(['changing', 'b', 'c'], $sent->headers['a']);
}
assert_same(['changing', 'b', 'c'], (new Response(headers: vanishing()))->headers['a']);

// Over the network, where the body is seen.
$url = script('a', [[]]);
(new RetryClient())->post($url, multipart: vanishing());
$body = body_of(received('a', 1)[0]);
foreach (['changing', 'b', 'c'] as $content) {
    assert_contains("\r\n\r\n$content\r\n", $body);
}
$part = ['filename' => 'name', 'contents' => 'b', 'type' => 'c'];
$part['filename'] = new Changing(static function () use (&$part) { $part = null; });
(new RetryClient())->post($url, multipart: ['a' => &$part]);
assert_contains("filename=\"changing\"\r\nContent-Type: c\r\n\r\nb\r\n", body_of(received('a', 2)[1]));
done();
?>
--EXPECT--
done
