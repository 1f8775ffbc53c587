--TEST--
An http request is forwarded by the proxy, an https one goes through a tunnel
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(proxy: server('proxy'), verify: server('ca'));
$url = script('a', [['action' => 'echo']]);
$echo = $client->get("$url?x=1")->json();
assert_contains('test-proxy', json_encode($echo['headers']), 'Via');
$secure = $client->get(script('b', [['action' => 'echo']], 'https'))->json();
assert_not_contains('test-proxy', json_encode($secure['headers']), 'no Via inside a tunnel');
$seen = array_values(array_filter(control('GET', '/_log/_proxy'), fn($entry) => str_contains($entry['target'], script_name('a')) || $entry['target'] === substr(server('https'), 8)));
assert_true((bool) array_filter($seen, fn($entry) => $entry['note'] === 'forwarded' && $entry['target'] === "$url?x=1"), 'forwarded');
assert_true((bool) array_filter($seen, fn($entry) => $entry['note'] === 'tunnel' && $entry['method'] === 'CONNECT'), 'tunnel');
done();
?>
--EXPECT--
done
