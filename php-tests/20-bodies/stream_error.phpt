--TEST--
A stream that cannot be a body is refused before anything is sent
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

final class Broken
{
    public $context;
    public function stream_open(): bool { return true; }
    public function stream_read(): string { throw new DomainException('cannot read'); }
    public function stream_eof(): bool { return false; }
    public function stream_stat(): array { return []; }
}
stream_wrapper_register('broken', Broken::class);

$url = script('a', [[]]);
$client = new RetryClient();
$closed = tmpfile();
fclose($closed);
[$silent, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
stream_set_blocking($silent, false);
$refused = fn(mixed $body, string $class) => thrown_by(fn() => $client->post($url, body: $body), $class)?->getMessage();

assert_same('RetryClient::post(): Argument #3 ($body) must be an open stream resource', $refused($closed, TypeError::class));
assert_same('RetryClient::post(): Argument #3 ($body) must be an open stream resource', $refused(stream_context_create(), TypeError::class));
assert_same('RetryClient::post(): Argument #3 ($body) must be a readable stream', $refused(fopen('php://output', 'w'), ValueError::class));
assert_same('RetryClient::post(): Argument #3 ($body) must be a stream that can be read to its end', $refused($silent, ValueError::class));
assert_same('cannot read', $refused(fopen('broken://', 'r'), DomainException::class));
assert_same([], received('a'), 'requests');
done();
?>
--EXPECT--
done
