<?php
// One limit for all threads.
require __DIR__ . '/../../support.php';
require __DIR__ . '/../../pacing.php';

connect();
$client = new RetryClient(limit: '4 per 400ms', limitKey: 'threads', maxAttempts: 1);
for ($i = 0; $i < 3; $i++) {
    assert_same(200, $client->get(server('http') . '/threads.limit/a')->status);
}
done();
