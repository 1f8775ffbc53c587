<?php

/**
 * Retries and failures in a PSR-3 log, and what the application itself wants to know.
 *
 *     composer require retry-client/retry-client monolog/monolog
 */

declare(strict_types=1);

use Monolog\Handler\StreamHandler;
use Monolog\Processor\PsrLogMessageProcessor;
use RetryClient\Attempt;
use RetryClient\Listener\Hooks;
use RetryClient\Listener\Logger;

require getenv('AUTOLOAD') ?: __DIR__ . '/vendor/autoload.php';

$log = new Monolog\Logger('http', [new StreamHandler('php://stderr')], [new PsrLogMessageProcessor()]);

$client = new RetryClient(...Hooks::of(
    new Logger($log),
    // new RetryClient\Listener\OpenTelemetry(),     // composer require open-telemetry/api: spans, and traceparent sent
    ['onRetry' => static fn(Attempt $failed, float $wait) => $wait > 20.0 ? false : null],      // rather fail than wait so long
), baseUri: getenv('API_URL') ?: 'https://api.example.com/v1', headers: ['Authorization' => 'Bearer ' . getenv('API_KEY')]);

echo $client->get('status', query: ['verbose' => '1'])->body, "\n";
