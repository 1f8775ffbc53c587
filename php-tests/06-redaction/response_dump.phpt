--TEST--
What a dump shows of a Response: all but cookies, keys, userinfo and queries
--EXTENSIONS--
retry_client
--FILE--
<?php
use RetryClient\Response;

$response = new Response(
    status: 302, body: 'shown', uri: 'https://user:pass@a.test/path?key=1',
    headers: ['Set-Cookie' => ['a=1', 'b=2'], 'Location' => 'https://user:pass@b.test/?sig=1', 'X-Api-Key' => 'k', 'Server' => 'shown', 'Vary' => ['a', 'b']],
);
print_r($response);
echo $response->header('location'), "\n", $response->uri, "\n", $response->header('set-cookie'), "\n";
echo print_r(clone $response, true) === print_r($response, true) ? "a clone shows the same\n" : "a clone shows something else\n";
?>
--EXPECT--
RetryClient\Response Object
(
    [status] => 302
    [reasonPhrase] => 
    [protocol] => 1.1
    [headers] => Array
        (
            [set-cookie] => Array
                (
                    [0] => [redacted]
                    [1] => [redacted]
                )

            [location] => Array
                (
                    [0] => https://[redacted]@b.test/?[redacted]
                )

            [x-api-key] => Array
                (
                    [0] => [redacted]
                )

            [server] => Array
                (
                    [0] => shown
                )

            [vary] => Array
                (
                    [0] => a
                    [1] => b
                )

        )

    [body] => shown
    [uri] => https://[redacted]@a.test/path?[redacted]
    [attempts] => Array
        (
        )

    [waited] => 0
    [elapsed] => 0
    [retryAfter] => 
)
https://user:pass@b.test/?sig=1
https://user:pass@a.test/path?key=1
a=1, b=2
a clone shows the same
