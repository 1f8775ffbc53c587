<?php

declare(strict_types=1);

namespace RetryClient\Tests\Guzzle;

use Illuminate\Http\Client\ConnectionException;
use Illuminate\Http\Client\Factory;
use Illuminate\Http\Client\PendingRequest;
use Illuminate\Http\Client\Pool;
use Illuminate\Http\Client\RequestException;
use Illuminate\Http\Client\Response;
use PHPUnit\Framework\TestCase;
use RetryClient\Guzzle\Handler;

require_once dirname(__DIR__, 2) . '/support.php';
require_once 'Illuminate/Http/autoload.php';

/** Laravel's Http on the handler. */
final class LaravelTest extends TestCase
{
    private Handler $handler;
    private Factory $http;

    protected function setUp(): void
    {
        $this->handler = new Handler(new \RetryClient(baseDelay: 0.01, jitter: 0.0));
        $this->http = new Factory();
    }

    private function http(): PendingRequest
    {
        return $this->http->setHandler($this->handler);
    }

    private static function name(string $test): string
    {
        return 'laravel-' . substr($test, strrpos($test, ':') + 1);
    }

    public function testGet(): void
    {
        $name = self::name(__METHOD__);
        $url = script($name, [['status' => 429, 'headers' => [['retry-after-ms', '1']]], ['body_json' => ['a' => 1], 'headers' => [['X-A', 'b']]]]);
        $response = $this->http()->withToken('secret')->get($url, ['q' => 'x y']);
        self::assertSame([1, 'b', true], [$response->json('a'), $response->header('x-a'), $response->ok()]);
        self::assertSame(2, $response->handlerStats()['attempts']);
        self::assertStringEndsWith('?q=x%20y', (string) $response->effectiveUri());
        self::assertSame('Bearer secret', header_of(received($name)[1], 'authorization'));
    }

    public function testBodies(): void
    {
        $name = self::name(__METHOD__);
        $url = script($name, [['body' => 'ok']]);
        $this->http()->post($url, ['a' => 'ä']);
        $this->http()->asForm()->post($url, ['a' => 'b c']);
        $this->http()->attach('file', 'contents', 'a.txt')->post($url, ['b' => 'c']);
        $this->http()->withBody('raw', 'text/plain')->put($url);
        $this->http()->delete($url);
        [$json, $form, $multipart, $raw, $delete] = received($name);
        self::assertSame(['application/json', ['a' => 'ä']], [header_of($json, 'content-type'), json_decode(body_of($json), true)]);
        self::assertSame(['application/x-www-form-urlencoded', 'a=b+c'], [header_of($form, 'content-type'), body_of($form)]);
        self::assertStringStartsWith('multipart/form-data; boundary=', header_of($multipart, 'content-type'));
        self::assertStringContainsString('filename="a.txt"', body_of($multipart));
        self::assertSame(['PUT', 'raw', 'DELETE'], [$raw['method'], body_of($raw), $delete['method']]);
    }

    public function testPool(): void
    {
        $name = self::name(__METHOD__);
        $gate = script_name("$name-gate");
        $responses = $this->http->pool(function (Pool $pool) use ($name, $gate): array {
            $first = $pool->as('a')->setHandler($this->handler)->get(script("$name-a", [['hold' => $gate, 'body' => 'a']]));
            $second = $pool->as('b')->setHandler($this->handler)->get(script("$name-b", [['body' => 'b']]));
            $second->then(static function () use ($name, $gate): void {
                received("$name-a", 1);
                release($gate);
            });
            return [$first, $second];
        });
        self::assertSame(['a' => 'a', 'b' => 'b'], array_map(static fn(Response $response): string => $response->body(), $responses));
    }

    public function testThrow(): void
    {
        $name = self::name(__METHOD__);
        $response = $this->http()->get(script($name, [['status' => 422, 'body_json' => ['error' => 'no']]]));
        self::assertTrue($response->clientError());
        $this->expectException(RequestException::class);
        $response->throw();
    }

    public function testTimeout(): void
    {
        $url = script(self::name(__METHOD__), [['action' => 'stall']]);
        $this->expectException(ConnectionException::class);
        $this->http()->timeout(1)->withOptions(['retry_client' => ['maxAttempts' => 1]])->get($url);
    }

    public function testLaravelsRetriesStackWithTheHandlers(): void
    {
        $name = self::name(__METHOD__);
        $response = $this->http()->retry(2, 1, null, false)->withOptions(['retry_client' => ['maxAttempts' => 2]])
            ->get(script($name, [['status' => 503, 'times' => 3], ['body' => 'ok']]));
        self::assertSame('ok', $response->body());
        self::assertCount(4, received($name), 'two attempts, twice');
    }

    public function testSink(): void
    {
        $sink = folder() . '/sink';
        $this->http()->withOptions(['sink' => $sink])->get(script(self::name(__METHOD__), [['status' => 503, 'body' => 'busy'], ['body' => 'ok']]));
        self::assertSame('ok', file_get_contents($sink));
    }

    public function testRedirectsAndCookies(): void
    {
        $name = self::name(__METHOD__);
        $url = script($name, [['action' => 'redirect', 'location' => '?second'], ['body' => 'there']]);
        self::assertSame('there', $this->http()->withCookies(['a' => 'b'], '127.0.0.1')->get($url)->body());
        self::assertSame(['a=b', 'a=b'], array_map(static fn(array $entry) => header_of($entry, 'cookie'), received($name)));
        self::assertSame(302, $this->http()->withoutRedirecting()->get(script("$name-2", [['action' => 'redirect', 'location' => '?a']]))->status());
    }

    public function testFakesStay(): void
    {
        $this->http->fake(['*' => Factory::response('fake')]);
        self::assertSame('fake', $this->http()->get('https://api.example.com/')->body());
    }
}
