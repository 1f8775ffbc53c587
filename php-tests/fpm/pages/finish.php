<?php

/** Answers, and makes its call afterwards: what came of it goes to the plan's `file`. `lift` takes the budget away. */

declare(strict_types=1);

require __DIR__ . '/lib.php';

$plan = plan();
answer([]);
fastcgi_finish_request();
if ($plan['lift']) {
    ini_set('retry_client.request_budget', '0');
}
$outcome = outcome(static fn() => (new RetryClient())->get($plan['uri']));
file_put_contents($plan['file'], json_encode($outcome));
