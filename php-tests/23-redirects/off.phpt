--TEST--
maxRedirects: 0 hands back the 3xx
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

foreach ([301, 302, 303, 307, 308] as $status) {
    $url = script('a', [['action' => 'redirect', 'status' => $status, 'location' => '/elsewhere', 'body' => 'moved']]);
    $response = (new RetryClient(maxRedirects: 0))->get($url);
    assert_same([$status, '/elsewhere', 'moved', $url], [$response->status, $response->header('location'), $response->body, $response->uri]);
}
done();
?>
--EXPECT--
done
