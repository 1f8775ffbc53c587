--TEST--
exit, a fatal error and an exception in the loop's body: what was yielded is in the journal
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Request, Response};

$code = <<<'PHP'
    $input = (static function () { for ($i = 0; $i < 10; $i++) { yield $i => new RetryClient\Request('GET', "http://a.test/$i"); } })();
    foreach ((new RetryClient\FakeClient(static fn() => new RetryClient\Response()))->sendAll($input, journal: $argv[1]) as $key => $response) {
        if ($key === 4) {
            match ($argv[2]) {
                'exit' => exit(3),
                'fatal error' => str_repeat('x', PHP_INT_MAX),
                'exception' => throw new Exception('mine'),
            };
        }
    }
    PHP;
$input = static function () {
    for ($i = 0; $i < 10; $i++) {
        yield $i => new Request('GET', "http://a.test/$i");
    }
};
foreach (['exit', 'fatal error', 'exception'] as $way) {
    $file = folder() . '/j';
    $command = [...php_command(['display_errors' => '0', 'log_errors' => '0']), '-r', $code, '--', $file, $way];
    $process = proc_open($command, [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
    proc_close($process);
    $client = new FakeClient(static fn() => new Response());
    assert_same(10, count(iterator_to_array($client->sendAll($input(), journal: $file))), $way);
    assert_between(4, 5, count($client->requests()), "$way: sent again: those after the fifth");
    assert_same([], array_values(array_filter($client->requests(), static fn($request) => (int) basename($request->uri) < 5)), "$way: none that was yielded");
}
done();
?>
--EXPECT--
done
