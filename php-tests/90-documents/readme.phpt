--TEST--
The examples of README.md do what they say
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = sys_get_temp_dir() . '/' . uniqid('retry_client-readme-');
mkdir($folder);
chdir($folder);
file_put_contents('note.txt', 'a note');
file_put_contents('data.jsonl', "{}\n");

$api = script('v1', [['body_json' => ['ok' => true], 'headers' => [['X-Request-Id', 'r1']]]]);
preg_match_all('/^```php\n(.*?)^```$/ms', file_get_contents(dirname(__DIR__, 2) . '/README.md'), $blocks);
[, $replacement, $requests, $response_, $copy] = str_replace(['https://api.example.com/v1', '/tmp'], [$api, $folder], $blocks[1]);

putenv('API_KEY=secret');
$payload = ['a' => 1];
$password = 'p';
eval($replacement);
assert_same(['ok' => true], $answer, 'answer');
eval($requests);
eval($response_);
assert_same(1, count($response->attempts), 'attempts');
eval($copy);

$sent = array_map(static fn($entry) => "$entry[method] " . strstr(substr($entry['target'], 1), '/'), received('v1', 12));
assert_same([
    'POST /chat', 'GET /models?limit=20', 'POST /chat', 'POST /login', 'PUT /notes/1', 'POST /files', 'GET /files/1/content',
    'DELETE /notes/1', 'HEAD /notes/2', 'PROPFIND /notes', 'GET /models', 'POST /chat',
], $sent, 'requests');
foreach (received('v1') as $entry) {
    assert_same('Bearer secret', header_of($entry, 'authorization'), 'authorization');
    assert_same($entry['method'] === 'POST', header_of($entry, 'idempotency-key') !== null, "$entry[method]: has a key");
}
assert_same('a note', body_of(received('v1')[4]), 'streamed body');
assert_same('{"ok":true}', preg_replace('/\s/', '', file_get_contents('data.jsonl')), 'sink');

array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
done();
?>
--EXPECT--
done
