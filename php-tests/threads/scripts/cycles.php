<?php
// Clients that are part of cycles: what the collector of this thread finds.
require __DIR__ . '/../../support.php';

for ($i = 0; $i < 200; $i++) {
    $holder = new stdClass();
    $holder->client = new RetryClient(onRetry: static fn() => $holder);
    unset($holder);
}
assert_true(gc_collect_cycles() > 0, 'cycles are found');
assert_same(200, (new RetryClient())->get(server('http') . '/status/200')->status);
done();
