--TEST--
The verbs have send()'s parameters without the method, in the interface and in both clients
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

/** name => [type, default or 'required', sensitive] */
function parameters(string $class, string $method): array
{
    $declared = [];
    foreach ((new ReflectionMethod($class, $method))->getParameters() as $parameter) {
        $declared[$parameter->name] = [
            (string) $parameter->getType(),
            $parameter->isDefaultValueAvailable() ? $parameter->getDefaultValue() : 'required',
            PHP_VERSION_ID < 80200 ? null : $parameter->getAttributes('SensitiveParameter') !== [],
        ];
    }
    return $declared;
}

$secret = PHP_VERSION_ID < 80200 ? null : true;
$plain = PHP_VERSION_ID < 80200 ? null : false;
$shared = [
    'uri' => ['string', 'required', $secret],
    'headers' => ['array', [], $secret],
    'body' => ['mixed', null, $secret],
    'json' => ['mixed', null, $secret],
    'form' => ['array', [], $secret],
    'query' => ['array', [], $secret],
    'multipart' => ['array', [], $secret],
    'sink' => ['mixed', null, $plain],
    'limitKey' => ['?string', null, $secret],
    'cost' => ['?float', null, $plain],
];
foreach ([RetryClient\ClientInterface::class, RetryClient::class, RetryClient\FakeClient::class] as $class) {
    assert_same(['method' => ['string', 'required', $plain]] + $shared, parameters($class, 'send'), "$class::send");
    foreach (['get', 'post', 'put', 'patch', 'delete', 'head'] as $verb) {
        assert_same($shared, parameters($class, $verb), "$class::$verb");
        assert_same('RetryClient\Response', (string) (new ReflectionMethod($class, $verb))->getReturnType(), "$class::$verb");
    }
    assert_same(['request' => ['RetryClient\Request', 'required', $plain]], parameters($class, 'sendRequest'), "$class::sendRequest");
    assert_same('static', (string) (new ReflectionMethod($class, 'with'))->getReturnType(), "$class::with");
}
assert_same(['method' => ['string', 'required', $plain]] + $shared, parameters(RetryClient\Request::class, '__construct'), 'Request');
done();
?>
--EXPECT--
done
