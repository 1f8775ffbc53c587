--TEST--
limit and share are accepted and change nothing yet; a limitKey is any bytes
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

foreach (['40/min', '500/min burst 20', '40 per 4s', '1000 per day', '5 at once', '1/ms', '40/90s', ' 40 / MIN , 5 at once', '4294967295/h'] as $limit) {
    $client = new FakeClient(static fn() => new Response(), limit: $limit, limitKey: "key \0\xff", share: false);
    for ($i = 0; $i < 50; $i++) {
        $client->get('http://a.test/');
    }
    assert_same(50, count($client->requests()), $limit);
    assert_same(0.0, $client->with(share: true)->get('http://a.test/')->waited, $limit);
}
done();
?>
--EXPECT--
done
