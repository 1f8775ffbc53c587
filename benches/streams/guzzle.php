<?php

/** The way of openai-php: the body is read byte by byte to the end of a line. */

require_once 'GuzzleHttp/autoload.php';
require_once __DIR__ . '/../lib/events.php';

$client = new GuzzleHttp\Client();

return static function (string $url) use ($client): Generator {
    $stream = $client->request('GET', $url, ['stream' => true])->getBody();
    return events(static function () use ($stream): string {
        $line = '';
        while (!$stream->eof()) {
            $byte = $stream->read(1);
            if ($byte === '') {
                return $line;
            }
            $line .= $byte;
            if ($byte === "\n") {
                break;
            }
        }
        return $line;
    });
};
