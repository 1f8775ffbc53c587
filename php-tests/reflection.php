<?php

/**
 * Prints the public surface, one canonical line per thing that a caller can see, for `php-tests/stubs` to compare.
 *
 * With the extension loaded it prints what the extension declares, without it what the files in `stubs/` declare.
 * What a stub cannot say (uncloneable, unserializable, no dynamic properties) has tests of its own.
 */

/** @return list<string> the lines for all classes, sorted by class */
function surface(): array
{
    $lines = [];
    foreach (extension_loaded('retry_client') ? declared_by_extension() : declared_by_stubs() as $class) {
        array_push($lines, ...class_lines(new ReflectionClass($class)));
    }
    return $lines;
}

/** @return list<class-string> */
function declared_by_extension(): array
{
    $extension = new ReflectionExtension('retry_client');
    if ($functions = array_keys($extension->getFunctions())) {
        throw new LogicException('functions that no stub declares: ' . implode(', ', $functions));
    }
    return sorted($extension->getClassNames());
}

/** @return list<class-string> */
function declared_by_stubs(): array
{
    $folder = dirname(__DIR__) . '/stubs';
    spl_autoload_register(static function (string $class) use ($folder): void {
        require $folder . '/' . basename(strtr($class, '\\', '/')) . '.php';
    });
    $before = all_classes();
    foreach (glob("$folder/*.php") as $file) {
        require_once $file;
    }
    return sorted(array_diff(all_classes(), $before));
}

/** @return list<class-string> */
function all_classes(): array
{
    return [...get_declared_classes(), ...get_declared_interfaces(), ...get_declared_traits()];
}

/**
 * @param array<string> $values
 * @return list<string>
 */
function sorted(array $values): array
{
    sort($values);
    return array_values($values);
}

/** @return list<string> */
function class_lines(ReflectionClass $class): array
{
    $own = static fn(Reflector $member): bool => $member->getDeclaringClass()->name === $class->name
        && (!$member->isPrivate() || $member->name === '__construct');

    $lines = [class_line($class)];
    foreach (array_filter($class->getReflectionConstants(), $own) as $constant) {
        $lines[] = $constant->isEnumCase()
            ? "    case $constant->name = " . var_export($constant->getValue()->value ?? null, true)
            : '    ' . modifiers($constant) . "const $constant->name = " . var_export($constant->getValue(), true);
    }
    foreach (array_filter($class->getProperties(), $own) as $property) {
        $lines[] = '    ' . attributes($property) . modifiers($property) . type($property->getType()) . '$' . $property->name
            . ($property->hasDefaultValue() ? ' = ' . var_export($property->getDefaultValue(), true) : '');
    }
    $methods = array_filter($class->getMethods(), $own);
    usort($methods, static fn($a, $b) => strcmp($a->name, $b->name));
    foreach ($methods as $method) {
        array_push($lines, ...method_lines($method));
    }
    return $lines;
}

function class_line(ReflectionClass $class): string
{
    $kind = $class->isEnum() ? 'enum' : ($class->isInterface() ? 'interface' : ($class->isTrait() ? 'trait' : 'class'));
    $abstract = $kind === 'class' && $class->isAbstract() ? 'abstract ' : '';
    $readonly = PHP_VERSION_ID >= 80200 && $class->isReadOnly() ? 'readonly ' : '';
    $backing = $class->isEnum() ? ': ' . ((new ReflectionEnum($class->name))->getBackingType() ?? 'none') : '';
    $parent = $class->getParentClass();
    $interfaces = sorted($class->getInterfaceNames());

    return attributes($class) . $abstract . ($class->isFinal() ? 'final ' : '') . "$readonly$kind $class->name$backing"
        . ($parent ? " extends $parent->name" : '')
        . ($interfaces ? ' implements ' . implode(', ', $interfaces) : '');
}

/** @return list<string> */
function method_lines(ReflectionMethod $method): array
{
    $return = type($method->getReturnType() ?? $method->getTentativeReturnType());
    $lines = ['    ' . attributes($method) . modifiers($method) . 'function '
        . ($method->returnsReference() ? '&' : '') . "$method->name()" . ($return === '' ? '' : ': ' . rtrim($return))];
    foreach ($method->getParameters() as $parameter) {
        $lines[] = '        ' . attributes($parameter) . type($parameter->getType())
            . ($parameter->isPassedByReference() ? '&' : '') . ($parameter->isVariadic() ? '...' : '')
            . '$' . $parameter->name
            . ($parameter->isDefaultValueAvailable() ? ' = ' . one_line($parameter->getDefaultValue()) : '')
            . ($parameter->isOptional() ? '' : ' (required)');
    }
    return $lines;
}

function modifiers(Reflector $member): string
{
    return implode(' ', [...Reflection::getModifierNames($member->getModifiers()), '']);
}

function type(?ReflectionType $type): string
{
    return $type === null ? '' : "$type ";
}

/** Attributes came to internal functions' parameters with PHP 8.2, together with SensitiveParameter. */
function attributes(ReflectionClass|ReflectionMethod|ReflectionProperty|ReflectionParameter $of): string
{
    if (PHP_VERSION_ID < 80200) {
        return '';
    }
    return implode('', array_map(
        static fn($attribute) => '#[' . $attribute->getName() . '('
            . implode(', ', array_map('one_line', $attribute->getArguments())) . ')] ',
        $of->getAttributes(),
    ));
}

function one_line(mixed $value): string
{
    return preg_replace('/\s+/', ' ', var_export($value, true));
}

if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    echo implode("\n", surface()), "\n";
}
