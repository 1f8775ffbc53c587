<?php

declare(strict_types=1);

namespace RetryClient\Tests\Psr18;

use PHPUnit\Framework\TestCase;

/** What is installed, and what is not: each in a PHP process of its own. */
final class RequirementsTest extends TestCase
{
    use Clients;

    private const PSR = ['Psr/Http/Client/autoload.php'];
    private const NYHOLM = [...self::PSR, 'Nyholm/Psr7/autoload.php'];
    private const GUZZLE = [...self::PSR, 'GuzzleHttp/Psr7/autoload.php'];

    private const SEND = <<<'PHP'
        $fake = new RetryClient\FakeClient([new RetryClient\Response(body: 'x')]);
        $request = (new \ReflectionClass(REQUEST))->newInstance('GET', 'http://a.test/');
        $response = (new RetryClient\Psr18\Client($fake))->sendRequest($request);
        echo $response::class, ' ', $body = $response->getBody(), ' ', (fn() => $this->stream())->call($body)::class;
        PHP;

    /** @return iterable<string, array{list<string>, string, string}> */
    public static function installed(): iterable
    {
        $guzzle = 'GuzzleHttp\Psr7\Request';
        yield 'both' => [[...self::NYHOLM, ...self::GUZZLE], $guzzle, 'Nyholm\Psr7\Response x Nyholm\Psr7\Stream'];
        yield 'Nyholm' => [self::NYHOLM, 'Nyholm\Psr7\Request', 'Nyholm\Psr7\Response x Nyholm\Psr7\Stream'];
        yield 'Guzzle' => [self::GUZZLE, $guzzle, 'GuzzleHttp\Psr7\Response x GuzzleHttp\Psr7\Stream'];
        yield 'Laminas' => [
            [...self::PSR, 'Psr/Http/Message/autoload.php', 'Psr/Http/Message/factory-autoload.php', __DIR__ . '/laminas.php'],
            $guzzle,
            'response, GuzzleHttp\Psr7\Response x stream, GuzzleHttp\Psr7\Stream',
        ];
    }

    /**
     * @dataProvider installed
     * @param list<string> $packages
     */
    public function testTheFirstFactoriesThatAreInstalled(array $packages, string $request, string $expected): void
    {
        self::assertSame($expected, $this->php($packages, strtr(self::SEND, ['REQUEST' => var_export($request, true)])));
    }

    public function testNoFactories(): void
    {
        $code = 'try { new RetryClient\Psr18\Client(); } catch (RetryClient\MissingRequirement $e) { echo $e->getMessage(); }';
        self::assertSame(
            'RetryClient\Psr18\Client needs PSR-17 factories: run "composer require nyholm/psr7".',
            $this->php(self::PSR, $code),
        );
    }

    public function testNoInterface(): void
    {
        $code = 'try { new RetryClient\Psr18\Client(); } catch (RetryClient\MissingRequirement $e) { echo $e->getMessage(); }';
        self::assertSame(
            'RetryClient\Psr18\Client needs the package psr/http-client: run "composer require psr/http-client".',
            $this->php([], $code),
        );
    }

    public function testNoExtension(): void
    {
        $code = 'try { new RetryClient\Psr18\Client(); } catch (RetryClient\MissingRequirement $e) { echo $e->getMessage(); }';
        self::assertSame(
            'RetryClient\Psr18\Client needs the PHP extension retry_client 0.1.0 or newer, which is not loaded: run "pie install retry-client/extension".',
            $this->php(self::NYHOLM, $code, loaded: false),
        );
    }

    /**
     * What the code prints.
     *
     * @param list<string> $packages their autoloaders, in /usr/share/php
     */
    private function php(array $packages, string $code, bool $loaded = true): string
    {
        $library = dirname(__DIR__, 3) . '/php/src/';
        $before = implode('', array_map(static fn(string $file): string => 'require_once ' . var_export($file, true) . ';', $packages));
        $autoload = sprintf(
            'spl_autoload_register(static function ($class) { $file = %s . strtr(substr($class, 12), "\\\\", "/") . ".php"; if (str_starts_with($class, "RetryClient\\\\") && is_file($file)) require $file; });',
            var_export($library, true),
        );
        $command = [...php_command(loaded: $loaded), '-d', 'error_reporting=' . (E_ALL & ~E_DEPRECATED), '-d', 'display_errors=1', '-r', $before . $autoload . $code];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines);
        return implode("\n", $lines);
    }
}
