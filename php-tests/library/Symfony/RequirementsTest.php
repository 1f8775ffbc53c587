<?php

declare(strict_types=1);

namespace RetryClient\Tests\Symfony;

use PHPUnit\Framework\TestCase;

require_once dirname(__DIR__, 2) . '/support.php';

final class RequirementsTest extends TestCase
{
    public function testMissingPackageNamesItsCommand(): void
    {
        $folder = dirname(__DIR__, 3) . '/php/src';
        $code = 'require $argv[1] . "/MissingRequirement.php"; require $argv[1] . "/Symfony/HttpClient.php";';
        exec(implode(' ', array_map(escapeshellarg(...), [...php_command(), '-d', 'html_errors=0', '-r', $code, '--', $folder])) . ' 2>&1', $lines);
        self::assertStringContainsString(
            'RetryClient\Symfony\HttpClient needs the package symfony/http-client: run "composer require symfony/http-client".',
            implode("\n", $lines),
        );
    }

    public function testMissingExtensionNamesItsCommand(): void
    {
        $code = 'require $argv[1]; new RetryClient\Symfony\HttpClient();';
        $command = [PHP_BINARY, '-n', '-d', 'html_errors=0', '-r', $code, '--', dirname(__DIR__) . '/autoload.php'];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines);
        self::assertStringContainsString('RetryClient\Symfony\HttpClient needs the PHP extension retry_client', implode("\n", $lines));
    }
}
