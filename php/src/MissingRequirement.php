<?php

declare(strict_types=1);

namespace RetryClient;

/** Something that a class of this library needs is not installed. The message names the command that installs it. */
final class MissingRequirement extends \LogicException
{
    /** The oldest version of the extension that has what this library calls. */
    public const EXTENSION = '0.1.0';

    /**
     * @param class-string $for the class that needs it
     *
     * @throws self the extension retry_client is not loaded, or too old
     *
     * @internal
     */
    public static function checkExtension(string $for): void
    {
        $version = phpversion('retry_client');
        if ($version === false || version_compare($version, self::EXTENSION, '<')) {
            $found = $version === false ? 'which is not loaded' : "and version $version is loaded";
            throw new self(sprintf(
                '%s needs the PHP extension retry_client %s or newer, %s: run "pie install retry-client/extension".',
                $for,
                self::EXTENSION,
                $found,
            ));
        }
    }

    /**
     * @param class-string $for  the class that needs it
     * @param string       $type a class or interface of the package
     *
     * @throws self it does not exist
     *
     * @internal
     */
    public static function checkPackage(string $for, string $type, string $package): void
    {
        if (!interface_exists($type) && !class_exists($type)) {
            throw new self(sprintf('%s needs the package %s: run "composer require %2$s".', $for, $package));
        }
    }
}
