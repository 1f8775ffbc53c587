--TEST--
A shared file that is cut short, overwritten or removed does no harm
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

$url = script('a', [[]]);
$folder = folder();
$code = '$response = (new RetryClient(limit: "1/s"))->get($argv[1]); echo json_encode([$response->status, $response->attempts[0]->paced < 0.1]);';
$say = static fn() => php_says(['retry_client.shared_memory' => $folder], $code, $url);
assert_same([200, true], $say(), 'made');
assert_same([200, false], $say(), 'known');
[$file] = glob("$folder/*");
foreach ([
    'cut short' => static fn() => file_put_contents($file, substr(file_get_contents($file), 0, 1000)),
    'empty' => static fn() => file_put_contents($file, ''),
    'overwritten' => static fn() => file_put_contents($file, str_repeat("\xff", filesize($file) ?: 1000)),
    'removed' => static fn() => unlink($file),
    'for everyone' => static fn() => chmod($file, 0666),
    'a link' => static fn() => rename($file, "$folder/elsewhere") && symlink("$folder/elsewhere", $file),
] as $what => $damage) {
    $damage();
    assert_same([200, true], $say(), "$what: begins anew");
    clearstatcache();
    assert_same([0600, 'file'], [fileperms($file) & 07777, filetype($file)], "$what: the file");
}
assert_same([200, false], $say(), 'known again');

// It is gone while it is in use.
$client = new RetryClient(limit: '10/s');
$client->get($url);
unlink(RetryClient::stats()['state']['path']);
assert_between(0.03, 0.2, $client->get($url)->attempts[0]->paced, 'still known');
done();
?>
--EXPECT--
done
