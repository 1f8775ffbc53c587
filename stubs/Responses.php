<?php

namespace RetryClient;

/**
 * The results of a batch, with the keys of its requests, in the order they finish. `ClientInterface::sendAll()` makes it
 * and has the rules.
 *
 * A result is a `Response`, or what `sendRequest()` would have thrown, as a value. It can be gone through once: a second
 * `foreach` throws. Dropping it ends the batch: what is in flight is cancelled (an HTTP/1.1 connection is closed, an
 * HTTP/2 stream is reset), and nothing more is taken from the input.
 *
 * Thrown out of the iteration when their turn comes, which is after all that was begun before has been brought to its
 * end and handed out:
 * - what the input itself throws, such as a generator;
 * - \TypeError: an element is no Request;
 * - \ValueError and others: a Request that `sendRequest()` would refuse; with a journal a key that is not int|string, that
 *   comes twice, or that the journal has for another request.
 *
 * Thrown at once, and what is in flight is dropped:
 * - what a hook, `onProgress` or a handler of a signal throws;
 * - \RuntimeException: the journal cannot be written any more.
 *
 * After either the batch is over. Where results were journaled, another `sendAll()` goes on from there.
 *
 * @template TKey
 * @implements \Iterator<TKey, Response|Exception>
 */
final class Responses implements \Iterator
{
    private function __construct() {}

    /**
     * The result, null behind the last one.
     *
     * @return Response|Exception|null
     */
    public function current(): mixed {}

    /**
     * The key that the input had for the request, of any type; null behind the last one.
     *
     * @return TKey|null
     */
    public function key(): mixed {}

    /** Moves all calls on until there is a further result. */
    public function next(): void {}

    /** @throws \Error the first result has been passed */
    public function rewind(): void {}

    public function valid(): bool {}
}
