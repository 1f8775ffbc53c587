<?php

/** Prints the versions of PHP and of the libraries in it. */

declare(strict_types=1);

$curl = curl_version();
echo json_encode([
    'php' => PHP_VERSION . (PHP_ZTS ? ' ZTS' : ' NTS') . ', opcache ' . (phpversion('Zend OPcache') ?: 'absent'),
    'curl' => "libcurl $curl[version], $curl[ssl_version]",
    'retry_client' => phpversion('retry_client') ?: 'absent',
]);
