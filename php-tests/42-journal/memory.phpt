--TEST--
A journal of many results is read without holding their bodies
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$file = folder() . '/j';
$body = str_repeat('0123456789abcdef', 1250);
$input = static function () {
    for ($i = 0; $i < 2000; $i++) {
        yield $i => new Request('GET', "http://a.test/$i");
    }
};
$count = static function (FakeClient $client) use ($input, $file, $body): int {
    $count = 0;
    foreach ($client->sendAll($input(), journal: $file) as $response) {
        $count += $response->body === $body ? 1 : 0;
    }
    return $count;
};
assert_same(2000, $count(new FakeClient(static fn() => new Response(body: $body))), 'the first run');
assert_between(40_000_000, 60_000_000, filesize($file), 'bytes of the file');
$before = [memory_get_usage(), resident()];
assert_same(2000, $count(new FakeClient([])), 'the second run');
assert_between(0, 1_000_000, max(0, memory_get_usage() - $before[0]), "bytes of PHP's memory");
assert_between(0, 25_000_000, max(0, resident() - $before[1]), 'bytes resident');
done();
?>
--EXPECT--
done
