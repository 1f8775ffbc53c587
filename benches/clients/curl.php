<?php

/** ext-curl with one handle, which keeps its connection for as long as the handle lives. */

$curl = curl_init();
curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_FAILONERROR => true]);

return static function (string $url) use ($curl): string {
    curl_setopt($curl, CURLOPT_URL, $url);
    $body = curl_exec($curl);
    return $body === false ? throw new RuntimeException(curl_error($curl)) : $body;
};
