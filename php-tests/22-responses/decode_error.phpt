--TEST--
A body that cannot be decoded is a protocol failure, tried again for a GET
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.0, jitter: 0.0);
$long = bin2hex(random_bytes(5000));
foreach (['gzip', 'br', 'zstd', 'deflate'] as $coding) {
    $cut = ['body' => $long, 'encoding' => $coding, 'truncate' => -8];
    $thrown = thrown_by(fn() => $client->get(script($coding, [$cut])), RetryClient\NetworkException::class);
    assert_same(['protocol', 2], [$thrown?->kind, count($thrown->attempts)], "$coding cut");
    $thrown = thrown_by(fn() => $client->post(script($coding, [['body' => 'not compressed', 'headers' => [['Content-Encoding', $coding]]]])), RetryClient\NetworkException::class);
    assert_same(['protocol', 1], [$thrown?->kind, count($thrown->attempts)], "$coding garbage");
    assert_same($long, $client->get(script($coding, [$cut, ['body' => $long, 'encoding' => $coding]]))->body, "$coding: second attempt");
}
done();
?>
--EXPECT--
done
