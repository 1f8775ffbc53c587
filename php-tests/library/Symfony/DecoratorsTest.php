<?php

declare(strict_types=1);

namespace RetryClient\Tests\Symfony;

use Nyholm\Psr7\Factory\Psr17Factory;
use PHPUnit\Framework\TestCase;
use Symfony\Component\HttpClient\Chunk\ServerSentEvent;
use Symfony\Component\HttpClient\EventSourceHttpClient;
use Symfony\Component\HttpClient\Psr18Client;
use Symfony\Component\HttpClient\Retry\GenericRetryStrategy;
use Symfony\Component\HttpClient\RetryableHttpClient;
use Symfony\Component\HttpClient\ScopingHttpClient;
use Symfony\Component\HttpClient\TraceableHttpClient;

/** Symfony's decorators on top. */
final class DecoratorsTest extends TestCase
{
    use Adapter;

    public function testServerSentEvents(): void
    {
        $url = $this->url([
            ['chunks' => ["id: 1\ndata: a\n\n", "data: b\n\n"], 'chunked' => true, 'headers' => [['Content-Type', 'text/event-stream']], 'drip' => ['every_ms' => 20]],
            ['body' => "data: c\n\n", 'headers' => [['Content-Type', 'text/event-stream']]],
        ]);
        $client = new EventSourceHttpClient($this->http(), 0.01);
        $source = $client->connect($url);
        $data = [];
        foreach ($client->stream($source) as $chunk) {
            if ($chunk instanceof ServerSentEvent) {
                $data[] = $chunk->getData();
            }
        }
        self::assertSame(['a', 'b'], $data);
        self::assertSame('text/event-stream', header_of($this->log()[0], 'Accept'));
    }

    public function testServerSentEventsReconnect(): void
    {
        $stream = [['Content-Type', 'text/event-stream']];
        $url = $this->url([
            ['chunks' => ["id: 1\ndata: a\n\n", 'never'], 'chunked' => true, 'headers' => $stream, 'drip' => ['every_ms' => 60_000]],
            ['body' => "data: c\n\n", 'headers' => $stream],
        ]);
        $client = new EventSourceHttpClient($this->http(idleTimeout: 0.3), 0.01);
        $source = $client->connect($url);
        $data = [];
        foreach ($client->stream($source) as $chunk) {
            if ($chunk instanceof ServerSentEvent) {
                $data[] = $chunk->getData();
            }
        }
        self::assertSame(['a', 'c'], $data);
        self::assertSame('1', header_of($this->log()[1], 'Last-Event-ID'));
    }

    public function testRetryableHttpClient(): void
    {
        $url = $this->url([['status' => 503], ['body' => 'ok']]);
        $client = new RetryableHttpClient($this->http(maxAttempts: 1), new GenericRetryStrategy([503], 1), 2);
        $response = $client->request('GET', $url);
        self::assertSame('ok', $response->getContent());
        self::assertCount(2, $this->log());
    }

    public function testScopingHttpClient(): void
    {
        $url = $this->url([['body' => 'ok']]);
        $client = ScopingHttpClient::forBaseUri($this->http(), server('http') . '/', ['auth_bearer' => 'a']);
        self::assertSame('ok', $client->request('GET', substr($url, strlen(server('http')) + 1))->getContent());
        self::assertSame('Bearer a', header_of($this->log()[0], 'Authorization'));
    }

    public function testTraceableHttpClient(): void
    {
        $client = new TraceableHttpClient($this->http());
        self::assertSame('ok', $client->request('GET', $this->url([['status' => 503], ['body' => 'ok']]))->getContent());
        $info = $client->getTracedRequests()[0]['info'];
        self::assertSame([200, 'GET'], [$info['http_code'], $info['http_method']]);
    }

    public function testPsr18Client(): void
    {
        $factory = new Psr17Factory();
        $client = new Psr18Client($this->http(), $factory, $factory);
        $url = $this->url([['status' => 503], ['status' => 404, 'headers' => [['X-A', 'b']], 'body' => 'gone']]);
        $response = $client->sendRequest($client->createRequest('GET', $url));
        self::assertSame([404, 'gone', 'b'], [$response->getStatusCode(), (string) $response->getBody(), $response->getHeaderLine('X-A')]);
        self::assertCount(2, $this->log());
    }

    public function testManyThroughADecorator(): void
    {
        $client = new RetryableHttpClient($this->http(), null, 1);
        $responses = [];
        for ($i = 0; $i < 5; $i++) {
            $responses[] = $client->request('GET', $this->url([['status' => 503], ['body' => "$i"]], name: "$i"), ['user_data' => $i]);
        }
        $seen = [];
        foreach ($client->stream($responses) as $response => $chunk) {
            if ($chunk->isLast()) {
                $seen[$response->getInfo('user_data')] = $response->getContent();
            }
        }
        ksort($seen);
        self::assertSame(['0', '1', '2', '3', '4'], $seen);
    }
}
