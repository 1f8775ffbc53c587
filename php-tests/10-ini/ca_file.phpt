--TEST--
ca_file, else openssl.cafile, else curl.cainfo, unless verify says otherwise
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/php.inc';

$url = server('https') . '/status/200';
$ca = server('ca');
$status = static function (mixed ...$options) use ($url): int|string {
    try {
        return (new RetryClient(...$options))->get($url)->status;
    } catch (RetryClient\NetworkException $e) {
        return $e->kind;
    }
};
assert_same('tls', $status(), 'the system\'s store');
ini_set('retry_client.ca_file', $ca);
assert_same(200, $status(), 'at run time');
$client = new RetryClient();
assert_same('tls', $status(verify: server('other_cert')), 'an explicit file wins');
ini_restore('retry_client.ca_file');
assert_same('tls', thrown_by(static fn() => $client->get($url), RetryClient\NetworkException::class)?->kind, 'it counts as it is at the call');
ini_set('retry_client.ca_file', '/missing.pem');
assert_same('tls', $status(), 'a missing file');
assert_contains('got no response: The CA file must be a readable PEM file', thrown_by(static fn() => $client->get($url), RetryClient\NetworkException::class)?->getMessage());
assert_same(200, $status(verify: false), 'not verified');
assert_same(200, $status(verify: $ca), 'another file');

// From php.ini.
$get = ['-r', "try { echo (new RetryClient())->get('$url')->status; } catch (RetryClient\\NetworkException \$e) { echo \$e->kind; }"];
$other = server('other_cert');
$curl = is_file(ini_get('extension_dir') . '/curl.so') ? ['extension' => 'curl'] : [];
$counts = $curl || extension_loaded('curl');    // else PHP has no directive of that name
foreach ([
    [200, ['retry_client.ca_file' => $ca]],
    [200, ['openssl.cafile' => $ca]],
    [$counts ? 200 : 'tls', $curl + ['curl.cainfo' => $ca]],
    [200, ['retry_client.ca_file' => $ca, 'openssl.cafile' => $other]],
    ['tls', ['retry_client.ca_file' => $other, 'openssl.cafile' => $ca]],
    ['tls', $curl + ['openssl.cafile' => $other, 'curl.cainfo' => $ca]],
    [$counts ? 200 : 'tls', $curl + ['retry_client.ca_file' => '', 'openssl.cafile' => '', 'curl.cainfo' => $ca]],
    ['tls', []],
] as [$expected, $directives]) {
    assert_same((string) $expected, php($directives, ...$get), json_encode($directives));
}
done();
?>
--EXPECT--
done
