<?php

$client = new RetryClient(share: false);

return static fn(string $url): string => $client->get($url)->throw()->body;
