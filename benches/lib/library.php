<?php

/** What Composer's autoloader does for the classes of php/. */

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $file = dirname(__DIR__, 2) . '/php/src/' . strtr(substr($class, strlen('RetryClient\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'RetryClient\\') && is_file($file)) {
        require $file;
    }
});
