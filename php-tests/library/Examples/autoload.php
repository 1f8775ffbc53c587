<?php

/** `vendor/autoload.php` of the examples: the library, the packages that Debian ships, and stand-ins for two SDKs that it does not. */

declare(strict_types=1);

require dirname(__DIR__) . '/autoload.php';
require_once 'Monolog/autoload.php';
require_once 'Illuminate/Http/autoload.php';
require __DIR__ . '/stand-ins/openai.php';
require __DIR__ . '/stand-ins/anthropic.php';
