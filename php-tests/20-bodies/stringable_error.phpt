--TEST--
What a Stringable body throws ends the call, and nothing is sent
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Failing
{
    public function __toString(): string { throw new DomainException('no text'); }
}

$url = script('a', [[]]);
$thrown = thrown_by(fn() => (new RetryClient())->post($url, body: new Failing()), DomainException::class);
assert_same('no text', $thrown->getMessage(), 'message');
assert_same([], received('a'), 'requests');
done();
?>
--EXPECT--
done
