<?php

/** phpinfo() after a call with credentials. */

declare(strict_types=1);

require __DIR__ . '/lib.php';

$secret = strrev('1f7e3bmadnes-on');
$client = new RetryClient(headers: ['Authorization' => "Bearer $secret"], maxAttempts: 1);
outcome(static fn() => $client->get(str_replace('//', "//user:$secret@", plan()['uri']) . "?key=$secret"));
ini_set('retry_client.ca_file', '/etc/ssl/certs/ca-certificates.crt');
phpinfo(INFO_MODULES);
