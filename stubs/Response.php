<?php

namespace RetryClient;

/**
 * The final answer of a call, and how it came about.
 *
 * Can be serialized and cached. The constructor is public so that tests can make one; every argument has a default.
 */
final class Response implements \JsonSerializable
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

    /** The whole body, decoded unless `decode: false`; '' when it went to a `sink`. */
    public readonly string $body;

    /** Where the answer came from, after redirects. */
    public readonly string $uri;

    /**
     * Every send of the call, the one that got this response last.
     *
     * @var list<Attempt>
     */
    public readonly array $attempts;

    /** Seconds spent waiting, before and between attempts. */
    public readonly float $waited;

    /** Seconds for the whole call, waits included. */
    public readonly float $elapsed;

    /** Seconds the server asked to wait, as it said, not capped by `maxRetryAfter`; null if it named no time. */
    public readonly ?float $retryAfter;

    /**
     * @param int<100, 999> $status
     * @param array<string, string|list<string>> $headers names in any case
     * @param list<Attempt> $attempts
     *
     * @throws \ValueError|\TypeError
     */
    public function __construct(
        int $status = 200,
        string $reasonPhrase = '',
        string $protocol = '1.1',
        array $headers = [],
        string $body = '',
        string $uri = '',
        array $attempts = [],
        float $waited = 0.0,
        float $elapsed = 0.0,
        ?float $retryAfter = null,
    ) {}

    /**
     * A header's value, several lines joined with ', ' (RFC 9110 section 5.2); null if it is not there.
     *
     * Read `$headers` for `Set-Cookie`, which cannot be joined.
     *
     * @param string $name in any case
     */
    public function header(string $name): ?string {}

    /**
     * The body decoded from JSON.
     *
     * @param bool $associative true: objects become arrays, as with `json_decode`
     *
     * @throws \JsonException the body is not JSON
     */
    public function json(bool $associative = true): mixed {}

    /** Whether the status is 200 to 299. */
    public function ok(): bool {}

    /**
     * This response if it is `ok()`, for chaining: `$client->get($uri)->throw()->json()`.
     *
     * @throws HttpException any other status
     */
    public function throw(): static {}

    /**
     * The properties by name, for `json_encode`.
     *
     * @return array<string, mixed>
     */
    public function jsonSerialize(): mixed {}

    /** @return array<string, mixed> */
    public function __serialize(): array {}

    /**
     * @param array<string, mixed> $data checked as the constructor's arguments are
     *
     * @throws \ValueError|\TypeError
     */
    public function __unserialize(array $data): void {}
}
