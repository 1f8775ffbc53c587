<?php

/** ext-curl's multi interface by hand: as many handles as requests at once, each used again for the next request. */

$multi = curl_multi_init();
$handles = [];

return static function (iterable $urls, int $concurrency, callable $each) use ($multi, &$handles): void {
    while (count($handles) < $concurrency) {
        $handles[] = $curl = curl_init();
        curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_FAILONERROR => true]);
    }
    $left = new IteratorIterator($urls instanceof Traversable ? $urls : new ArrayIterator($urls));
    $left->rewind();
    $next = static function (CurlHandle $curl) use ($multi, $left): int {
        if (!$left->valid()) {
            return 0;
        }
        curl_setopt($curl, CURLOPT_URL, $left->current());
        curl_multi_add_handle($multi, $curl);
        $left->next();
        return 1;
    };

    $flying = array_sum(array_map($next, array_slice($handles, 0, $concurrency)));
    while ($flying > 0) {
        curl_multi_exec($multi, $running);
        for ($done = 0; $info = curl_multi_info_read($multi); $done++) {
            $curl = $info['handle'];
            $info['result'] === CURLE_OK ?: throw new RuntimeException(curl_error($curl));
            $each(curl_multi_getcontent($curl));
            curl_multi_remove_handle($multi, $curl);
            $flying += $next($curl) - 1;
        }
        if ($done === 0) {
            curl_multi_select($multi);
        }
    }
};
