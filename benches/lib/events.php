<?php

/**
 * Server-sent events from lines, as openai-php's StreamResponse parses them. For the scripts of benches/cli.
 */

declare(strict_types=1);

final class ServerEvent
{
    public function __construct(public readonly string $event, public readonly string $data) {}
}

/**
 * @param callable(): string $line the next line with its end; '' when there is none
 * @return Generator<int, ServerEvent>
 */
function events(callable $line): Generator
{
    while (($text = $line()) !== '') {
        $event = 'message';
        if (str_starts_with($text, 'event:')) {
            $event = trim(substr($text, strlen('event:')));
            $text = $line();
        }
        if (str_starts_with($text, 'data:')) {
            yield new ServerEvent($event, trim(substr($text, strlen('data:'))));
        }
    }
}
