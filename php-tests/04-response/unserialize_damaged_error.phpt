--TEST--
Damaged payloads give an error or a sound object
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{Attempt, Reason, Response};

mt_srand(20);
$attempt = new Attempt(2, 429, null, 1.5, 0.1, 0.2, 0.0, Reason::RetryAfter);
$payloads = [
    serialize(new Response(429, 'x', '2', ['A' => ['b', 'c'], '1' => 'z'], 'body', 'http://a.test/', [new Attempt(), $attempt], 1.0, 2.0, 3.0)),
    serialize([$attempt, $attempt]),
];
$tokens = ['i:5;', 'N;', 'd:1;', 'R:1;', 'R:2;', 'r:1;', 'r:3;', 'b:1;', 'a:0:{}', 'd:NAN;', 'd:-1;', 's:1:"x";', 'R:5;', 'R:9;'];
set_error_handler(static fn() => true);
$sound = 0;
for ($i = 0; $i < 20_000; $i++) {
    $payload = $payloads[$i % 2];
    for ($change = mt_rand(1, 3); $change > 0; $change--) {
        $at = mt_rand(0, strlen($payload) - 1);
        $payload = match (mt_rand(0, 3)) {
            0 => substr_replace($payload, chr(mt_rand(32, 126)), $at, 1),
            1 => substr_replace($payload, '', $at, 1),
            2 => substr_replace($payload, $tokens[array_rand($tokens)], $at, mt_rand(0, 12)),
            3 => substr_replace($payload, substr($payload, mt_rand(0, strlen($payload) - 1), 20), $at, mt_rand(0, 3)),
        };
    }
    try {
        $made = unserialize($payload);
    } catch (Throwable) {
        continue;
    }
    foreach (is_array($made) ? $made : [$made] as $object) {
        if ($object instanceof Response) {
            $sound++;
            assert_between(100, 999, $object->status, $payload);
            assert_true(array_filter($object->attempts, static fn($item) => !$item instanceof Attempt) === [], $payload);
            assert_same(serialize($object), serialize(unserialize(serialize($object))), $payload);
        } elseif ($object instanceof Attempt) {
            $sound++;
            assert_true($object->number >= 1 && is_finite($object->wait) && $object->reason instanceof Reason, $payload);
        }
    }
}
assert_true($sound > 50, "only $sound objects came through");
done();
?>
--EXPECT--
done
