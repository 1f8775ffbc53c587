<?php

/**
 * CPU of reading server-sent events, against openai-php's way.
 */

declare(strict_types=1);

const EVENTS = 1000;
const EVENT_BYTES = 100;

return static function (Setting $setting): array {
    $event = sse_event();
    $bytes = (string) (EVENTS * (EVENT_BYTES - strlen("data: \n\n")));
    $kinds = ['event by event' => array_fill(0, EVENTS, $event), 'in one burst' => [str_repeat($event, EVENTS)]];
    $clients = ['retry-client' => 'RetryClient', 'guzzle' => "openai-php's way", 'guzzle-blocks' => 'Guzzle in blocks'];
    $count = (string) $setting->size(40, 5);

    $rows = $absolute = [];
    foreach ($kinds as $kind => $chunks) {
        $name = strtr("stream $kind", ' ', '-');
        $headers = [['Content-Type', 'text/event-stream']];
        $setting->server->control('POST', "/_script/$name", [['headers' => $headers, 'chunks' => $chunks, 'chunked' => true]]);
        $arguments = [$setting->server->of('http') . "/$name", $count, (string) EVENTS, $bytes];
        $measurements = [];
        foreach (array_keys($clients) as $client) {
            $measurements[$client] = static fn(): array => $setting->php('streams.php', [$client, ...$arguments]);
        }
        $results = interleaved("stream, $kind", $setting->size(15, 2), $measurements);
        $cpu = array_map(static fn(array $rounds): array => array_column($rounds, 'cpu'), $results);
        $wall = array_map(static fn(array $rounds): array => array_column($rounds, 'wall'), $results);

        $rows[] = new Row("$kind, CPU, RetryClient / openai-php's way", ratios($cpu['retry-client'], $cpu['guzzle']), '%.2f', Target::atMost(0.5));
        $rows[] = new Row("$kind, CPU, RetryClient / Guzzle in blocks", ratios($cpu['retry-client'], $cpu['guzzle-blocks']), '%.2f');
        foreach ($clients as $client => $who) {
            $absolute[] = new Row("$who, $kind, CPU µs per event", per_event($cpu[$client]), '%.2f');
            $absolute[] = new Row("$who, $kind, wall µs per event", per_event($wall[$client]), '%.2f');
        }
    }
    return [...$rows, ...$absolute];
};

/** As a token of a chat looks, made as long as wanted. */
function sse_event(): string
{
    $frame = 'data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"%s"}}]}' . "\n\n";
    return sprintf($frame, str_repeat('x', EVENT_BYTES + 2 - strlen($frame)));
}

/**
 * @param list<float> $streams
 * @return list<float>
 */
function per_event(array $streams): array
{
    return array_map(static fn(float $stream): float => $stream / EVENTS, $streams);
}
