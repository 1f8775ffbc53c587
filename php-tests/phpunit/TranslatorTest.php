<?php

use PHPUnit\Framework\TestCase;
use RetryClient\ClientInterface;
use RetryClient\FakeClient;
use RetryClient\GaveUpException;
use RetryClient\Response;

/** Code of the application: it asks for the interface, so that a test can give it a FakeClient. */
final class Translator
{
    public function __construct(private ClientInterface $api) {}

    public function translate(string $text): string
    {
        try {
            return $this->api->post('https://api.example.com/translate', json: ['text' => $text])->throw()->json()['text'];
        } catch (GaveUpException) {
            return $text;
        }
    }
}

final class TranslatorTest extends TestCase
{
    public function testWaitsAsLongAsTheServerAsks(): void
    {
        $waits = [];
        $api = new FakeClient(
            [new Response(status: 429, headers: ['Retry-After' => '20']), new Response(body: '{"text": "olá"}')],
            onRetry: function ($attempt, float $wait) use (&$waits) { $waits[] = $wait; },
        );

        self::assertSame('olá', (new Translator($api))->translate('hello'));
        self::assertSame([20.0], $waits);
        self::assertSame(['text' => 'hello'], $api->requests()[1]->json);
    }

    public function testFallsBackAfterFiveRefusals(): void
    {
        $api = new FakeClient(array_fill(0, 5, new Response(status: 429)));
        $begin = microtime(true);

        self::assertSame('hello', (new Translator($api))->translate('hello'));
        self::assertCount(5, $api->requests());
        self::assertLessThan(0.1, microtime(true) - $begin); // 0.5 + 1 + 2 + 4 seconds of waiting, on a clock that jumps
    }
}
