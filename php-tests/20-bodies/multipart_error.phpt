--TEST--
A multipart body that cannot be is refused before anything is sent
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [[]]);
$client = new RetryClient();
$closed = tmpfile();
fclose($closed);
$write = fopen('php://output', 'w');
$cases = [
    'must be an open stream resource for "f"' => ['f' => $closed],
    'must be a readable stream for "f"' => ['f' => $write],
    'must have contents of type string or resource, null given for "f"' => ['f' => null],
    'must have the key contents for "f"' => ['f' => ['filename' => 'x']],
    'must have only the keys contents, filename and type for "f"' => ['f' => ['contents' => '', 'name' => 'x']],
    'must not have control characters in the type for "f"' => ['f' => ['contents' => '', 'type' => "a\r\nX: 1"]],
];
foreach ($cases as $rule => $multipart) {
    assert_contains($rule, thrown_by(fn() => $client->post($url, multipart: $multipart))?->getMessage() ?? '');
}
assert_same([], received('a'), 'requests');
done();
?>
--EXPECT--
done
