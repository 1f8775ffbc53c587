<?php
// php.ini holds in a thread that has just begun, what ini_set sets in this request of this thread only.
require __DIR__ . '/../../support.php';

use RetryClient\BudgetExceededException;

assert_same(['1.5', 'auto'], [ini_get('retry_client.request_budget'), ini_get('retry_client.max_waiting')], 'at first');
$later = static fn(string $name) => (new RetryClient(jitter: 0.0, share: false))->get(script($name, [['status' => 429, 'headers' => [['Retry-After', '2']]], ['body' => 'ok']]));
$refused = static function (string $name) use ($later) {
    $seconds = seconds(static fn() => $later($name), $outcome);
    assert_between(0.0, 1.0, $seconds, "$name: no wait is begun");
    assert_same(BudgetExceededException::class, get_debug_type($outcome), $name);
};
$refused('a');
if ($thread % 2 === 0) {
    assert_same('1.5', ini_set('retry_client.request_budget', '30'));
    assert_same('ok', $later('b')->body);
} else {
    assert_same('1.5', ini_set('retry_client.request_budget', '0.' . $thread));
    $refused('c');
}
done();
