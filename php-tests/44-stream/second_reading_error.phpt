--TEST--
One reading only
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{FakeClient, Response};

$clients = ['real' => new RetryClient(), 'fake' => new FakeClient(static fn() => new Response(body: "data: x\n\ndata: y\n\n"))];
foreach ($clients as $what => $client) {
    $url = script('a', [['body' => "data: x\n\ndata: y\n\n"]]);
    foreach (['getIterator', 'lines', 'events'] as $first) {
        foreach (['getIterator', 'lines', 'events'] as $second) {
            $stream = $client->stream('GET', $url);
            $iterator = $stream->$first();
            assert_same(Error::class, get_debug_type(thrown_by(static fn() => $stream->$second())), "$what: $first, then $second");
            assert_true(count(iterator_to_array($iterator)) > 0, "$what: $first is as it was");
            assert_same(Error::class, get_debug_type(thrown_by(static fn() => $stream->$second())), "$what: $first to the end, then $second");
        }
        // A second pass over the same iterator.
        $iterator = $client->stream('GET', $url)->$first();
        iterator_to_array($iterator);
        assert_same(false, $iterator->valid(), "$what: $first: at the end");
        thrown_by(static fn() => iterator_to_array($iterator), Error::class);
    }
    $stream = $client->stream('GET', $url);
    foreach ($stream as $chunk) {
        break;
    }
    thrown_by(static function () use ($stream) { foreach ($stream as $chunk) {} }, Error::class);
}
done();
?>
--EXPECT--
done
