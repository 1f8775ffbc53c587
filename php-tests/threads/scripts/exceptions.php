<?php
// Exceptions of all kinds, also those of a hook and of a callback in the middle of a batch.
require __DIR__ . '/../../support.php';

use RetryClient\{HttpException, NetworkException, Request};

$client = new RetryClient(maxAttempts: 2, baseDelay: 0.01, jitter: 0.0);
$thrown = thrown_by(static fn() => $client->get(server('refused')), NetworkException::class);
assert_same(2, count($thrown->attempts ?? []), 'attempts');
$thrown = thrown_by(static fn() => $client->get(server('http') . "/status/404?body=$thread")->throw(), HttpException::class);
assert_same("$thread", $thrown->response->body ?? null);

$angry = $client->with(onAttempt: static fn() => throw new DomainException("of thread $thread"));
assert_throws(DomainException::class, "of thread $thread", static fn() => $angry->get(server('http') . '/status/200'));
assert_throws(DomainException::class, "the list of $thread", static fn() => iterator_to_array($client->sendAll((static function () use ($thread) {
    yield new Request('GET', server('http') . '/status/200');
    throw new DomainException("the list of $thread");
})())));
assert_throws(TypeError::class, 'RetryClient::get(): Argument #1 ($uri) must be of type string, array given', static fn() => $client->get([]));
done();
