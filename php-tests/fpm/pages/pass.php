<?php

/**
 * Passes the events of the plan's `uri` on to its own client, as README.md does. `header` tells nginx to pass them on at once;
 * with `ignore` it goes on when the client has left. How the page ended goes to the plan's `file`: `connection` is connection_status(), and `passed` counts events.
 */

declare(strict_types=1);

require __DIR__ . '/lib.php';

$plan = plan();
$passed = 0;
if (isset($plan['file'])) {
    register_shutdown_function(static function () use ($plan, &$passed): void {
        file_put_contents($plan['file'], json_encode(['connection' => connection_status(), 'passed' => $passed, 'pid' => getmypid()]));
    });
}
ignore_user_abort($plan['ignore'] ?? false);

$stream = (new RetryClient(...$plan['options'] ?? []))->stream('GET', $plan['uri'], limitKey: $plan['uri']);

header('Content-Type: text/event-stream');
if ($plan['header'] ?? false) {
    header('X-Accel-Buffering: no');
}
while (ob_get_level() > 0 && ob_end_clean());

try {
    foreach ($stream->events() as $event) {
        echo 'data: ', strtr($event->data, ["\n" => "\ndata: "]), "\n\n";
        flush();
        $passed++;
    }
} catch (RetryClient\Exception $thrown) {
    echo 'event: ', $thrown::class, "\n\n";
}
