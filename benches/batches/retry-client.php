<?php

$client = new RetryClient();

return static function (iterable $urls, int $concurrency, callable $each) use ($client): void {
    $requests = (static function () use ($urls): Generator {
        foreach ($urls as $url) {
            yield new RetryClient\Request('GET', $url);
        }
    })();
    foreach ($client->sendAll($requests, concurrency: $concurrency) as $result) {
        $each($result instanceof RetryClient\Exception ? throw $result : $result->throw()->body);
    }
};
