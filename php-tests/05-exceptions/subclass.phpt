--TEST--
Applications extend the exception classes
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient as R;

final class QuotaException extends R\HttpException
{
    public function __construct(public readonly string $account, R\Response $response, ?Throwable $previous = null)
    {
        parent::__construct("$account is out of quota", $response->status, $previous, $response->attempts, $response);
    }
}
class Plain extends R\BudgetExceededException {}
class WithoutParent extends R\NetworkException
{
    public function __construct() { $this->message = 'own'; }
}
class Fixed extends R\NetworkException
{
    protected $message = 'fixed';
    protected $code = 7;
}
class GaveUp extends RuntimeException implements R\GaveUpException {}

$response = new R\Response(status: 429, attempts: [new R\Attempt()]);
$cause = new Exception('cause');
$quota = new QuotaException('acme', $response, $cause);
assert_same(['acme', 'acme is out of quota', 429, $cause, $response, $response->attempts], [$quota->account, $quota->getMessage(), $quota->getCode(), $quota->getPrevious(), $quota->response, $quota->attempts]);
assert_true($quota instanceof R\Exception, 'an Exception of ours');
assert_same($quota, thrown_by(static fn() => throw $quota, R\HttpException::class));

$plain = new Plain('x', needed: 5, left: 1);
assert_same([5.0, 1.0, null, []], [$plain->needed, $plain->left, $plain->response, $plain->attempts]);
assert_throws(Error::class, 'Cannot modify readonly property RetryClient\BudgetExceededException::$needed', static function () use ($plain) { $plain->needed = 1.0; });

$without = new WithoutParent();
assert_same(['own', false, false], [$without->getMessage(), isset($without->attempts), isset($without->kind)]);
assert_throws(Error::class, 'Typed property RetryClient\NetworkException::$kind must not be accessed before initialization', static fn() => $without->kind);

assert_same(['given', 7], [(new Fixed('given'))->getMessage(), (new Fixed())->getCode()], 'defaults of the subclass');
assert_same('fixed', (new Fixed())->getMessage());
assert_true(new GaveUp() instanceof R\Exception, 'the interfaces can be implemented');

// A FakeClient takes them for what they are.
$client = new R\FakeClient([new class('down', kind: 'connect') extends R\NetworkException {}, new R\Response()]);
assert_same(200, $client->get('http://a.test/')->status, 'retried like its parent');
assert_same(2, count($client->requests()));
done();
?>
--EXPECT--
done
