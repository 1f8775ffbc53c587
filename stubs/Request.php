<?php

namespace RetryClient;

/**
 * A request as data: the arguments of `ClientInterface::send()`, to be made in one place and sent in another by
 * `sendRequest()`, `sendAll()` or `start()`, and what `onAttempt` and `FakeClient::requests()` give.
 *
 * Its properties are as given and may hold credentials; `var_dump` and `print_r` show them redacted. It cannot be
 * serialized or cloned.
 */
final class Request
{
    public readonly string $method;

    public readonly string $uri;

    /** @var array<string, string|list<string>> */
    public readonly array $headers;

    /** @var string|\Stringable|resource|null */
    public readonly mixed $body;

    public readonly mixed $json;

    /** @var array<array-key, mixed> */
    public readonly array $form;

    /** @var array<array-key, mixed> */
    public readonly array $query;

    /** @var array<string, string|resource|array{contents: string|resource, filename?: string, type?: string}> */
    public readonly array $multipart;

    /** @var string|resource|null */
    public readonly mixed $sink;

    public readonly ?string $limitKey;

    public readonly ?float $cost;

    /**
     * The arguments of `ClientInterface::send()`, which explains them; they are checked here.
     *
     * @param array<string, string|list<string>> $headers
     * @param string|\Stringable|resource|null $body
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $query
     * @param array<string, string|resource|array{contents: string|resource, filename?: string, type?: string}> $multipart
     * @param string|resource|null $sink
     *
     * @throws \ValueError|\TypeError an argument is wrong
     */
    public function __construct(
        string $method,
        #[\SensitiveParameter] string $uri,
        #[\SensitiveParameter] array $headers = [],
        #[\SensitiveParameter] mixed $body = null,
        #[\SensitiveParameter] mixed $json = null,
        #[\SensitiveParameter] array $form = [],
        #[\SensitiveParameter] array $query = [],
        #[\SensitiveParameter] array $multipart = [],
        mixed $sink = null,
        #[\SensitiveParameter] ?string $limitKey = null,
        ?float $cost = null,
    ) {}
}
