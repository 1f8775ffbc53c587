--TEST--
limit: the forms that are taken; a limitKey is any bytes
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

foreach (['40/min', '500/min burst 20', '40 per 4s', '1000 per day', '5 at once', '1/ms', '40/90s', ' 40 / MIN , 5 at once', '40PER4S', '4294967295/h', null] as $limit) {
    foreach ([true, false] as $share) {
        $client = new FakeClient(static fn() => new Response(), limit: $limit, limitKey: "key \0\xff", share: $share);
        for ($i = 0; $i < 3; $i++) {
            assert_same(200, $client->get('http://a.test/')->status, (string) $limit);
        }
        assert_same(3, count($client->requests()), (string) $limit);
        assert_same(200, $client->with(limit: null, share: !$share, limitKey: null)->get('http://a.test/')->status, (string) $limit);
    }
}
done();
?>
--EXPECT--
done
