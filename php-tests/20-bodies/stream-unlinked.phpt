--TEST--
A file that was deleted or replaced meanwhile is still the one that was opened
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
file_put_contents("$folder/a", 'the old one');
$file = fopen("$folder/a", 'r');
$client = new RetryClient(baseDelay: 0.0, jitter: 0.0, onRetry: function () use ($folder) {
    unlink("$folder/a");
    file_put_contents("$folder/a", 'another');
});
$client->post(script('a', [['status' => 503], []]), body: $file);
assert_same(array_fill(0, 2, 'the old one'), array_map(body_of(...), received('a', 2)), 'bodies');
done();
?>
--EXPECT--
done
