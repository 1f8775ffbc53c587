--TEST--
stats() and php --ri: where the state is, and how many share it
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';
require __DIR__ . '/../10-ini/php.inc';

$url = script('a', [[]]);
$code = '(new RetryClient())->get($argv[1]); echo json_encode(RetryClient::stats()["state"]);';
$says = static fn(string $where) => php_says(['retry_client.shared_memory' => $where], $code, $url);
$folder = folder();
$shared = static fn(string $path) => ['shared' => true, 'path' => $path, 'reason' => null, 'processes' => 1, 'full' => false];

assert_same($shared("$folder/state"), $says("$folder/state"), 'a file');
$state = $says($folder);
assert_same(1, preg_match("~^$folder/retry_client\.\d+\.\d+$~D", (string) $state['path']), 'a folder: one file per user');
assert_same($shared($state['path']), $state, 'a folder');
foreach (["$folder/state", $state['path']] as $file) {
    assert_same(0600, fileperms($file) & 07777, 'for the user only');
}
assert_same(['shared' => false, 'path' => null, 'reason' => null, 'processes' => 1, 'full' => false], $says(''), 'nowhere, as it was asked for');
file_put_contents("$folder/precious", 'text of somebody');
foreach (["$folder/no/such/folder" => 'no/such', "$folder/precious" => 'precious', '/dev/null' => '/dev/null'] as $where => $named) {
    $state = $says($where);
    assert_same([false, null, 1], [$state['shared'], $state['path'], $state['processes']], $where);
    assert_contains($named, (string) $state['reason'], 'reason');
}
assert_same('text of somebody', file_get_contents("$folder/precious"), 'the file in the way is as it was');

// All who have it open count.
[$counted] = together(1, function () use ($url) {
    (new RetryClient())->get($url);
    return RetryClient::stats()['state']['processes'];
});
assert_same(1, $counted, 'a child; the parent has not used it yet');
(new RetryClient())->get($url);
$counts = together(3, function (int $number) use ($url) {
    (new RetryClient())->get($url);
    usleep(300_000 - 100_000 * $number);
    return RetryClient::stats()['state']['processes'];
});
rsort($counts);
assert_between(3, 4, $counts[0], 'three children and the parent');
assert_same(1, RetryClient::stats()['state']['processes'], 'they are gone');

// phpinfo() says the same.
$info = static fn(string $where) => preg_match_all('/^(?:Shared state|Processes sharing it) => (.*)$/m', php(['retry_client.shared_memory' => $where], '--ri', 'retry_client'), $m) ? $m[1] : [];
assert_same(["$folder/state", '1'], $info("$folder/state"));
assert_same(['per process', '1'], $info(''));
[$place, $processes] = $info("$folder/no/such/folder");
assert_same('1', $processes);
assert_contains('per process: ', $place);
done();
?>
--EXPECT--
done
