--TEST--
A limit holds for all processes together
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

foreach (['rate' => ['20/s', 1, 0.05, 0.95], 'window' => ['5 per 400ms', 5, 0.4, 1.2]] as $name => [$limit, $count, $seconds, $least]) {
    $url = script($name, [[]]);
    $client = new RetryClient(limit: $limit);
    $statuses = together(4, static function () use ($client, $url) {
        connect();
        for ($i = 0; $i < 5; $i++) {
            $statuses[] = $client->get($url)->status;
        }
        return $statuses;
    });
    assert_same(array_fill(0, 20, 200), array_merge(...$statuses), $limit);
    assert_spread($name, 20, $count, $seconds);
    assert_between($least - 0.025, $least + 0.5, span_of($name), "$limit: all twenty");
}
done();
?>
--EXPECT--
done
