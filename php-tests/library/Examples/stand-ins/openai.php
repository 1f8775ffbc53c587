<?php

/**
 * As much of openai-php/client as examples/openai.php calls. It uses the PSR-18 client and the stream handler as that SDK
 * does: the first for answers, read whole; the second, a closure from request to response, for streams, whose body is read
 * byte by byte up to the end of a line.
 */

declare(strict_types=1);

namespace RetryClient\Tests\Examples\OpenAI {
    use Nyholm\Psr7\Request;
    use Psr\Http\Client\ClientInterface;
    use Psr\Http\Message\StreamInterface;

    final class Factory
    {
        private string $key = '';
        private string $uri = 'https://api.openai.com/v1';
        private ?ClientInterface $client = null;
        private ?\Closure $stream = null;

        public function withApiKey(string $apiKey): self
        {
            $this->key = $apiKey;
            return $this;
        }

        public function withBaseUri(string $baseUri): self
        {
            $this->uri = $baseUri;
            return $this;
        }

        public function withHttpClient(ClientInterface $client): self
        {
            $this->client = $client;
            return $this;
        }

        public function withStreamHandler(\Closure $streamHandler): self
        {
            $this->stream = $streamHandler;
            return $this;
        }

        public function make(): Client
        {
            return new Client(new Chat($this->key, rtrim($this->uri, '/'), $this->client, $this->stream));
        }
    }

    final class Client
    {
        public function __construct(private readonly Chat $chat) {}

        public function chat(): Chat
        {
            return $this->chat;
        }
    }

    final class Chat
    {
        public function __construct(
            private readonly string $key,
            private readonly string $uri,
            private readonly ClientInterface $client,
            private readonly \Closure $stream,
        ) {}

        /** @param array<string, mixed> $parameters */
        public function create(array $parameters): object
        {
            $response = $this->client->sendRequest($this->request($parameters));
            return json_decode((string) $response->getBody(), flags: JSON_THROW_ON_ERROR);
        }

        /**
         * @param array<string, mixed> $parameters
         *
         * @return iterable<object>
         */
        public function createStreamed(array $parameters): iterable
        {
            $body = ($this->stream)($this->request(['stream' => true] + $parameters))->getBody();
            while (!$body->eof()) {
                $line = trim(self::line($body));
                if ($line === 'data: [DONE]') {
                    return;
                }
                if (str_starts_with($line, 'data: ')) {
                    yield json_decode(substr($line, 6), flags: JSON_THROW_ON_ERROR);
                }
            }
        }

        /** @param array<string, mixed> $parameters */
        private function request(array $parameters): Request
        {
            $headers = ['Authorization' => "Bearer $this->key", 'Content-Type' => 'application/json'];
            return new Request('POST', "$this->uri/chat/completions", $headers, json_encode($parameters, JSON_THROW_ON_ERROR));
        }

        private static function line(StreamInterface $body): string
        {
            $line = '';
            while (!$body->eof() && !str_ends_with($line, "\n")) {
                $line .= $body->read(1);
            }
            return $line;
        }
    }
}

namespace {
    final class OpenAI
    {
        public static function factory(): RetryClient\Tests\Examples\OpenAI\Factory
        {
            return new RetryClient\Tests\Examples\OpenAI\Factory();
        }
    }
}
