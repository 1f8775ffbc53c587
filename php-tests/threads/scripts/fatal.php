<?php
// A fatal error in the middle of calls, in a hook.
require __DIR__ . '/../../support.php';

$client = new RetryClient(onAttempt: static function () { $text = ''; while (true) { $text .= str_repeat('x', 1 << 20); } });
$beside = (new RetryClient())->start(new RetryClient\Request('GET', server('http') . '/delay/1000'));
$client->get(server('http') . '/status/200');
echo 'not reached';
