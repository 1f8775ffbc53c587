<?php

declare(strict_types=1);

namespace RetryClient\Psr18;

use Psr\Http\Client\RequestExceptionInterface;
use Psr\Http\Message\RequestInterface;

/** The request is malformed, or its body cannot be read: nothing has been sent. */
final class RequestException extends \RuntimeException implements RequestExceptionInterface
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
