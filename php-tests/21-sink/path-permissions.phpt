--TEST--
A new file has the permissions of any new file, a replaced one keeps its own
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
$url = script('a', [['body' => 'x']]);
$client = new RetryClient();
umask(022);
$client->get($url, sink: "$folder/new");
umask(077);
$client->get($url, sink: "$folder/private");
umask(022);
touch("$folder/old");
chmod("$folder/old", 0640);
$client->get($url, sink: "$folder/old");
touch("$folder/shared");
chmod("$folder/shared", 0666);
$client->get($url, sink: "$folder/shared");
clearstatcache();
$mode = fn(string $name): string => decoct(fileperms("$folder/$name") & 0777);
assert_same(['644', '600', '640', '666'], array_map($mode, ['new', 'private', 'old', 'shared']));
done();
?>
--EXPECT--
done
