<?php

declare(strict_types=1);

namespace RetryClient\Internal;

/**
 * What the extension says of a wrong argument or option.
 *
 * @internal
 */
final class Refusal
{
    /** The name of an argument, or of a Request's property, and the rule. */
    private const ARGUMENT = '/^RetryClient[\w\\\\]*::\w+\(\): Argument #\d+ \((?:\$request\) property \$)?\$?(\w+)\)? (.+)$/s';

    private const UNKNOWN = '/^Unknown named parameter \$(.+)$/s';

    private function __construct(
        public readonly string $name,
        /** As it follows the name: "must be …". */
        public readonly string $rule,
    ) {}

    /**
     * Null if the error is another one, or of a call that a hook, a callback or a body made meanwhile.
     *
     * @param class-string $class     with the functions whose calls it is to be about, be they by way of a decorator
     * @param string       $functions
     */
    public static function of(\Throwable $error, string $class, string ...$functions): ?self
    {
        if (!$error instanceof \Error || !self::isDirect($error, $class, $functions)) {
            return null;
        }
        if (preg_match(self::ARGUMENT, $error->getMessage(), $found)) {
            return new self($found[1], $found[2]);
        }
        return preg_match(self::UNKNOWN, $error->getMessage(), $found) ? new self($found[1], 'is no option of RetryClient') : null;
    }

    /**
     * The extension, which threw it, was called by one of the functions, and not by what these or the extension call.
     *
     * @param list<string> $functions
     */
    private static function isDirect(\Error $error, string $class, array $functions): bool
    {
        $wasElsewhere = false;
        foreach ($error->getTrace() as $depth => $frame) {
            $here = $frame['class'] ?? '';
            if ($here === $class) {
                return $depth > 0 && in_array($frame['function'], $functions, true);
            }
            $isExtension = str_starts_with($here, 'RetryClient') && class_exists($here, false) && (new \ReflectionClass($here))->isInternal();
            if ($isExtension ? $wasElsewhere : $depth === 0) {
                return false;
            }
            $wasElsewhere = !$isExtension;
        }
        return false;
    }
}
