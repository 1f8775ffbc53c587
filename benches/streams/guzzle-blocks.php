<?php

/** The same parser as in guzzle.php, but the body is read in blocks: as cheap as Guzzle can be. */

require_once 'GuzzleHttp/autoload.php';
require_once __DIR__ . '/../lib/events.php';

$client = new GuzzleHttp\Client();

return static function (string $url) use ($client): Generator {
    $stream = $client->request('GET', $url, ['stream' => true])->getBody();
    $text = '';
    $at = 0;
    return events(static function () use ($stream, &$text, &$at): string {
        while (($end = strpos($text, "\n", $at)) === false && !$stream->eof()) {
            $text = substr($text, $at) . $stream->read(8192);
            $at = 0;
        }
        $line = substr($text, $at, $end === false ? null : $end + 1 - $at);
        $at += strlen($line);
        return $line;
    });
};
