--TEST--
proxy: what is no proxy's URL, never shown in the message
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$must = 'RetryClient::__construct(): Argument #21 ($proxy) must be a URL with scheme http, https, socks4, socks4a, socks5 or socks5h and a host';
foreach (['ftp://a.test', 'http://', 'http://user:secret@', '://', '?', 'http://a.test:x', 'file:///x', 'http://a b'] as $proxy) {
    assert_throws(ValueError::class, $must, static fn() => new RetryClient(proxy: $proxy));
}
foreach (['http://a.test', 'https://a.test:1', 'socks5://user:pass@a.test:1080', 'socks5h://a.test', 'socks4://a.test', 'socks4a://a.test', 'a.test:3128', 'user:pass@a.test:3128'] as $proxy) {
    assert_same('RetryClient', (new RetryClient(proxy: $proxy))::class, $proxy);
}
done();
?>
--EXPECT--
done
