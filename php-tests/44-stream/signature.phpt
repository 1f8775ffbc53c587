--TEST--
stream() has send()'s parameters without sink, in the interface and in both clients
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';

use RetryClient\{ClientInterface, FakeClient, Pending, Responses, StreamedResponse};

$parameters = static function (string $class, string $method): array {
    $declared = [];
    foreach ((new ReflectionMethod($class, $method))->getParameters() as $parameter) {
        $declared[$parameter->name] = [
            strtr((string) $parameter->getType(), ['Traversable|array' => 'iterable']), $parameter->isDefaultValueAvailable() ? $parameter->getDefaultValue() : 'required',
            PHP_VERSION_ID < 80200 ? null : $parameter->getAttributes('SensitiveParameter') !== [],
        ];
    }
    return $declared;
};
$plain = PHP_VERSION_ID < 80200 ? null : false;
foreach ([ClientInterface::class, RetryClient::class, FakeClient::class] as $class) {
    $expected = $parameters($class, 'send');
    unset($expected['sink']);
    assert_same($expected, $parameters($class, 'stream'), "$class::stream");
    assert_same(['request' => ['RetryClient\Request', 'required', $plain]], $parameters($class, 'start'), "$class::start");
    assert_same([
        'requests' => ['iterable', 'required', $plain], 'concurrency' => ['int', 8, $plain], 'onProgress' => ['?callable', null, $plain], 'progress' => ['bool', false, $plain], 'journal' => ['?string', null, $plain],
    ], $parameters($class, 'sendAll'), "$class::sendAll");
    $returns = array_map(static fn($method) => (string) (new ReflectionMethod($class, $method))->getReturnType(), ['stream', 'start', 'sendAll']);
    assert_same([StreamedResponse::class, Pending::class, Responses::class], $returns, "$class: return types");
}
$poll = new ReflectionMethod(RetryClient::class, 'poll');
assert_same([true, 'array', ['pending' => ['iterable', 'required', $plain], 'timeout' => ['?float', null, $plain]]], [$poll->isStatic(), (string) $poll->getReturnType(), $parameters(RetryClient::class, 'poll')], 'poll');
done();
?>
--EXPECT--
done
