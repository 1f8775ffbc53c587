<?php

$client = new RetryClient();

return static fn(string $url): Iterator => $client->stream('GET', $url)->events();
