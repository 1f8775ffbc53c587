<?php

require_once 'GuzzleHttp/autoload.php';
require_once __DIR__ . '/../lib/library.php';
require_once __DIR__ . '/../lib/pool.php';

return pool_on(new RetryClient\Guzzle\Handler());
