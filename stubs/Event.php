<?php

namespace RetryClient;

/**
 * One server-sent event, as the WHATWG HTML standard defines it (section 9.2, "Server-sent events"). All text is UTF-8:
 * bytes that are not are replaced by U+FFFD.
 *
 * The constructor is public so that tests can make one. Cannot be serialized.
 */
final class Event
{
    /** Its type, any text; 'message' if the server names none. An event of type 'error' is an event like any other. */
    public readonly string $event;

    /** Its `data` lines, joined with "\n". */
    public readonly string $data;

    /** The last `id` that came, with this event or an earlier one; '' if there was none. */
    public readonly string $id;

    /** Seconds (the server names milliseconds) to wait before reconnecting; null unless it came since the last event. */
    public readonly ?float $retry;

    /** @throws \ValueError|\TypeError `$retry` is negative or not finite */
    public function __construct(
        string $event = 'message',
        string $data = '',
        string $id = '',
        ?float $retry = null,
    ) {}
}
