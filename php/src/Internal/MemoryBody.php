<?php

declare(strict_types=1);

namespace RetryClient\Internal;

use Psr\Http\Message\StreamInterface;

/**
 * The body that PSR-7 packages keep in php://temp, as long as it is only read: a string. It becomes that stream when it is
 * written to, detached, closed, or asked what it is.
 *
 * @internal
 */
final class MemoryBody implements StreamInterface
{
    private ?StreamInterface $stream = null;
    private int $at = 0;

    /** @param \Closure(string): StreamInterface $make */
    public function __construct(private string $contents, private readonly \Closure $make) {}

    public function __toString(): string
    {
        if ($this->stream !== null) {
            return (string) $this->stream;
        }
        $this->at = strlen($this->contents);
        return $this->contents;
    }

    public function getContents(): string
    {
        return $this->stream === null ? $this->read(\PHP_INT_MAX) : $this->stream->getContents();
    }

    /** @param int $length */
    public function read($length): string
    {
        if ($this->stream !== null || $length < 0) {
            return $this->stream()->read($length);
        }
        $bytes = substr($this->contents, $this->at, $length);
        $this->at += strlen($bytes);
        return $bytes;
    }

    public function eof(): bool
    {
        return $this->stream === null ? $this->at >= strlen($this->contents) : $this->stream->eof();
    }

    public function tell(): int
    {
        return $this->stream === null ? $this->at : $this->stream->tell();
    }

    public function getSize(): ?int
    {
        return $this->stream === null ? strlen($this->contents) : $this->stream->getSize();
    }

    public function isSeekable(): bool
    {
        return $this->stream === null || $this->stream->isSeekable();
    }

    public function isReadable(): bool
    {
        return $this->stream === null || $this->stream->isReadable();
    }

    public function isWritable(): bool
    {
        return $this->stream === null || $this->stream->isWritable();
    }

    public function rewind(): void
    {
        $this->seek(0);
    }

    /**
     * @param int $offset
     * @param int $whence
     */
    public function seek($offset, $whence = \SEEK_SET): void
    {
        if ($this->stream === null && $whence === \SEEK_SET && $offset >= 0 && $offset <= strlen($this->contents)) {
            $this->at = $offset;
        } else {
            $this->stream()->seek($offset, $whence);
        }
    }

    /** @param string $string */
    public function write($string): int
    {
        return $this->stream()->write($string);
    }

    public function close(): void
    {
        $this->stream()->close();
    }

    public function detach()
    {
        return $this->stream()->detach();
    }

    /**
     * @param string|null $key
     *
     * @return mixed
     */
    public function getMetadata($key = null)
    {
        return $this->stream()->getMetadata($key);
    }

    private function stream(): StreamInterface
    {
        if ($this->stream === null) {
            $this->stream = ($this->make)($this->contents);
            $this->stream->seek($this->at);
            $this->contents = '';
        }
        return $this->stream;
    }
}
