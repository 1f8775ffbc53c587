--TEST--
In a web request all calls together have request_budget: the third gets what is left
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$folder = folder();
file_put_contents("$folder/page.php", <<<'PHP'
    <?php
    foreach (json_decode($_GET['urls']) as $url) {
        try {
            $begin = hrtime(true);
            $said[] = (new RetryClient(jitter: 0.0))->get($url, limitKey: $url)->status;
        } catch (RetryClient\BudgetExceededException $e) {
            $said[] = [$e->left, (hrtime(true) - $begin) / 1e9, $e->response?->status];
        }
    }
    echo json_encode([$said, microtime(true) - $_SERVER['REQUEST_TIME_FLOAT']]);
    PHP);
$free = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($free, false);
fclose($free);
$web = proc_open([...php_command(['retry_client.request_budget' => '1.2']), '-S', $address, '-t', $folder], [2 => ['pipe', 'w']], $pipes);
fgets($pipes[2]);
$page = fn(array $urls): array => json_decode(file_get_contents("http://$address/page.php?" . http_build_query(['urls' => json_encode($urls)])), true);

$slow = script('slow', [['delay_ms' => 300]]);
$stall = script('stall', [['action' => 'stall']]);
$late = script('late', [['status' => 429, 'headers' => [['Retry-After', '30']]]]);
[$said, $seconds] = $page([$slow, $slow, $stall]);
assert_same([200, 200], array_slice($said, 0, 2), 'the first two');
assert_between(0.2, 0.6, $said[2][1], 'the third');
assert_between(1.2, 1.4, $seconds, 'the page');
[$said, $seconds] = $page([$slow, $late]);
assert_same([200, 429], [$said[0], $said[1][2]], 'a wish beyond the budget');
assert_between(0.3, 1.0, $seconds, 'is no wait at all');
[$said, $seconds] = $page([$slow]);
assert_same([200], $said, 'the next page has a budget of its own');
proc_terminate($web);
done();
?>
--EXPECT--
done
