<?php

declare(strict_types=1);

namespace RetryClient\Tests\Psr18;

use GuzzleHttp\Psr7\HttpFactory;
use Nyholm\Psr7\Factory\Psr17Factory;
use PHPUnit\Framework\TestCase;
use Psr\Http\Client\NetworkExceptionInterface;

/** Methods, headers and bodies in all combinations, as the suite of php-http/client-integration-tests has them. */
final class MatrixTest extends TestCase
{
    use Clients;

    private const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
    private const HEADERS = ['Connection' => 'close', 'User-Agent' => 'PHP HTTP Adapter', 'Content-Length' => '0'];
    private const MORE_HEADERS = self::HEADERS + ['Accept-Charset' => 'utf-8', 'Accept-Language' => 'en'];
    private const FORM = 'param1=foo&param2%5B0%5D=bar&param2%5B1%5D%5B0%5D=baz';

    /** Status, reason phrase, body, and how often it is sent. */
    private const OUTCOMES = [
        [200, 'OK', 'Ok', 1],
        [302, 'Found', 'Redirect', 1],
        [400, 'Bad Request', 'Client error', 1],
        [404, 'Not Found', '', 1],
        [500, 'Internal Server Error', 'Server error', 2],
        [503, 'Service Unavailable', 'Later', 2],
    ];

    /** @return iterable<string, array{class-string, string, array<string, string>, string|null}> */
    public static function requests(): iterable
    {
        foreach ([Psr17Factory::class, HttpFactory::class] as $factory) {
            foreach (self::METHODS as $method) {
                foreach (['few' => self::HEADERS, 'more' => self::MORE_HEADERS] as $count => $headers) {
                    foreach (['no body' => null, 'a form' => self::FORM] as $kind => $body) {
                        if ($method !== 'TRACE' || $body === null) {        // RFC 9110 section 9.3.8: it has none
                            yield "$factory, $method, $count headers, $kind" => [$factory, $method, $headers, $body];
                        }
                    }
                }
            }
        }
    }

    /**
     * @dataProvider requests
     * @param class-string $factory
     * @param array<string, string> $headers
     */
    public function testSendRequest(string $factory, string $method, array $headers, ?string $body): void
    {
        $url = $this->url([['body' => 'Ok', 'headers' => [['Content-Type', 'text/html; charset=utf-8']]]]);
        $this->assertExchange(new $factory(), [$method, $url, $headers, $body], [200, 'OK', $method === 'HEAD' ? '' : 'Ok', 1]);
    }

    /** @return iterable<string, array{class-string, array{int, string, string, int}, array<string, string>, string|null, string}> */
    public static function outcomes(): iterable
    {
        foreach ([Psr17Factory::class, HttpFactory::class] as $factory) {
            foreach (self::OUTCOMES as $outcome) {
                foreach (['few' => self::HEADERS, 'more' => self::MORE_HEADERS] as $count => $headers) {
                    foreach (['no body' => null, 'a form' => self::FORM] as $kind => $body) {
                        foreach (['1.1', '1.0'] as $version) {
                            yield "$factory, $outcome[0], $count headers, $kind, $version" => [$factory, $outcome, $headers, $body, $version];
                        }
                    }
                }
            }
        }
    }

    /**
     * @dataProvider outcomes
     * @param class-string $factory
     * @param array{int, string, string, int} $outcome
     * @param array<string, string> $headers
     */
    public function testSendRequestWithOutcome(string $factory, array $outcome, array $headers, ?string $body, string $version): void
    {
        $url = $this->url([['status' => $outcome[0], 'body' => $outcome[2], 'headers' => [['Content-Type', 'text/html'], ['Location', '/echo']]]]);
        $this->assertExchange(new $factory(), ['GET', $url, $headers, $body], $outcome, $version);
    }

    public function testSendWithUnresolvableHost(): void
    {
        // A label of 64 bytes is in no DNS: the resolver does not ask for it.
        $request = (new Psr17Factory())->createRequest('GET', 'http://' . str_repeat('a', 64) . '.test/');
        foreach (['sendRequest', 'sendStream'] as $send) {
            $thrown = self::thrown(NetworkExceptionInterface::class, fn() => $this->client()->$send($request));
            self::assertSame($request, $thrown->getRequest());
            self::assertInstanceOf(\RetryClient\NetworkException::class, $thrown->getPrevious());
            self::assertSame('dns', $thrown->getPrevious()->kind);
            self::assertStringStartsWith('GET http://aaaa', $thrown->getMessage());
        }
    }

    /**
     * @param array{string, string, array<string, string>, string|null} $sent
     * @param array{int, string, string, int} $outcome
     */
    private function assertExchange(Psr17Factory|HttpFactory $factory, array $sent, array $outcome, string $version = '1.1'): void
    {
        [$method, $url, $headers, $body] = $sent;
        [$status, $reason, $answer, $times] = $outcome;
        $headers['Content-Length'] = (string) strlen((string) $body);
        $request = $factory->createRequest($method, $url)->withProtocolVersion($version);
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        if ($body !== null) {
            $request = $request->withBody($factory->createStream($body));
        }

        $response = $this->client($factory)->sendRequest($request);

        self::assertSame([$status, $reason, '1.1'], [$response->getStatusCode(), $response->getReasonPhrase(), $response->getProtocolVersion()]);
        self::assertStringStartsWith('text/html', $response->getHeaderLine('Content-Type'));
        self::assertSame($answer, (string) $response->getBody());

        $log = $this->received();
        self::assertCount($times, $log);
        foreach ($log as $entry) {
            self::assertSame([$method, 'HTTP/1.1', (string) $body], [$entry['method'], $entry['protocol'], body_of($entry)]);
            foreach (array_diff_key($headers, ['Content-Length' => '']) as $name => $value) {
                self::assertSame($value, header_of($entry, $name), $name);
            }
            $says_none = in_array($method, ['POST', 'PUT', 'PATCH'], true) ? '0' : null;      // RFC 9110 section 8.6
            self::assertSame($body === null ? $says_none : $headers['Content-Length'], header_of($entry, 'Content-Length'));
            self::assertSame(substr(server('http'), strlen('http://')), header_of($entry, 'Host'));
        }
    }
}
