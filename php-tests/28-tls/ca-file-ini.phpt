--TEST--
retry_client.ca_file, openssl.cafile and curl.cainfo name the authorities, in this order
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$works = function (string ...$directives): bool {
    $command = php_command();
    foreach ($directives as $name => $value) {
        array_push($command, '-d', str_replace('_', '.', $name) . "=$value");
    }
    $code = 'try { (new RetryClient(maxAttempts: 1))->get($argv[1]); echo "works"; } catch (RetryClient\NetworkException $e) { echo $e->kind; }';
    $process = proc_open([...$command, '-r', $code, server('https') . '/status/200'], [1 => ['pipe', 'w']], $pipes);
    return stream_get_contents($pipes[1]) === 'works' && proc_close($process) === 0;
};
assert_same(false, $works(), 'none');
assert_same(true, $works(openssl_cafile: server('ca')), 'openssl.cafile');

ini_set('retry_client.ca_file', server('ca'));
$client = new RetryClient(maxAttempts: 1);
$url = server('https') . '/status/200';
assert_same(200, $client->get($url)->status, 'retry_client.ca_file');
ini_set('retry_client.ca_file', server('server_cert'));
assert_same('tls', thrown_by(fn() => $client->get($url))?->kind, 'another one, from the next call on');
assert_same(200, $client->with(verify: server('ca'))->get($url)->status, 'the option comes first');
assert_same(200, $client->with(verify: false)->get($url)->status, 'verify: false');
ini_restore('retry_client.ca_file');
assert_same('tls', thrown_by(fn() => $client->get($url))?->kind, 'none again');
done();
?>
--EXPECT--
done
