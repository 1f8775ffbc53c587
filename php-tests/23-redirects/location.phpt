--TEST--
Location may be relative, and Response::$uri is where the answer came from
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
$name = script_name('a');
$base = server('http');
foreach ([
    "/$name/x?y=1" => "$base/$name/x?y=1",
    "//" . substr($base, 7) . "/$name/x" => "$base/$name/x",
    "x" => "$base/$name/x",
    "../$name/p/../q" => "$base/$name/q",
    "?only=query" => "$base/$name/start?only=query",
    "$base/$name/a b" => "$base/$name/a%20b",
    "/$name/x#there" => "$base/$name/x#there",
    "/$name/\u{fc}" => "$base/$name/%FC",
] as $location => $expected) {
    $url = script('a', [['action' => 'redirect', 'location' => $location], ['body' => 'there']]);
    $response = $client->get("$url/start?q=secret");
    assert_same(['there', $expected], [$response->body, $response->uri], $location);
}
assert_same(1, count($response->attempts), 'hops belong to one attempt');
done();
?>
--EXPECT--
done
