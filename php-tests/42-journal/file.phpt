--TEST--
The journal's file: mode, lines, written before a result is yielded, without secrets
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

chdir($folder = folder());
umask(0);
$url = script('a', [['body' => 'x', 'headers' => [['Set-Cookie', 'session=cookie-secret']]]]);
$client = new RetryClient(headers: ['Authorization' => 'Bearer bearer-secret', 'X-Api-Key' => 'key-secret', 'Cookie' => 'c=cookie-secret']);
$requests = [];
for ($i = 0; $i < 10; $i++) {
    $requests["key-$i"] = new Request('GET', str_replace('http://', 'http://user:userinfo-secret@', $url) . "?token=query-secret&n=$i");
}
// A relative path is one of the working directory.
$yielded = 0;
$responses = $client->sendAll($requests, 3, journal: 'batch.jsonl');
assert_same(0600, fileperms("$folder/batch.jsonl") & 0777, 'mode');
foreach ($responses as $key => $response) {
    $yielded++;
    $text = file_get_contents("$folder/batch.jsonl");
    assert_contains("\"$key\"", $text, 'written before it is yielded');
    assert_same("\n", substr($text, -1), 'whole lines');
}
unset($responses);
$lines = file("$folder/batch.jsonl", FILE_IGNORE_NEW_LINES);
assert_same([10, 11], [$yielded, count($lines)], 'results, lines: one for each, and the first');
foreach ($lines as $number => $line) {
    assert_same(true, is_array(json_decode($line, true)), "line $number is JSON");
}
foreach (['bearer-secret', 'key-secret', 'cookie-secret', 'userinfo-secret', 'query-secret'] as $secret) {
    assert_not_contains($secret, implode("\n", $lines), 'the file');
}
assert_same(['.', '..', 'batch.jsonl'], scandir($folder), 'nothing beside it');

// An existing file keeps its mode, and an empty one is a new one.
touch("$folder/mine");
chmod("$folder/mine", 0640);
$fake = new FakeClient(static fn() => new Response(body: 'f'));
assert_same(1, count(iterator_to_array($fake->sendAll(['k' => new Request('GET', 'http://a.test/')], journal: "$folder/mine"))));
clearstatcache();
assert_same([0640, 2], [fileperms("$folder/mine") & 0777, count(file("$folder/mine"))], 'an empty one');

// Nothing to send: the file is there all the same.
assert_same([], iterator_to_array($fake->sendAll([], journal: "$folder/none")));
assert_same(true, is_file("$folder/none"));
// A journal costs no result its body.
assert_same('f', iterator_to_array($fake->sendAll(['k' => new Request('GET', 'http://a.test/')], journal: "$folder/none"))['k']->body);
done();
?>
--EXPECT--
done
