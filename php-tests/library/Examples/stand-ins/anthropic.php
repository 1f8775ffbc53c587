<?php

/**
 * As much of anthropic-ai/sdk as examples/anthropic.php calls. It uses the two PSR-18 clients as that SDK does: the
 * `streamingTransporter` for requests that accept `text/event-stream`, the `transporter` for the others, and its own retries
 * of a 429 or 5xx on top unless `maxRetries` is 0.
 */

declare(strict_types=1);

namespace Anthropic;

use Nyholm\Psr7\Request;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\ResponseInterface;

final class RequestOptions
{
    private function __construct(
        public readonly ClientInterface $transporter,
        public readonly ClientInterface $streamingTransporter,
        public readonly int $maxRetries,
    ) {}

    public static function with(ClientInterface $transporter, ClientInterface $streamingTransporter, int $maxRetries = 2): self
    {
        return new self($transporter, $streamingTransporter, $maxRetries);
    }
}

final class Client
{
    public readonly Messages $messages;

    public function __construct(string $apiKey, string $baseUrl, RequestOptions $requestOptions)
    {
        $this->messages = new Messages($apiKey, rtrim($baseUrl, '/'), $requestOptions);
    }
}

final class Messages
{
    public function __construct(
        private readonly string $key,
        private readonly string $url,
        private readonly RequestOptions $options,
    ) {}

    /** @param list<array<string, mixed>> $messages */
    public function create(int $maxTokens, array $messages, string $model): object
    {
        $response = $this->send(['max_tokens' => $maxTokens, 'messages' => $messages, 'model' => $model], 'application/json');
        return json_decode((string) $response->getBody(), flags: JSON_THROW_ON_ERROR);
    }

    /**
     * @param list<array<string, mixed>> $messages
     *
     * @return iterable<object>
     */
    public function createStream(int $maxTokens, array $messages, string $model): iterable
    {
        $parameters = ['max_tokens' => $maxTokens, 'messages' => $messages, 'model' => $model, 'stream' => true];
        $body = $this->send($parameters, 'text/event-stream')->getBody();
        $buffer = '';
        while (!$body->eof()) {
            $buffer .= $body->read(8192);
            while (($end = strpos($buffer, "\n")) !== false) {
                $line = substr($buffer, 0, $end);
                $buffer = substr($buffer, $end + 1);
                if (str_starts_with($line, 'data: ')) {
                    yield json_decode(substr($line, 6), flags: JSON_THROW_ON_ERROR);
                }
            }
        }
    }

    /** @param array<string, mixed> $parameters */
    private function send(array $parameters, string $accept): ResponseInterface
    {
        $headers = ['X-Api-Key' => $this->key, 'anthropic-version' => '2023-06-01', 'Content-Type' => 'application/json', 'Accept' => $accept];
        $request = new Request('POST', "$this->url/v1/messages", $headers, json_encode($parameters, JSON_THROW_ON_ERROR));
        $transporter = $accept === 'text/event-stream' ? $this->options->streamingTransporter : $this->options->transporter;
        $retries = 0;
        do {
            $response = $transporter->sendRequest($request->withHeader('X-Stainless-Retry-Count', (string) $retries));
            $isFinal = $response->getStatusCode() < 429;
        } while (!$isFinal && $retries++ < $this->options->maxRetries);
        return $isFinal ? $response : throw new \RuntimeException("status {$response->getStatusCode()}");
    }
}
