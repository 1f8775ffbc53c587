--TEST--
A journal that is emptied or shortened before further results: RuntimeException, and no results into a hole
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
foreach (['emptied' => 0, 'shortened' => 1] as $what => $keep) {
    foreach ([0, 2, 4, 5] as $at) {
        $file = "$folder/$what$at";
        $got = [];
        assert_throws(RuntimeException::class, $message, static function () use ($client, $requests, $file, $at, $keep, &$got) {
            foreach ($client->sendAll($requests, 1, journal: $file) as $key => $response) {
                $got[] = $key;
                if ($key === $at) {
                    $handle = fopen($file, 'r+');
                    ftruncate($handle, $keep * (filesize($file) - 1));
                    fclose($handle);
                }
            }
        });
        assert_true(count($got) > $at, "$what at $at: results before");
        assert_true(!str_contains((string) file_get_contents($file), "\0"), "$what at $at: a hole");
    }
}
done();
?>
--EXPECT--
done
