--TEST--
php --re, --rc and phpinfo() are clean
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/php.inc';

$extension = php([], '--re', 'retry_client');
assert_contains('extension #', $extension);
assert_contains('- Classes [20] {', $extension);
assert_not_contains('- Functions', $extension, 'functions');
assert_not_contains('- Constants {', $extension, 'constants');
foreach (['Warning', 'Deprecated', 'Notice', 'Fatal', '<optional> = ', 'unknown'] as $word) {
    assert_not_contains($word, $extension, $word);
}
foreach ((new ReflectionExtension('retry_client'))->getClasses() as $class) {
    assert_contains("$class->name", php([], '--rc', $class->name));
    foreach ($class->getMethods() as $method) {
        if ($method->getDeclaringClass()->getExtensionName() !== 'retry_client') {
            continue;
        }
        assert_true($method->hasReturnType() || $method->hasTentativeReturnType() || in_array($method->name, ['__construct']), "$class->name::$method->name has a return type");
        foreach ($method->getParameters() as $parameter) {
            assert_true($parameter->hasType(), "$class->name::$method->name(\$$parameter->name) has a type");
            assert_true(!$parameter->isOptional() || $parameter->isVariadic() || $parameter->isDefaultValueAvailable(), "$class->name::$method->name(\$$parameter->name) has a default");
        }
    }
}
assert_same([], (new ReflectionExtension('retry_client'))->getFunctions());
assert_same([], (new ReflectionExtension('retry_client'))->getConstants());
assert_same(true, (new ReflectionExtension('retry_client'))->isPersistent());

$info = php([], '-r', 'phpinfo(INFO_MODULES);');
assert_same(1, preg_match('/^retry_client => enabled$/m', $info), 'phpinfo()');
assert_same(1, substr_count($info, "\nretry_client.request_budget => "), 'the directives, once');
assert_same('', php([], '-r', ''), 'nothing printed at start and end');
done();
?>
--EXPECT--
done
