<?php

declare(strict_types=1);

namespace RetryClient\Guzzle;

use GuzzleHttp\Psr7\StreamDecoratorTrait;
use Psr\Http\Message\StreamInterface;

/**
 * A body that tells how much of it has been read.
 *
 * @internal
 */
final class ReportingBody implements StreamInterface
{
    use StreamDecoratorTrait;

    /** @var StreamInterface named by the trait */
    private $stream;
    private int $received = 0;

    /** @param \Closure(int): mixed $report called with the bytes that have been read in all */
    public function __construct(StreamInterface $stream, private readonly \Closure $report)
    {
        $this->stream = $stream;
    }

    /** @param int $length */
    public function read($length): string
    {
        $bytes = $this->stream->read($length);
        $this->received += strlen($bytes);
        ($this->report)($this->received);
        return $bytes;
    }
}
