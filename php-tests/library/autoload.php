<?php

/**
 * What Composer's vendor/autoload.php is to an application: the library of php/, and the packages that Debian ships under
 * /usr/share/php.
 */

declare(strict_types=1);

error_reporting(E_ALL & ~E_DEPRECATED);     // Debian's packages are older than PHP 8.2

foreach (['GuzzleHttp', 'GuzzleHttp/Psr7', 'GuzzleHttp/Promise', 'Nyholm/Psr7', 'Psr/Http/Client', 'Psr/Log', 'Symfony/Component/HttpClient', 'Symfony/Component/Process', 'Symfony/Contracts/HttpClient'] as $package) {
    require_once "$package/autoload.php";
}
spl_autoload_register(static function (string $class): void {
    foreach (['RetryClient\\Tests\\' => __DIR__, 'RetryClient\\' => dirname(__DIR__, 2) . '/php/src'] as $prefix => $folder) {
        $file = $folder . '/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
            return;
        }
    }
});
