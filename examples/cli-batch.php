<?php

/**
 * Many requests, a few at a time, with a line that tells how far it is. Killed, it goes on where it was when it is started
 * again: what has been answered is in the journal.
 *
 *     API_URL=https://api.example.com/v1 API_KEY=... php cli-batch.php sentences.txt batch.journal > translations.txt
 */

declare(strict_types=1);

[, $input, $journal] = $argv + [1 => 'sentences.txt', 2 => 'batch.journal'];
if (!is_readable($input)) {
    fwrite(STDERR, "usage: php cli-batch.php sentences.txt [batch.journal]\n");
    exit(2);
}

$client = new RetryClient(
    baseUri: getenv('API_URL') ?: 'https://api.example.com/v1',
    headers: ['Authorization' => 'Bearer ' . getenv('API_KEY')],
    maxAttempts: 10,
    limit: '600/min burst 20',      // what the API allows; shared with all other processes of this user
);

$sentences = file($input, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES);
$requests = array_map(
    static fn(string $sentence) => new RetryClient\Request('POST', 'translate', json: ['text' => $sentence]),
    $sentences,
);

$failed = 0;
foreach ($client->sendAll($requests, concurrency: 8, progress: true, journal: $journal) as $number => $result) {
    if ($result instanceof RetryClient\Response && $result->ok()) {
        echo $number, "\t", $result->json()['text'], "\n";
    } else {
        $failed++;
        $why = $result instanceof RetryClient\Response ? "status $result->status" : $result->getMessage();
        fwrite(STDERR, "$number: $why\n");
    }
}
exit($failed > 0 ? 1 : 0);
