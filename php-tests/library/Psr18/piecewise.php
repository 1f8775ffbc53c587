<?php

/**
 * A server for one connection whose answer arrives as the test says: it prints its address, sends the head that is its
 * argument when the request is there, and then the bytes of each line of its input, which are in Base64. At the end of its
 * input it closes the connection; if the client does so first, it prints `left`.
 */

declare(strict_types=1);

$server = stream_socket_server('tcp://127.0.0.1:0');
echo stream_socket_get_name($server, false), "\n";
$connection = stream_socket_accept($server, 30.0);
while (trim((string) fgets($connection)) !== '') {
}
fwrite($connection, base64_decode($argv[1]));
stream_set_blocking($connection, false);
for (;;) {
    $ready = [$connection, STDIN];
    $none = null;
    stream_select($ready, $none, $none, 30);
    if (in_array($connection, $ready, true) && (string) fread($connection, 8192) === '' && feof($connection)) {      // else the request's body
        echo "left\n";
        exit;
    }
    if (in_array(STDIN, $ready, true)) {
        $line = fgets(STDIN);
        if ($line === false) {
            exit;
        }
        fwrite($connection, base64_decode($line));
    }
}
