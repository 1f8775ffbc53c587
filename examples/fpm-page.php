<?php

/**
 * A page that answers in time, whatever the API behind it does: within its budget it waits and tries again, and when the
 * next wait does not fit any more it says at once when to come back, instead of a 504 of the web server.
 */

declare(strict_types=1);

$client = new RetryClient(
    baseUri: getenv('API_URL') ?: 'https://api.example.com/v1',
    headers: ['Authorization' => 'Bearer ' . getenv('API_KEY')],
    budget: 5.0,        // less than what the web server and FPM allow
);

header('Content-Type: application/json');
try {
    echo json_encode(['report' => $client->get('report')->throw()->json()], JSON_THROW_ON_ERROR);
} catch (RetryClient\GaveUpException $e) {
    $seconds = $e instanceof RetryClient\AttemptsExhaustedException ? $e->response->retryAfter : $e->retryAfter;
    http_response_code(503);
    header('Retry-After: ' . max(1, (int) ceil($seconds ?? 5)));
    echo json_encode(['error' => 'Busy, please come back later.']);
} catch (RetryClient\Exception $e) {
    error_log($e->getMessage());        // shows no credential
    http_response_code(502);
    echo json_encode(['error' => 'The report cannot be had.']);
}
