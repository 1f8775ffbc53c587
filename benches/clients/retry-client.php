<?php

$client = new RetryClient();

return static fn(string $url): string => $client->get($url)->throw()->body;
