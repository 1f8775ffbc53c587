<?php

/**
 * Laravel's HTTP client on RetryClient. In an application `Illuminate\Support\Facades\Http` does what `$http` does here.
 *
 *     composer require retry-client/retry-client
 *
 * For every request of the application, in the `register()` of a service provider:
 *
 *     $this->app->singleton(Illuminate\Http\Client\Factory::class, fn ($app) => new RetryingFactory(
 *         new RetryClient\Guzzle\Handler(new RetryClient(maxAttempts: 8)),
 *         $app->make(Illuminate\Contracts\Events\Dispatcher::class),
 *     ));
 *
 * `Http::fake()` goes on working. Leave out `retry()`: attempts would multiply. `timeout()` bounds one attempt; what bounds
 * all of them is the RetryClient's `budget`.
 */

declare(strict_types=1);

use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Http\Client\Factory;
use Illuminate\Http\Client\Pool;
use RetryClient\Guzzle\Handler;

require getenv('AUTOLOAD') ?: __DIR__ . '/vendor/autoload.php';

/** Every request of this factory is sent by one handler. */
final class RetryingFactory extends Factory
{
    public function __construct(private readonly Handler $handler, ?Dispatcher $dispatcher = null)
    {
        parent::__construct($dispatcher);
    }

    protected function newPendingRequest()
    {
        // Laravel 8 makes the handler's stack here, so that a later withMiddleware() is not in it; from 9 on it is.
        return parent::newPendingRequest()->setHandler($this->handler);
    }
}

$url = getenv('API_URL') ?: 'https://api.example.com/v1';
$handler = new Handler(new RetryClient(maxAttempts: 8, budget: 60.0));

// One request: Http::setHandler($handler)->…
$http = new Factory();
$response = $http->setHandler($handler)
    ->withToken((string) getenv('API_KEY'))
    ->baseUrl($url)
    ->post('chat', ['prompt' => 'Hello'])
    ->throw();
echo $response->json('text'), "\n";

// All of them.
$http = new RetryingFactory($handler);
echo $http->withToken((string) getenv('API_KEY'))->get("$url/status")->body(), "\n";

// A pool gives its requests a handler of its own: each is given this one.
$items = $http->pool(static fn(Pool $pool) => array_map(
    static fn(string $name) => $pool->as($name)->setHandler($handler)->get("$url/items/$name"),
    ['a', 'b', 'c'],
));
ksort($items);
foreach ($items as $name => $item) {
    echo "$name: {$item->body()}\n";
}
