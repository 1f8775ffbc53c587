--TEST--
A path outside open_basedir is refused before anything is sent
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$url = script('a', [['body' => 'x']]);
$folder = folder();
mkdir("$folder/allowed");
symlink("$folder/outside", "$folder/allowed/link");
ini_set('open_basedir', "$folder/allowed");
chdir("$folder/allowed");
$client = new RetryClient();
foreach (["$folder/out", '../out', "$folder/allowed/../out", "$folder/allowed-too", "$folder/allowed/link"] as $path) {
    $thrown = thrown_by(fn() => $client->get($url, sink: $path), ValueError::class);
    assert_same('RetryClient::get(): Argument #8 ($sink) must be inside the directories that open_basedir allows', $thrown?->getMessage(), $path);
}
$client->get($url, sink: 'inside');
assert_same('x', file_get_contents("$folder/allowed/inside"), 'inside');
done();
?>
--EXPECT--
done
