<?php

declare(strict_types=1);

namespace RetryClient\Tests\Examples;

use PHPUnit\Framework\TestCase;

require_once dirname(__DIR__, 2) . '/support.php';

/** Each file of examples/ runs against the scripted server, which refuses with a 429 first. */
final class ExamplesTest extends TestCase
{
    private const REFUSAL = ['status' => 429, 'headers' => [['retry-after-ms', '10']]];
    private const FOLDER = __DIR__ . '/../../../examples';

    public function testPlain(): void
    {
        [$code, $out] = $this->example('plain.php', [self::REFUSAL, ['body_json' => ['text' => 'Hi.']]]);
        self::assertSame(0, $code);
        self::assertMatchesRegularExpression('/^Hi\.\n2 attempts, 0\.[0-3] s waited\n$/', $out);
        self::assertSame(['POST chat {"prompt":"Hello"}', 'POST chat {"prompt":"Hello"}'], $this->requests('plain.php', 2));
        $this->assertSameKey('plain.php');
    }

    public function testPlainThatFails(): void
    {
        [$code, $out, $error] = $this->example('plain.php', [['status' => 404]]);
        self::assertSame([1, ''], [$code, $out]);
        self::assertStringContainsString('404', $error);
        self::assertStringNotContainsString('the-key', $error);
    }

    public function testCliBatch(): void
    {
        $folder = folder();
        file_put_contents("$folder/sentences.txt", "eins\nzwei\ndrei\n");
        $steps = [self::REFUSAL, ['body_json' => ['text' => 'translated']]];
        [$code, $out, $error] = $this->example('cli-batch.php', $steps, ["$folder/sentences.txt", "$folder/batch.journal"]);
        self::assertSame(0, $code, $error);
        $lines = explode("\n", trim($out));
        sort($lines);
        self::assertSame(["0\ttranslated", "1\ttranslated", "2\ttranslated"], $lines);
        self::assertStringContainsString('3/3', $error);
        self::assertCount(4, $this->requests('cli-batch.php', 4));

        // All is in the journal: nothing is sent again, and what a server would say now is not asked for.
        [$code, $out] = $this->example('cli-batch.php', [['status' => 404]], ["$folder/sentences.txt", "$folder/batch.journal"]);
        self::assertSame([0, "0\ttranslated\n1\ttranslated\n2\ttranslated\n"], [$code, $out]);
        self::assertSame([], $this->requests('cli-batch.php', 0));
    }

    public function testCliBatchWithAFailure(): void
    {
        $folder = folder();
        file_put_contents("$folder/sentences.txt", "eins\n");
        [$code, $out, $error] = $this->example('cli-batch.php', [['status' => 404]], ["$folder/sentences.txt", "$folder/batch.journal"]);
        self::assertSame([1, ''], [$code, $out]);
        self::assertStringContainsString("0: status 404\n", $error);
    }

    public function testABatchWithoutItsInput(): void
    {
        $result = $this->example('cli-batch.php', [[]], ['/no/such/file']);
        self::assertSame([2, '', "usage: php cli-batch.php sentences.txt [batch.journal]\n"], $result);
    }

    public function testListeners(): void
    {
        [$code, $out, $error] = $this->example('listeners.php', [self::REFUSAL, ['body' => 'fine']]);
        self::assertSame([0, "fine\n"], [$code, $out], $error);
        self::assertMatchesRegularExpression('/http\.NOTICE: GET status: 429 on attempt 1, next one in 0\.\d+ s \(retry-after\) /', $error);
        self::assertStringContainsString('http.INFO: GET status: 200 on attempt 2 ', $error);
        self::assertStringNotContainsString('verbose', $error);
    }

    public function testOpenai(): void
    {
        $part = static fn(string $text): string => 'data: ' . json_encode(['choices' => [['delta' => ['content' => $text]]]]) . "\n\n";
        [$code, $out, $error] = $this->example('openai.php', [
            self::REFUSAL,
            ['body_json' => ['choices' => [['message' => ['content' => 'Hello, you.']]]]],
            self::REFUSAL,
            ['chunks' => [$part('Hello, '), $part('again.'), "data: [DONE]\n\n"], 'chunked' => true, 'headers' => [['Content-Type', 'text/event-stream']]],
        ]);
        self::assertSame([0, "Hello, you.\nHello, again.\n"], [$code, $out], $error);
        $question = '"model":"gpt-4o-mini","messages":[{"role":"user","content":"Hello!"}]}';
        self::assertSame([
            "POST chat/completions {{$question}",
            "POST chat/completions {{$question}",
            "POST chat/completions {\"stream\":true,$question",
            "POST chat/completions {\"stream\":true,$question",
        ], $this->requests('openai.php', 4));
        $this->assertSameKey('openai.php');
    }

    public function testAnthropic(): void
    {
        $event = static fn(array $data): string => "event: $data[type]\ndata: " . json_encode($data) . "\n\n";
        [$code, $out, $error] = $this->example('anthropic.php', [
            self::REFUSAL,
            ['body_json' => ['content' => [['type' => 'text', 'text' => 'Hello, you.']]]],
            ['status' => 529] + self::REFUSAL,
            ['chunks' => [
                $event(['type' => 'message_start']),
                $event(['type' => 'content_block_delta', 'delta' => ['type' => 'text_delta', 'text' => 'Hello, ']]),
                $event(['type' => 'content_block_delta', 'delta' => ['type' => 'text_delta', 'text' => 'again.']]),
                $event(['type' => 'message_stop']),
            ], 'chunked' => true, 'headers' => [['Content-Type', 'text/event-stream']]],
        ]);
        self::assertSame([0, "Hello, you.\nHello, again.\n"], [$code, $out], $error);
        $log = $this->log('anthropic.php', 4);
        self::assertSame(array_fill(0, 4, ['the-key', '0']), array_map(static fn(array $entry): array => [header_of($entry, 'x-api-key'), header_of($entry, 'x-stainless-retry-count')], $log));
    }

    public function testLaravel(): void
    {
        [$code, $out, $error] = $this->example('laravel.php', [
            self::REFUSAL, ['body_json' => ['text' => 'Hi.']], self::REFUSAL, ['body' => 'fine'], self::REFUSAL, ['body' => 'item'],
        ]);
        self::assertSame([0, "Hi.\nfine\na: item\nb: item\nc: item\n"], [$code, $out], $error);
        $requests = $this->requests('laravel.php', 8);
        self::assertSame(['POST chat {"prompt":"Hello"}', 'POST chat {"prompt":"Hello"}', 'GET status ', 'GET status '], array_slice($requests, 0, 4));
        self::assertSame(3, count(array_unique(array_slice($requests, 4))), 'one of the four was sent again');
        $this->assertSameKey('laravel.php', 4, 2);
    }

    /** @dataProvider clientsOfItems */
    public function testOneRequestAndThenThree(string $file, array $names): void
    {
        [$code, $out, $error] = $this->example($file, [self::REFUSAL, ['body_json' => ['text' => 'Hi.']], self::REFUSAL, ['body' => 'item']]);
        $expected = implode('', array_map(static fn(string $name): string => "$name: item\n", $names));
        self::assertSame([0, "Hi.\n$expected"], [$code, $out], $error);

        $requests = $this->requests($file, 6);
        self::assertSame(['POST chat {"prompt":"Hello"}', 'POST chat {"prompt":"Hello"}'], array_slice($requests, 0, 2));
        $items = array_count_values(array_slice($requests, 2));
        ksort($items);
        self::assertSame(['GET items/a ', 'GET items/b ', 'GET items/c '], array_keys($items));
        self::assertSame(4, array_sum($items), 'one of them was sent again');
    }

    public static function clientsOfItems(): iterable
    {
        yield ['symfony.php', ['a', 'b', 'c']];
        yield ['guzzle-stack.php', ['0', '1', '2']];
    }

    public function testEachExampleIsRunByATest(): void
    {
        $tests = file_get_contents(__FILE__) . file_get_contents(dirname(__DIR__, 2) . '/fpm/test_examples.py');
        $files = array_map(basename(...), glob(self::FOLDER . '/*'));
        self::assertNotSame([], $files);
        foreach ($files as $file) {
            self::assertMatchesRegularExpression('/(example\(|yield \[)[\'"]' . preg_quote($file, '/') . '[\'"]/', $tests, "$file is run by no test");
        }
    }

    /**
     * Runs an example against a script of the server: its exit code, output and errors.
     *
     * @param list<array<string, mixed>> $steps
     * @param list<string> $arguments
     *
     * @return array{int, string, string}
     */
    private function example(string $file, array $steps, array $arguments = []): array
    {
        $command = [PHP_BINARY, '-n', '-d', 'extension_dir=' . ini_get('extension_dir'), '-d', 'retry_client.shared_memory='];
        foreach (['ctype', 'fileinfo', 'mbstring', 'tokenizer', 'retry_client'] as $extension) {
            if (is_file(ini_get('extension_dir') . "/$extension.so")) {
                array_push($command, '-d', "extension=$extension");
            }
        }
        $process = proc_open(
            [...$command, self::FOLDER . "/$file", ...$arguments],
            [['file', '/dev/null', 'r'], ['pipe', 'w'], $errors = tmpfile()],
            $pipes,
            env_vars: ['API_URL' => script("example-$file", $steps), 'API_KEY' => 'the-key', 'AUTOLOAD' => __DIR__ . '/autoload.php'] + getenv(),
        );
        $out = stream_get_contents($pipes[1]);
        $code = proc_close($process);
        rewind($errors);
        return [$code, $out, stream_get_contents($errors)];
    }

    /** @return list<array<string, mixed>> */
    private function log(string $file, int $count): array
    {
        $log = received("example-$file", $count);
        self::assertCount($count, $log);
        return $log;
    }

    /** @return list<string> `method path body` of what arrived */
    private function requests(string $file, int $count): array
    {
        $prefix = strlen('/' . script_name("example-$file")) + 1;
        return array_map(
            static fn(array $entry): string => "$entry[method] " . substr($entry['target'], $prefix) . ' ' . body_of($entry),
            $this->log($file, $count),
        );
    }

    /** The first of these requests have the API key; those that were retried have one Idempotency-Key for all attempts of a call. */
    private function assertSameKey(string $file, ?int $withToken = null, ?int $retried = null): void
    {
        $log = array_slice(received("example-$file"), 0, $withToken);
        self::assertNotSame([], $log);
        foreach ($log as $entry) {
            self::assertSame('Bearer the-key', header_of($entry, 'Authorization'));
        }
        foreach (array_chunk(array_slice($log, 0, $retried), 2) as [$one, $again]) {
            self::assertNotNull(header_of($one, 'Idempotency-Key'));
            self::assertSame(header_of($one, 'Idempotency-Key'), header_of($again, 'Idempotency-Key'));
        }
    }
}
