--TEST--
Each verb sends its method, with all arguments by name or by position
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient();
foreach (['get', 'post', 'put', 'patch', 'delete', 'head'] as $number => $verb) {
    $named = $client->$verb(uri: "$url?a=1", headers: ['X-A' => 'b'], body: 'content', query: ['q' => '1'], cost: 2, limitKey: 'k');
    $positional = $client->$verb("$url?a=1", ['X-A' => 'b'], 'content', null, [], ['q' => '1'], [], null, 'k', 2.0);
    $sent = $client->send($verb, "$url?a=1", ['X-A' => 'b'], 'content', query: ['q' => '1']);
    assert_same([200, 200, 200], [$named->status, $positional->status, $sent->status], $verb);
    foreach (array_slice(received('a', 3 * $number + 3), -3) as $request) {
        assert_same(strtoupper($verb), $request['method']);
        assert_same('/' . script_name('a') . '?a=1&q=1', $request['target'], $verb);
        assert_same(['b', 'content'], [header_of($request, 'X-A'), body_of($request)], $verb);
    }
}
done();
?>
--EXPECT--
done
