<?php

/** Answers the first wait of a call without backoff, which is its jitter; then holds its worker for a while. */

declare(strict_types=1);

require __DIR__ . '/lib.php';

$plan = plan();
$seen = [];
$client = new RetryClient(
    baseDelay: 0,
    throwOnGiveUp: false,
    limitKey: (string) getmypid(),    // or one worker's refusal would hold back the next
    onRetry: static function (RetryClient\Attempt $failed, float $wait) use (&$seen): bool {
        $seen['wait'] = $wait;
        return false;
    },
);
$client->post($plan['uri'], body: 'x');
answer($seen);
usleep((int) ($plan['hold'] * 1e6));
