<?php

declare(strict_types=1);

namespace RetryClient\Psr18;

use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/**
 * A PSR-18 client whose responses' bodies arrive while they are read.
 *
 * @internal `Client::streaming()` makes it
 */
final class StreamingClient implements ClientInterface
{
    public function __construct(private readonly Client $client) {}

    public function sendRequest(RequestInterface $request): ResponseInterface
    {
        return $this->client->sendStream($request);
    }
}
