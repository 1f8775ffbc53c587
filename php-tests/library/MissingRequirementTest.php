<?php

declare(strict_types=1);

namespace RetryClient\Tests;

use PHPUnit\Framework\TestCase;
use RetryClient\MissingRequirement;

final class MissingRequirementTest extends TestCase
{
    public function testWhatIsThereIsEnough(): void
    {
        MissingRequirement::checkExtension('A');
        MissingRequirement::checkPackage('A', self::class, 'some/package');
        $this->expectNotToPerformAssertions();
    }

    public function testMissingPackageNamesItsCommand(): void
    {
        $this->expectExceptionObject(new MissingRequirement('A needs the package some/package: run "composer require some/package".'));
        MissingRequirement::checkPackage('A', 'No\Such\Type', 'some/package');
    }

    public function testMissingExtensionNamesItsCommand(): void
    {
        $code = 'require $argv[1]; RetryClient\MissingRequirement::checkExtension("A");';
        $file = dirname(__DIR__, 2) . '/php/src/MissingRequirement.php';
        exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', '-d', 'html_errors=0', '-r', $code, '--', $file])) . ' 2>&1', $lines);
        self::assertStringContainsString(
            'A needs the PHP extension retry_client 0.1.0 or newer, which is not loaded: run "pie install retry-client/extension".',
            implode("\n", $lines),
        );
    }
}
