<?php

/**
 * Rounds, medians and the rows that come out of them. Knows nothing of what is measured.
 */

declare(strict_types=1);

/** What a number is held against. */
final class Target
{
    private function __construct(private readonly string $sign, private readonly float $bound) {}

    public static function atLeast(float $bound): self
    {
        return new self('≥', $bound);
    }

    public static function atMost(float $bound): self
    {
        return new self('≤', $bound);
    }

    public static function below(float $bound): self
    {
        return new self('<', $bound);
    }

    public function met(float $value): bool
    {
        return match ($this->sign) {
            '≥' => $value >= $this->bound,
            '≤' => $value <= $this->bound,
            '<' => $value < $this->bound,
        };
    }

    public function text(string $format): string
    {
        return "$this->sign " . sprintf($format, $this->bound);
    }
}

/** A line of a table. */
interface Line
{
    /** Lines that follow each other and have the same one stand together; empty: none. */
    public function group(): string;

    /** @return list<string> one for each of COLUMNS: heading => width on the screen */
    public function cells(): array;
}

/** One measured number: the median of its rounds, their spread, and the target if there is one. */
final class Row implements Line
{
    public const COLUMNS = ['' => 62, 'measured' => 10, 'lowest to highest' => 20, 'target' => 9, ' ' => 1];

    public readonly float $value;

    /** @param list<float> $rounds */
    public function __construct(
        public readonly string $what,
        private readonly array $rounds,
        private readonly string $format,
        private readonly ?Target $target = null,
    ) {
        $this->value = median($rounds);
    }

    public function group(): string
    {
        return '';
    }

    /** @return list<string> what, measured, lowest and highest round, target, met or missed */
    public function cells(): array
    {
        $text = fn(float $value): string => sprintf($this->format, $value);
        return [
            $this->what,
            $text($this->value),
            count($this->rounds) > 1 ? $text(min($this->rounds)) . ' to ' . $text(max($this->rounds)) : '',
            $this->target?->text($this->format) ?? '',
            $this->target === null ? '' : ($this->target->met($this->value) ? 'met' : 'missed'),
        ];
    }
}

/**
 * Takes each measurement once per round, so that whatever else the machine does meets all of them; each round begins
 * with another one.
 *
 * @template T
 * @param array<string, callable(): T> $measurements
 * @return array<string, list<T>> name => one result per round
 */
function interleaved(string $title, int $rounds, array $measurements): array
{
    $results = array_fill_keys(array_keys($measurements), []);
    for ($round = 0; $round < $rounds; $round++) {
        progress(sprintf('%s: round %d of %d', $title, $round + 1, $rounds));
        $names = array_keys($measurements);
        $first = $round % count($names);
        foreach ([...array_slice($names, $first), ...array_slice($names, 0, $first)] as $name) {
            $results[$name][] = $measurements[$name]();
        }
    }
    return $results;
}

/**
 * @param list<float> $a
 * @param list<float> $b
 * @return list<float> a / b, round by round
 */
function ratios(array $a, array $b): array
{
    return array_map(static fn(float $x, float $y): float => $x / $y, $a, $b);
}

/**
 * @param list<float> $a
 * @param list<float> $b
 * @return list<float> a - b, round by round
 */
function differences(array $a, array $b): array
{
    return array_map(static fn(float $x, float $y): float => $x - $y, $a, $b);
}

/** @param list<float> $values */
function median(array $values): float
{
    sort($values);
    $middle = intdiv(count($values), 2);
    return count($values) % 2 ? $values[$middle] : ($values[$middle - 1] + $values[$middle]) / 2;
}

/** @param list<float> $values the smallest value that this share of them does not exceed */
function percentile(array $values, float $share): float
{
    sort($values);
    return $values[max(0, (int) ceil($share * count($values)) - 1)];
}

/** What is being done now: one line that changes on a terminal, lines elsewhere. */
function progress(string $text): void
{
    fwrite(STDERR, stream_isatty(STDERR) ? "\r\033[K$text" : "$text\n");
}

function end_progress(): void
{
    fwrite(STDERR, stream_isatty(STDERR) ? "\r\033[K" : '');
}
