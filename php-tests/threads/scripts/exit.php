<?php
// The end of the request in a hook, with calls beside.
require __DIR__ . '/../../support.php';

register_shutdown_function(static function () {
    assert_same(200, (new RetryClient())->get(server('http') . '/status/200')->status, 'a call at the end');
    done();
});
$beside = (new RetryClient())->start(new RetryClient\Request('GET', server('http') . '/delay/1000'));
(new RetryClient(onAttempt: static fn() => exit))->get(server('http') . '/status/200');
echo 'not reached';
