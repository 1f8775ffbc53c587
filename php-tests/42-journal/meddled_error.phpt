--TEST--
A journal that is shortened, removed or replaced while in use: RuntimeException at the next result, or at its end
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$folder = folder();
$message = 'The journal was shortened, removed or replaced by others while in use';
$client = new FakeClient(static fn() => new Response(body: 'x'));
$requests = array_map(static fn(int $i) => new Request('GET', "http://a.test/$i"), range(0, 5));
$ways = [
    'removed' => static fn(string $file) => unlink($file),
    'replaced' => static function (string $file): void {
        copy($file, "$file.new");
        rename("$file.new", $file);
    },
    'removed and written anew' => static function (string $file): void {
        $text = file_get_contents($file);
        unlink($file);
        file_put_contents($file, $text);
    },
    'emptied' => static fn(string $file) => file_put_contents($file, ''),
    'shortened' => static function (string $file): void {
        $handle = fopen($file, 'r+');
        ftruncate($handle, filesize($file) - 1);
    },
];
foreach ($ways as $what => $way) {
    foreach (in_array($what, ['emptied', 'shortened'], true) ? [5] : [0, 2, 5] as $at) {
        $file = "$folder/" . md5("$what $at");
        $got = [];
        assert_throws(RuntimeException::class, $message, static function () use ($client, $requests, $file, $way, $at, &$got) {
            foreach ($client->sendAll($requests, 1, journal: $file) as $key => $response) {
                $got[] = [$key, $response->body];
                $key === $at && $way($file);
            }
        });
        assert_same(array_map(static fn(int $i) => [$i, 'x'], range(0, $at)), $got, "$what at $at: the results");
    }
}

// Not only at the end: a second later, at the next result.
$file = "$folder/later";
$got = [];
$responses = (new RetryClient())->sendAll(array_map(static fn(int $i) => new Request('GET', script("a$i", [['body' => "$i"]])), range(0, 9)), 1, journal: $file);
assert_throws(RuntimeException::class, $message, static function () use ($responses, $file, &$got) {
    foreach ($responses as $key => $response) {
        $got[] = $response->body;
        if ($key === 1) {
            unlink($file);
            usleep(1_050_000);
        }
    }
});
assert_same([true, false, null], [in_array(count($got), [2, 3], true), $responses->valid(), $responses->current()], 'in the middle: ' . implode(', ', $got));
assert_true(count(received('a9')) === 0, 'nothing more is sent');

// The lock is free again, and a file left alone is none of these.
assert_same(6, count(iterator_to_array($client->sendAll($requests, 1, journal: $file))));
assert_same(6, count(iterator_to_array((new FakeClient([]))->sendAll($requests, 1, journal: $file))), 'journaled');
done();
?>
--EXPECT--
done
