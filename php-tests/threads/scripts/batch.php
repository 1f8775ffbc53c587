<?php
// Many at once, each with an answer of its own.
require __DIR__ . '/../../support.php';

$requests = static function () use ($round, $thread, $request) {
    for ($i = 0; $i < 60; $i++) {
        yield "k$i" => new RetryClient\Request('GET', server('http') . "/delay/5?body=r$round-t$thread-q$request-$i");
    }
};
$bodies = [];
foreach ((new RetryClient())->sendAll($requests(), concurrency: 12) as $key => $response) {
    $bodies[$key] = $response->body;
}
ksort($bodies);
$expected = [];
for ($i = 0; $i < 60; $i++) {
    $expected["k$i"] = "r$round-t$thread-q$request-$i";
}
ksort($expected);
assert_same($expected, $bodies);
done();
