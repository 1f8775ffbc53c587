--TEST--
phpinfo() shows no credential, whatever clients there are
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/secrets.inc';

$kept = [secret_client(), secret_request(), new RetryClient\FakeClient([], ...secret_options())];
foreach (['http_proxy', 'https_proxy'] as $name) {
    putenv("$name=http://user:" . secret('proxy') . '@a.test');
}
try {
    $kept[0]->get('x', ...secret_arguments());
} catch (RetryClient\Exception) {
}
ob_start();
phpinfo(INFO_MODULES);
(new ReflectionExtension('retry_client'))->info();
$text = ob_get_clean();
assert_contains('retry_client.request_budget', $text);
assert_hidden($text, 'phpinfo()');
assert_hidden((string) new ReflectionExtension('retry_client'), 'the extension by reflection');
assert_same(null, error_get_last(), 'no warning');
done();
?>
--EXPECT--
done
