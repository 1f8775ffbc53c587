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
[, $replacement, $requests, $response_, $copy, , $batch, $page, $several] = str_replace(['https://api.example.com/v1', '/tmp'], [$api, $folder], $blocks[1]);

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

// A batch, and what it does when it is run again.
$texts = ['a' => 'one', 'b' => 'two', 'c' => 'three'];
$client = new RetryClient(baseUri: script('batch', [['body_json' => ['ok' => true]], ['status' => 404], ['body_json' => ['ok' => true]]]));
function save(string $key, array $answer): void { $GLOBALS['saved'][$key] = $answer; }
function report(string $key, mixed $result): void { $GLOBALS['reported'][$key] = $result->status; }
$batch = str_replace('progress: true, ', '', $batch, $count);
assert_same(1, $count, 'progress, left out: it is written to stderr');
foreach (['the first run', 'the second run'] as $run) {
    $saved = $reported = [];
    eval($batch);
    assert_same([2, [404]], [count($saved), array_values($reported)], $run);
    assert_same(3, count(received('batch')), "$run: requests");
}

// A page that passes events on.
$events = ['chunks' => ["data: Hel\n\n", ": still there\n\n", "data: lo\ndata: world\n\n"], 'chunked' => true, 'drip' => ['every_ms' => 20]];
$begin = '<?php $payload = []; $client = new RetryClient(baseUri: ' . var_export(script('stream', [['status' => 429], $events]), true) . ', baseDelay: 0.0);';
file_put_contents('page.php', "$begin\n$page");
exec(implode(' ', array_map(escapeshellarg(...), [...php_command(), 'page.php'])), $lines, $code);
assert_same([0, ['data: Hel', '', 'data: lo', 'data: world', '']], [$code, $lines], 'the page');
assert_same('{"stream":true}', body_of(received('stream', 2)[1]), 'what the page sends');

// Several at once.
$client = new RetryClient(baseUri: script('several', [['body_json' => ['text' => 'x'], 'delay_ms' => 50]]));
ob_start();
eval($several);
$said = explode("\n", trim(ob_get_clean()));
sort($said);
assert_same(['de: x', 'fr: x', 'pt: x'], $said, 'several');
assert_same([], $pending, 'nothing is left');

array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
done();
?>
--EXPECT--
done
