<?php

declare(strict_types=1);

namespace RetryClient\Psr18;

use Psr\Http\Client\NetworkExceptionInterface;
use Psr\Http\Message\RequestInterface;

/**
 * There is no response: the network failed, the time was up, the API held the call back, or what came cannot be used.
 *
 * `getPrevious()` is the extension's exception, which says more.
 */
final class NetworkException extends \RuntimeException implements NetworkExceptionInterface
{
    public function __construct(string $message, private readonly RequestInterface $request, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }

    public function getRequest(): RequestInterface
    {
        return $this->request;
    }
}
