--TEST--
A gate holds back its own key only
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$headers = [['Retry-After', '5']];
$client = new RetryClient(maxAttempts: 1, throwOnGiveUp: false);
$client->get(script('a', [['status' => 429, 'headers' => $headers], []]), ['Authorization' => 'Bearer one'], limitKey: null);
$quick = function (string $what, callable $call): void {
    assert_between(0.0, 1.0, seconds($call, $response), $what);
    assert_same(0.0, $response->attempts[0]->paced, "$what: paced");
};
$url = server('http') . '/' . script_name('a');
$quick('another account', fn() => $client->get($url, ['Authorization' => 'Bearer two']));
$quick('another model', fn() => $client->post($url, ['Authorization' => 'Bearer one'], json: ['model' => 'm']));
$quick('another origin', fn() => $client->get(server('control') . '/' . script_name('a'), ['Authorization' => 'Bearer one']));
$quick('a key of its own', fn() => $client->get($url, ['Authorization' => 'Bearer one'], limitKey: 'mine'));
$quick('the client with a key of its own', fn() => $client->with(limitKey: 'other')->get($url, ['Authorization' => 'Bearer one']));
done();
?>
--EXPECT--
done
