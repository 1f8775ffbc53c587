--TEST--
The exception classes: parents, interfaces, properties
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient as R;

$properties = static function (string $class): array {
    $own = [];
    foreach ((new ReflectionClass($class))->getProperties(ReflectionProperty::IS_PUBLIC) as $property) {
        $own[$property->name] = ($property->isReadOnly() ? 'readonly ' : '') . $property->getType();
    }
    ksort($own);
    return $own;
};
$interfaces = static function (string $class): array {
    $all = array_values(class_implements($class));
    sort($all);
    return $all;
};

foreach ([R\Exception::class => ['Stringable', 'Throwable'], R\GaveUpException::class => [R\Exception::class, 'Stringable', 'Throwable']] as $interface => $parents) {
    assert_same(true, (new ReflectionClass($interface))->isInterface(), $interface);
    assert_same($parents, $interfaces($interface), $interface);
}
$attempts = ['attempts' => 'readonly array'];
foreach ([
    R\NetworkException::class => [RuntimeException::class, false, $attempts + ['kind' => 'readonly string']],
    R\HttpException::class => [RuntimeException::class, false, $attempts + ['response' => 'readonly RetryClient\Response']],
    R\AttemptsExhaustedException::class => [R\HttpException::class, true, $attempts + ['response' => 'readonly RetryClient\Response']],
    R\BudgetExceededException::class => [RuntimeException::class, true, $attempts + ['left' => 'readonly float', 'needed' => 'readonly float', 'response' => 'readonly ?RetryClient\Response', 'retryAfter' => 'readonly ?float']],
    R\RateLimitedException::class => [RuntimeException::class, true, $attempts + ['response' => 'readonly ?RetryClient\Response', 'retryAfter' => 'readonly float']],
] as $class => [$parent, $gaveUp, $own]) {
    assert_same($parent, get_parent_class($class), $class);
    assert_same([$gaveUp ? R\GaveUpException::class : null, R\Exception::class], [is_subclass_of($class, R\GaveUpException::class) ? R\GaveUpException::class : null, $interfaces($class)[0]], $class);
    assert_same($own, $properties($class), $class);
    $reflection = new ReflectionClass($class);
    assert_same([false, false, true], [$reflection->isFinal(), $reflection->isAbstract(), $reflection->isInstantiable()], $class);
    assert_true(new $class() instanceof RuntimeException, $class);
}
done();
?>
--EXPECT--
done
