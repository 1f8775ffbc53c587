--TEST--
A Stringable body is turned into a string once, whatever number of attempts
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Text
{
    public int $calls = 0;
    public function __toString(): string { return 'text ' . ++$this->calls; }
}

$url = script('a', [['status' => 503], []]);
$text = new Text();
(new RetryClient(baseDelay: 0.0, jitter: 0.0))->post($url, body: $text);
assert_same(['text 1', 'text 1'], array_map(body_of(...), received('a', 2)), 'bodies');
assert_same(1, $text->calls, 'calls');
done();
?>
--EXPECT--
done
