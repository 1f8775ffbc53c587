--TEST--
Wrong types of a call's arguments are refused, with the words of php-src
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient();
$url = server('refused');
$closed = fopen('php://memory', 'r');
fclose($closed);
$context = stream_context_create();
$writeOnly = fopen('php://output', 'w');
$readOnly = fopen(__FILE__, 'r');
foreach ([
    ['headers', 'x', TypeError::class, '2 ($headers) must be of type array, string given'],
    ['headers', null, TypeError::class, '2 ($headers) must be of type array, null given'],
    ['body', [], TypeError::class, '3 ($body) must be of type string, Stringable, resource or null, array given'],
    ['body', 5, TypeError::class, '3 ($body) must be of type string, Stringable, resource or null, int given'],
    ['body', 1.5, TypeError::class, '3 ($body) must be of type string, Stringable, resource or null, float given'],
    ['body', new stdClass(), TypeError::class, '3 ($body) must be of type string, Stringable, resource or null, stdClass given'],
    ['body', $closed, TypeError::class, '3 ($body) must be an open stream resource'],
    ['body', $context, TypeError::class, '3 ($body) must be an open stream resource'],
    ['body', $writeOnly, ValueError::class, '3 ($body) must be a readable stream'],
    ['form', 'x', TypeError::class, '5 ($form) must be of type array, string given'],
    ['form', null, TypeError::class, '5 ($form) must be of type array, null given'],
    ['query', 'a=1', TypeError::class, '6 ($query) must be of type array, string given'],
    ['multipart', 'x', TypeError::class, '7 ($multipart) must be of type array, string given'],
    ['sink', 5, TypeError::class, '8 ($sink) must be of type string, resource or null, int given'],
    ['sink', [], TypeError::class, '8 ($sink) must be of type string, resource or null, array given'],
    ['sink', $closed, TypeError::class, '8 ($sink) must be an open stream resource'],
    ['sink', $context, TypeError::class, '8 ($sink) must be an open stream resource'],
    ['sink', $readOnly, ValueError::class, '8 ($sink) must be a writable stream'],
    ['sink', '', ValueError::class, '8 ($sink) must not be empty'],
    ['sink', "a\0b", ValueError::class, '8 ($sink) must not contain any null bytes'],
    ['sink', 'http://a.test/x', ValueError::class, '8 ($sink) must be a path of the local file system'],
    ['sink', 'php://memory', ValueError::class, '8 ($sink) must be a path of the local file system'],
    ['sink', __DIR__, ValueError::class, '8 ($sink) must not be a directory or a special file'],
    ['sink', '/dev/null', ValueError::class, '8 ($sink) must not be a directory or a special file'],
    ['sink', __DIR__ . '/missing/file', ValueError::class, '8 ($sink) must be in an existing directory'],
] as [$name, $value, $class, $message]) {
    assert_throws($class, "RetryClient::get(): Argument #$message", static fn() => $client->get($url, ...[$name => $value]));
}
done();
?>
--EXPECT--
done
