<?php

function ask(array $payload): array
{
    for ($attempt = 1; ; $attempt++) {
        $retryAfter = 0;
        $curl = curl_init(getenv('API_URL'));
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => json_encode($payload),
            CURLOPT_HTTPHEADER => ['Content-Type: application/json', 'Authorization: Bearer ' . getenv('API_KEY')],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$retryAfter): int {
                sscanf(strtolower($line), 'retry-after: %d', $retryAfter);
                return strlen($line);
            },
        ]);
        $body = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($status !== 429 && $status < 500 || $attempt === 5) {
            return json_decode($body, true);
        }
        $wait = min($retryAfter ?: 0.5 * 2 ** ($attempt - 1), 30) + 0.25 * mt_rand() / mt_getrandmax();
        usleep((int) ($wait * 1_000_000));
    }
}
