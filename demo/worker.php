<?php

/**
 * One worker of `demo/run`: does its part of the batch with the `ask()` of the given file, one request after the other.
 *
 * It writes a line for each: `done`, or `lost` and why.
 */

declare(strict_types=1);

[, $file, $first, $last] = $argv;
require $file;

foreach (range((int) $first, (int) $last) as $number) {
    try {
        $answer = ask(['model' => 'demo', 'prompt' => "Translate sentence $number."]);
        echo isset($answer['ok']) ? "done\n" : 'lost ' . ($answer['error']['message'] ?? json_encode($answer)) . "\n";
    } catch (Throwable $e) {
        echo 'lost ', get_class($e), ': ', strtok($e->getMessage(), "\n"), "\n";
    }
}
