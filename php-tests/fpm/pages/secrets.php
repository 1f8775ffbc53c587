<?php

/**
 * Fails, uncaught, with a client that knows secrets, or prints what it knows; the plan's `way` says how.
 * The secret itself is in no source and no argument of a function of this page, so that only the extension could show it.
 */

declare(strict_types=1);

require __DIR__ . '/lib.php';

$plan = plan();
$secret = strrev('1f7e3bmadnes-on');
$uri = str_replace('//', "//user:$secret@", $plan['uri']) . "?api_key=$secret";
$headers = [
    'Authorization' => "Bearer $secret", 'Proxy-Authorization' => "Basic $secret", 'Cookie' => "session=$secret",
    'X-Api-Key' => $secret, 'api-key' => $secret, 'X-Goog-Api-Key' => $secret,
];
$options = ['maxAttempts' => 2, 'baseDelay' => 0.0, 'jitter' => 0.0];
$client = new RetryClient(...$options, headers: $headers, baseUri: $uri, limitKey: $secret . $plan['uri']);
$fail = static fn() => throw new LogicException('in the hook');
$dump = static function (mixed ...$values): void {
    foreach ($values as $value) {
        var_dump($value);
        print_r($value);
        var_export($value);
        echo $value instanceof Throwable ? "$value" . $value->getTraceAsString() : '';
    }
};
/** Called by name, since a trace shows its arguments, and a dump what a closure has captured. */
$calls = [
    'exhausted' => static fn() => $client->get($uri, headers: $headers),
    'budget' => static fn() => $client->with(budget: 0.000001)->get($uri),
    'network' => static fn() => $client->get(str_replace('//', "//user:$secret@", $plan['refused']) . "?key=$secret"),
    'uri' => static fn() => $client->get("http://user:$secret@host:99999/?key=$secret"),
    'thrown' => static fn() => $client->with(retryOn: [])->get($uri)->throw(),
];
$caught = static function (string $name): Throwable {
    try {
        $GLOBALS['calls'][$name]();
    } catch (Throwable $thrown) {
        return $thrown;
    }
    throw new Error('no exception');
};

match ($plan['way']) {
    // uncaught
    'exhausted' => $client->get($uri, headers: $headers, query: ['token' => $secret]),
    'post' => $client->post($uri, json: ['password' => $secret], limitKey: $secret),
    'form' => $client->post($uri, form: ['password' => $secret]),
    'multipart' => $client->post($uri, multipart: ['password' => $secret]),
    'body' => $client->post($uri, body: "password=$secret"),
    'request' => $client->sendRequest(new RetryClient\Request('POST', $uri, $headers, body: $secret)),
    'proxy' => $client->with(proxy: str_replace('//', "//user:$secret@", $plan['refused']))->get($uri),
    'proxy_malformed' => $client->with(proxy: "http://user:$secret@:x/")->get($uri),
    'http_exception' => $client->with(retryOn: [])->get($uri)->throw(),
    'throw_on_error' => $client->with(retryOn: [], throwOnError: true)->get($uri),
    'onRetry' => $client->with(onRetry: $fail)->get($uri),
    'onAttempt' => $client->with(onAttempt: $fail)->get($uri),
    'onOutcome' => $client->with(onOutcome: $fail)->get($uri),
    'memory' => $client->with(onRetry: static fn() => str_repeat('x', 1 << 40))->get($uri),
    'with' => $client->with(headers: $headers, maxAttempts: 0),
    'with_type' => $client->with(headers: $headers, maxAttempts: 'many'),
    'with_unknown' => $client->with(headers: $headers, baseUri: $uri, unknown: $secret),
    'construct' => new RetryClient(baseUri: $uri, headers: $headers, proxy: $uri, key: $secret, limitKey: $secret, maxAttempts: 0),
    'base_uri' => new RetryClient(baseUri: "http://user:$secret@host:99999/?key=$secret"),
    'uri' => $client->get("http://user:$secret@host:99999/?key=$secret"),
    'uri_scheme' => $client->get("gopher://user:$secret@host/?key=$secret"),
    'uri_newline' => $client->get("http://host/?key=$secret\r\n"),
    'header_value' => $client->get($uri, headers: ['Authorization' => "Bearer $secret\r\n"]),
    'header_type' => $client->get($uri, headers: ['Authorization' => [$secret, new stdClass()]]),
    'json_error' => $client->post($uri, json: ['password' => $secret, 'number' => NAN]),
    'two_bodies' => $client->post($uri, json: [$secret], form: [$secret]),
    'cert' => $client->with(cert: "/nowhere/cert.pem", key: $secret)->get($uri),
    'fake' => (new RetryClient\FakeClient([], headers: $headers))->get($uri),
    'fake_empty' => (new RetryClient\FakeClient([new RetryClient\Response(status: 500)], ...$options, headers: $headers))->get($uri),
    // printed
    'dump_client' => $dump($client, new RetryClient(baseUri: $uri, headers: $headers, proxy: $uri, cert: null, key: null)),
    'dump_exhausted' => $dump($caught('exhausted')),
    'dump_budget' => $dump($caught('budget')),
    'dump_network' => $dump($caught('network')),
    'dump_uri' => $dump($caught('uri')),
    'dump_thrown' => $dump($caught('thrown')),
    'dump_attempts' => $dump($caught('exhausted')->attempts),
    'dump_response' => $dump($caught('exhausted')->response),
    'dump_request' => (function () use ($uri, $headers): void {
        $request = new RetryClient\Request('GET', $uri, $headers);
        var_dump($request);
        print_r($request);
    })(),
    'backtrace' => $client->with(onRetry: static function (): bool {
        debug_print_backtrace();
        var_dump(debug_backtrace());
        return false;
    })->get($uri),
    'slow' => $client->with(baseDelay: 2.0)->get($uri),
};
echo "\nreached the end\n";
