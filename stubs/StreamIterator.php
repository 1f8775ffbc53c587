<?php

namespace RetryClient;

/**
 * A `StreamedResponse` on its way: its chunks, lines or events, with the keys 0, 1, 2 and so on. It can be gone through
 * once.
 *
 * Dropping it ends the stream: the HTTP/1.1 connection is closed, the HTTP/2 stream is reset. It needs no
 * `StreamedResponse` beside it to go on.
 *
 * Besides what the methods below name, the iteration throws what a hook or a handler of a signal throws.
 *
 * @template T of string|Event
 * @implements \Iterator<int, T>
 */
final class StreamIterator implements \Iterator
{
    private function __construct() {}

    /**
     * The chunk, line or event; null behind the last one.
     *
     * @return T|null
     */
    public function current(): mixed {}

    /**
     * Counts from 0; null behind the last one.
     *
     * @return int<0, max>|null
     */
    public function key(): mixed {}

    /**
     * Waits for the next one; meanwhile all other calls move on.
     *
     * @throws NetworkException the stream broke: `reset` or `protocol`; `timeout`, silence longer than `idleTimeout`;
     *     `too-large`, a line or the data of an event of more than 16 MiB. All that came whole before has been handed out
     * @throws BudgetExceededException the time is up; the NetworkException is its `getPrevious()`
     */
    public function next(): void {}

    /** @throws \Error the first one has been passed */
    public function rewind(): void {}

    public function valid(): bool {}
}
