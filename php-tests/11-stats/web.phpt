--TEST--
stats(): a web page sees the limits its process has used, the command line all
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../pacing.php';

$folder = folder();
file_put_contents("$folder/page.php", '<?php (new RetryClient(limit: "100/s", limitKey: "web"))->get($_GET["url"]); echo json_encode(RetryClient::stats());');
$free = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($free, false);
fclose($free);
$web = proc_open([...php_command(), '-S', $address, '-t', $folder], [2 => ['pipe', 'w']], $pipes);
fgets($pipes[2]);

$url = script('a', [[]]);
(new RetryClient(limit: '90/s', limitKey: 'command line'))->get($url);
$page = json_decode(file_get_contents("http://$address/page.php?" . http_build_query(['url' => $url])), true);
proc_terminate($web);
$limits = static fn(array $stats) => array_values(array_filter(array_unique(array_column($stats['keys'], 'limit'))));
assert_same(['100/s'], $limits($page), 'the page');
$all = $limits(RetryClient::stats());
sort($all);
assert_same(['100/s', '90/s'], $all, 'the command line');
assert_same(2, $page['state']['processes'], 'processes');
done();
?>
--EXPECT--
done
