--TEST--
A backtrace taken in the middle of a call shows no credential
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/secrets.inc';

final class Asked implements JsonSerializable
{
    public function __toString(): string { look('Stringable'); return 'text'; }
    public function jsonSerialize(): mixed { look('JsonSerializable'); return 'json'; }
}
$looked = [];
function look(string $from): void
{
    $GLOBALS['looked'][] = $from;
    ob_start();
    debug_print_backtrace();
    assert_hidden(ob_get_clean() . shown(debug_backtrace()), "$from: backtrace");
}

$hooks = [
    'onAttempt' => static function ($request, int $attempt) { look('onAttempt'); },
    'onOutcome' => static function ($attempt, $response) { look('onOutcome'); },
    'onRetry' => static function ($attempt, float $wait) { look('onRetry'); return false; },
];
$client = secret_client(...$hooks, maxAttempts: 2, throwOnGiveUp: false);
$url = script('a', [['status' => 503]]);
$client->post("$url?" . secret('query'), ...secret_arguments(json: [secret('body'), new Asked()], headers: ['Authorization' => secret('authorization'), 'X' => new Asked()]));
$client->sendRequest(new RetryClient\Request('POST', $url, ...secret_arguments(json: [secret('body'), new Asked()])));
(new RetryClient(headers: ['Authorization' => secret('authorization'), 'X' => new Asked()]))->with(headers: ['Authorization' => secret('authorization'), 'X' => new Asked()]);
(new RetryClient\FakeClient(static function ($request) { look('answers'); return new RetryClient\Response(); }, ...secret_options(...$hooks)))->post('x', ...secret_arguments(body: new Asked()));
$looked = array_count_values($looked);
ksort($looked);
assert_same(['JsonSerializable', 'Stringable', 'answers', 'onAttempt', 'onOutcome', 'onRetry'], array_keys($looked));
done();
?>
--EXPECT--
done
