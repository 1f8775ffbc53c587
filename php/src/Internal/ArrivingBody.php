<?php

declare(strict_types=1);

namespace RetryClient\Internal;

use Psr\Http\Message\StreamInterface;
use RetryClient\StreamedResponse;

/**
 * The body of a stream, read while it arrives. It cannot seek: what has been read is gone.
 *
 * `read()` waits only if nothing is there, and returns what is, so often less than it was asked for. Closing it, or dropping
 * it before its end, closes the connection.
 *
 * @internal
 */
final class ArrivingBody implements StreamInterface
{
    /** The chunk that is being read, how far, and how long it is. */
    private string $chunk = '';
    private int $at = 0;
    private int $length = 0;

    /** Bytes of the chunks before it. */
    private int $before = 0;

    private bool $open = true;

    private ?\RetryClient\Exception $failure = null;

    public static function of(StreamedResponse $response): self
    {
        // Under HTTP/2 the end may come later than the last byte.
        $length = $response->protocol === '2' ? null : $response->header('content-length');
        return new self($response->getIterator(), $length === null ? null : (int) $length);
    }

    /**
     * @param \Iterator<string>|null $chunks none of them empty, and the first one, or the end, is there; null: at the end
     * @param int|null $size bytes of the whole body, if the end is sure to follow them at once
     */
    public function __construct(private ?\Iterator $chunks, private ?int $size = null)
    {
        $this->take();
        if ($this->chunks === null && $this->failure === null) {
            $this->size = 0;        // the answer to a HEAD names a size, too
        }
    }

    public function read($length): string
    {
        if ($length < 1) {
            return $length === 0 ? '' : throw new \RuntimeException('The number of bytes to read must not be negative');
        }
        if ($this->at === $this->length && !$this->advance()) {
            return '';
        }
        $bytes = $length === 1 ? $this->chunk[$this->at] : substr($this->chunk, $this->at, $length);
        $this->at += strlen($bytes);
        if ($this->at === $this->length && $this->before + $this->at === $this->size) {
            $this->pass();
        }
        return $bytes;
    }

    public function getContents(): string
    {
        $contents = substr($this->chunk, $this->at);
        $this->at = $this->length;
        while ($this->advance()) {
            $contents .= $this->chunk;
            $this->at = $this->length;
        }
        return $contents;
    }

    /** What has not been read yet. */
    public function __toString(): string
    {
        return $this->getContents();
    }

    /** Whether the end has been reached, as far as that is known without waiting. */
    public function eof(): bool
    {
        return $this->at === $this->length && $this->chunks === null;
    }

    public function tell(): int
    {
        return $this->open ? $this->before + $this->at : throw new \RuntimeException('The stream is closed');
    }

    public function getSize(): ?int
    {
        return $this->size;
    }

    public function close(): void
    {
        $this->open = false;
        $this->chunks = $this->size = null;
        $this->chunk = '';
        $this->at = $this->length = 0;
    }

    /** There is no resource beneath it: it is closed. */
    public function detach()
    {
        $this->close();
        return null;
    }

    public function isReadable(): bool
    {
        return $this->open;
    }

    public function isSeekable(): bool
    {
        return false;
    }

    public function isWritable(): bool
    {
        return false;
    }

    public function seek($offset, $whence = SEEK_SET): void
    {
        throw new \RuntimeException('A body that is read while it arrives cannot seek');
    }

    public function rewind(): void
    {
        $this->seek(0);
    }

    public function write($string): int
    {
        throw new \RuntimeException('A body that is read while it arrives cannot be written');
    }

    public function getMetadata($key = null)
    {
        return $key === null ? [] : null;
    }

    /**
     * Waits for the next chunk.
     *
     * @return bool false: there is none
     *
     * @throws \RuntimeException the stream broke, or is closed
     */
    private function advance(): bool
    {
        if (!$this->open) {
            throw new \RuntimeException('The stream is closed');
        }
        $this->pass();
        if ($this->failure !== null) {
            throw new \RuntimeException($this->failure->getMessage(), 0, $this->failure);
        }
        return $this->chunks !== null;
    }

    private function pass(): void
    {
        try {
            $this->chunks?->next();
        } catch (\RetryClient\Exception $e) {
            $this->fail($e);
        }
        $this->take();
    }

    private function take(): void
    {
        try {
            if ($this->chunks?->valid()) {
                $this->before += $this->length;
                $this->chunk = $this->chunks->current();
                $this->length = strlen($this->chunk);
                $this->at = 0;
            } else {
                $this->chunks = null;
            }
        } catch (\RetryClient\Exception $e) {
            $this->fail($e);
        }
    }

    private function fail(\RetryClient\Exception $e): void
    {
        $this->failure = $e;
        $this->chunks = null;
    }
}
