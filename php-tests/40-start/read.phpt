--TEST--
read() and received(): the body as it arrives
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\Request;

/** What each read() that gave something gave. */
function reads(RetryClient\Pending $pending): array
{
    $reads = [];
    do {
        $done = $pending->done();
        if (($bytes = $pending->read()) !== '') {
            $reads[] = $bytes;
        }
        $done || RetryClient::poll([$pending]);
    } while (!$done);
    return $reads;
}

$client = new RetryClient(verify: server('ca'));
foreach (['http', 'h2'] as $on) {
    $url = script('a', [chunks(['ab', 'cde', 'fg', "h\0"], 150)], $on);
    $pending = $client->start(new Request('GET', $url));
    assert_same(['', 0], [$pending->read(), $pending->received()], "$on: nothing yet");
    assert_same(['ab', 'cde', 'fg', "h\0"], reads($pending), "$on: as it came");
    assert_same(['', 9], [$pending->read(), $pending->received()], "$on: all of it");
    assert_same('', $pending->wait()->body, "$on: what was read is not kept");

    // Read in part: the response has the rest.
    $pending = $client->start(new Request('GET', $url));
    poll_until(static fn() => $pending->received() > 0, $pending);
    assert_same([2, 'ab', '', 2], [$pending->received(), $pending->read(), $pending->read(), $pending->received()], "$on: the first chunk");
    assert_same("cdefgh\0", $pending->wait()->body, "$on: the rest");
    assert_same(9, $pending->received(), "$on: read or not");

    // Not read: the response has it all.
    assert_same("abcdefgh\0", $client->start(new Request('GET', $url))->wait()->body, "$on: not read");
}

// Decoded bytes count.
$pending = $client->start(new Request('GET', script('gz', [['body_repeat' => ['x', 100_000], 'encoding' => 'gzip']])));
$read = implode('', reads($pending));
assert_same([100_000, 100_000, ''], [strlen($read), $pending->received(), trim($read, 'x')], 'decoded');

// A body of a retried answer is not read.
$pending = $client->with(baseDelay: 0.1, jitter: 0.0)->start(apart(script('retried', [['status' => 503, 'body' => 'busy'], chunks(['fi', 'ne'], 100)])));
assert_same(['fi', 'ne'], reads($pending), 'a retried answer');
assert_same(4, $pending->received(), 'of the last answer');

// Read in between or not, no byte is lost and none is there twice.
$pending = $client->start(new Request('GET', script('large', [['body_repeat' => ['0123456789', 300_000]]])));
$all = implode('', reads($pending)) . $pending->wait()->body;
assert_same([3_000_000, true], [strlen($all), $all === str_repeat('0123456789', 300_000)], 'a large body');
done();
?>
--EXPECT--
done
