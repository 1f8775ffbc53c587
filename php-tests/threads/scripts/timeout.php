<?php
// A time limit of one thread, in a call that the server never answers; the other threads go on.
require __DIR__ . '/../../support.php';

if ($thread === 0) {
    set_time_limit(1);
    (new RetryClient())->get(script('a', [['action' => 'stall']]));
    echo 'not reached';
    return;
}
assert_same('on', (new RetryClient())->get(server('http') . '/delay/1700?body=on')->body);
done();
