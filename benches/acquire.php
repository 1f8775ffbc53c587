<?php

/**
 * What it costs to look at the shared state before each request, and to note the answer, where no API ever limits.
 *
 * The target is that of the row `free` of crates/simulator.
 */

declare(strict_types=1);

return static function (Setting $setting): array {
    $kinds = [
        'share: true' => ['retry-client', []],
        'share: false' => ['retry-client-alone', []],
        'no shared file' => ['retry-client', ['-d', 'retry_client.shared_memory=']],
    ];
    $rows = $absolute = [];
    foreach ([1 => 'one process', 8 => 'eight processes'] as $processes => $who) {
        $count = (string) $setting->size(intdiv(12_000, $processes), 1000);
        $measurements = [];
        foreach ($kinds as $kind => [$client, $options]) {
            $measurements[$kind] = static fn(): float => requests_per_second($setting, $processes, $count, $client, $options);
        }
        $rates = interleaved("acquire, $who", $setting->size(21, 3), $measurements);
        foreach (['share: false', 'no shared file'] as $other) {
            $rows[] = new Row("$who, share: true / $other", ratios($rates['share: true'], $rates[$other]), '%.3f', Target::atLeast(0.97));
        }
        foreach ($rates as $kind => $rounds) {
            $absolute[] = new Row("$who, $kind, requests/s", $rounds, '%.0f');
        }
    }
    return [...$rows, ...$absolute];
};

/**
 * Of all processes together, over one kept-alive connection each.
 *
 * @param list<string> $options PHP's
 */
function requests_per_second(Setting $setting, int $processes, string $count, string $client, array $options): float
{
    $command = $setting->command('requests.php', [$client, $setting->server->of('http') . '/bytes/1024', $count], $options);
    $outputs = run_at_once(array_fill(0, $processes, $command), $setting->environment());
    return array_sum(array_map(static fn(string $output): float => 1e6 / json_decode($output, true)['wall'], $outputs));
}
