--TEST--
A relative URI is joined to the base as RFC 3986 says, the base's path taken as ending in /
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

use RetryClient\{FakeClient, Response};

function joined(?string $base, string $uri): string
{
    $client = new FakeClient([new Response()], baseUri: $base);
    $client->get($uri);
    return $client->requests()[0]->uri;
}

// RFC 3986 section 5.4, from http://a.test/b/c/d;p/?q.
foreach ([
    'g' => '/b/c/d;p/g', './g' => '/b/c/d;p/g', 'g/' => '/b/c/d;p/g/', '/g' => '/g', '?y' => '/b/c/d;p/?y', 'g?y' => '/b/c/d;p/g?y',
    '#s' => '/b/c/d;p/?q', 'g#s' => '/b/c/d;p/g', 'g?y#s' => '/b/c/d;p/g?y', ';x' => '/b/c/d;p/;x', 'g;x' => '/b/c/d;p/g;x',
    '' => '/b/c/d;p/?q', '.' => '/b/c/d;p/', './' => '/b/c/d;p/', '..' => '/b/c/', '../' => '/b/c/', '../g' => '/b/c/g',
    '../..' => '/b/', '../../g' => '/b/g', '../../../g' => '/g', '../../../../g' => '/g', '/./g' => '/g', '/../g' => '/g',
    'g.' => '/b/c/d;p/g.', '.g' => '/b/c/d;p/.g', 'g..' => '/b/c/d;p/g..', '..g' => '/b/c/d;p/..g', './../g' => '/b/c/g',
    './g/.' => '/b/c/d;p/g/', 'g/./h' => '/b/c/d;p/g/h', 'g/../h' => '/b/c/d;p/h', 'g;x=1/../y' => '/b/c/d;p/y',
    'g?y/./x' => '/b/c/d;p/g?y/./x', 'g?y/../x' => '/b/c/d;p/g?y/../x', './g:h' => '/b/c/d;p/g:h', 'v1/g:h' => '/b/c/d;p/v1/g:h',
] as $uri => $path) {
    assert_same("http://a.test$path", joined('http://a.test/b/c/d;p?q', $uri), $uri);
}

foreach ([
    // With or without the slash at the end.
    ['https://a.test/v1', 'chat', 'https://a.test/v1/chat'],
    ['https://a.test/v1/', 'chat', 'https://a.test/v1/chat'],
    ['https://a.test', 'chat', 'https://a.test/chat'],
    ['https://a.test/v1', '/chat', 'https://a.test/chat'],
    ['https://a.test/v1?key=1#f', 'chat', 'https://a.test/v1/chat'],
    // Another host, another scheme.
    ['https://a.test/v1', '//b.test/x', 'https://b.test/x'],
    ['https://a.test/v1', 'http://b.test/x', 'http://b.test/x'],
    ['https://a.test/v1', 'HTTP://B.Test', 'http://b.test/'],
    [null, 'http://b.test', 'http://b.test/'],
    // Escapes stay, and what has to be escaped is.
    ['http://a.test/', 'a%2Fb%20c', 'http://a.test/a%2Fb%20c'],
    ['http://a.test/', 'a b', 'http://a.test/a%20b'],
    ['http://a.test/', 'ä?ö=ü', 'http://a.test/%C3%A4?%C3%B6=%C3%BC'],
    ['http://a.test/', "\xff", 'http://a.test/%FF'],
    ['http://a.test/', 'a\\b', 'http://a.test/a%5Cb'],
    ['http://a.test/', 'a//b', 'http://a.test/a//b'],
    // Hosts and ports.
    ['http://a.test:80/', 'x', 'http://a.test/x'],
    ['http://a.test:8080/', 'x', 'http://a.test:8080/x'],
    ['http://[::1]:8080', 'x', 'http://[::1]:8080/x'],
    ['http://bücher.test/', 'x', 'http://xn--bcher-kva.test/x'],
] as [$base, $uri, $expected]) {
    assert_same($expected, joined($base, $uri), "$base and $uri");
}
done();
?>
--EXPECT--
done
