<?php

namespace RetryClient;

/**
 * The final answer of a call, its body still arriving. `ClientInterface::stream()` makes it when the first byte of the
 * body, or its end, is there.
 *
 * The body is read once, in one of three ways: as chunks, lines or events. Whoever reads more slowly than the server
 * sends makes the server wait: no more than about 1 MiB lies in memory, and no `maxBodySize` bounds the whole.
 *
 *     foreach ($client->stream('POST', 'chat', json: $payload)->events() as $event) {
 *         echo json_decode($event->data)->text ?? '';
 *     }
 *
 * Bytes arrive while PHP waits in the iterator, or for any other call. From the first byte on nothing is sent again: a
 * stream that breaks throws a `NetworkException` out of the iteration, after exactly what came whole. `received()` then
 * says how much came.
 *
 * Dropping it, or its iterator, before the end closes the HTTP/1.1 connection or resets the HTTP/2 stream at once.
 *
 * @implements \IteratorAggregate<int, string>
 */
final class StreamedResponse implements \IteratorAggregate
{
    /** Three digits (RFC 9110 section 15); some servers use numbers beyond 599. */
    public readonly int $status;

    /** The status line's text as the server sent it; '' over HTTP/2, which has none. */
    public readonly string $reasonPhrase;

    /** '1.1' or '2' ('1.0' if the server answered so). */
    public readonly string $protocol;

    /**
     * Names in lower case, values in the order they came.
     *
     * @var array<lowercase-string, list<string>>
     */
    public readonly array $headers;

    /** Where the answer came from, after redirects. */
    public readonly string $uri;

    /**
     * Every send of the call, the one that got this answer last. That one's `$duration` goes to the first byte.
     *
     * @var list<Attempt>
     */
    public readonly array $attempts;

    /** Seconds spent waiting, before and between attempts. */
    public readonly float $waited;

    /** Seconds from the call to the first byte of the body, waits included. */
    public readonly float $elapsed;

    /** Seconds the server asked to wait, as it said, not capped by `maxRetryAfter`; null if it named no time. */
    public readonly ?float $retryAfter;

    private function __construct() {}

    /**
     * A header's value, several lines joined with ', ' (RFC 9110 section 5.2); null if it is not there.
     *
     * @param string $name in any case
     */
    public function header(string $name): ?string {}

    /** Whether the status is 200 to 299. */
    public function ok(): bool {}

    /**
     * How many bytes of the body have arrived, decoded, read or not.
     *
     * @return int<0, max>
     */
    public function received(): int {}

    /**
     * The body's bytes in chunks as they arrive, none of them empty. Where a chunk ends means nothing.
     *
     * @return StreamIterator<string>
     *
     * @throws \Error the body has been given to an iterator already
     */
    public function getIterator(): \Iterator {}

    /**
     * The body's lines without their ends, which are LF, CRLF or CR. Bytes are left as they are. A last line without an
     * end is one if the body ends well; where the stream breaks it is dropped.
     *
     * @return StreamIterator<string>
     *
     * @throws \Error the body has been given to an iterator already
     */
    public function lines(): \Iterator {}

    /**
     * The body's server-sent events, by the rules of the WHATWG HTML standard (section 9.2.6, "Interpreting an event
     * stream"), whatever `Content-Type` says: a BOM at the start and comments are dropped, an `id` with NUL and a
     * `retry` that is not all digits are ignored, an event without `data` is none, nor is a last one that no empty line
     * ends. A body that has no events yields none.
     *
     * It never reconnects. Each event is handed out when its empty line is there. Comments keep `idleTimeout` from
     * running out, but yield nothing: a page that passes events on is silent meanwhile. Where an API sends nothing else
     * for long, pass on `lines()`, or bound the stream by `budget`.
     *
     * @return StreamIterator<Event>
     *
     * @throws \Error the body has been given to an iterator already
     */
    public function events(): \Iterator {}
}
