<?php

declare(strict_types=1);

namespace RetryClient\Guzzle;

use GuzzleHttp\Exception\ConnectException;
use GuzzleHttp\Exception\RequestException;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use RetryClient\BudgetExceededException;
use RetryClient\Internal\Refusal;
use RetryClient\NetworkException;
use RetryClient\RateLimitedException;

/**
 * Guzzle's exceptions, with cURL's error numbers, since applications ask for these.
 *
 * @internal
 */
final class Failure
{
    private const UNSUPPORTED_PROTOCOL = 1;
    private const URL_MALFORMAT = 3;
    private const COULDNT_RESOLVE_HOST = 6;
    private const COULDNT_CONNECT = 7;
    private const WEIRD_SERVER_REPLY = 8;
    private const PARTIAL_FILE = 18;
    private const WRITE_ERROR = 23;
    private const OPERATION_TIMEDOUT = 28;
    private const SSL_CONNECT_ERROR = 35;
    private const TOO_MANY_REDIRECTS = 47;
    private const GOT_NOTHING = 52;
    private const RECV_ERROR = 56;
    private const PEER_FAILED_VERIFICATION = 60;
    private const BAD_CONTENT_ENCODING = 61;
    private const FILESIZE_EXCEEDED = 63;

    /** Those for which Guzzle throws a ConnectException. */
    private const OF_THE_CONNECTION = [
        self::COULDNT_RESOLVE_HOST,
        self::COULDNT_CONNECT,
        self::OPERATION_TIMEDOUT,
        self::SSL_CONNECT_ERROR,
        self::GOT_NOTHING,
    ];

    /** @param ResponseInterface|null $response the one that was arriving */
    public static function of(\Throwable $error, RequestInterface $request, ?ResponseInterface $response): \Throwable
    {
        if ($error instanceof RateLimitedException) {
            return new ConnectException($error->getMessage(), $request, $error, ['error' => $error->getMessage()]);
        }
        if (($refusal = Refusal::of($error, Transfer::class, 'start', 'stream')) !== null) {
            return self::malformed($error, $request, $refusal);
        }
        $number = match (true) {
            $error instanceof NetworkException => self::numberOf($error, $response !== null),
            $error instanceof BudgetExceededException => self::OPERATION_TIMEDOUT,
            default => null,
        };
        if ($number === null) {
            return $error;
        }
        $context = ['errno' => $number, 'error' => $error->getMessage()];
        return in_array($number, self::OF_THE_CONNECTION, true)
            ? new ConnectException($error->getMessage(), $request, $error, $context)
            : new RequestException($error->getMessage(), $request, $response, $error, $context);
    }

    /** Of an exception of Guzzle's; null: it has none. */
    public static function number(\Throwable $error): ?int
    {
        return $error instanceof ConnectException || $error instanceof RequestException
            ? $error->getHandlerContext()['errno'] ?? null
            : null;
    }

    /** The sink has taken less than it was given. */
    public static function unwritten(RequestInterface $request, ?ResponseInterface $response): RequestException
    {
        $message = 'The sink has not taken what was to be written to it';
        return new RequestException($message, $request, $response, null, ['errno' => self::WRITE_ERROR, 'error' => $message]);
    }

    /** `on_headers` does not want the answer. */
    public static function unwelcome(RequestInterface $request, ResponseInterface $response, \Exception $why): RequestException
    {
        $message = 'An error was encountered during the on_headers event';
        return new RequestException($message, $request, $response, $why, ['errno' => self::WRITE_ERROR, 'error' => $message]);
    }

    private static function malformed(\Throwable $error, RequestInterface $request, Refusal $refusal): RequestException
    {
        $number = match (true) {
            $refusal->name === 'sink' => self::WRITE_ERROR,
            $refusal->name === 'uri' && str_contains($refusal->rule, 'have the scheme') => self::UNSUPPORTED_PROTOCOL,
            default => self::URL_MALFORMAT,
        };
        $message = "The request cannot be sent: its $refusal->name $refusal->rule";
        return new RequestException($message, $request, null, $error, ['errno' => $number, 'error' => $message]);
    }

    private static function numberOf(NetworkException $error, bool $isAnswered): int
    {
        $says = static fn(string $words): bool => stripos($error->getMessage(), $words) !== false;
        return match ($error->kind) {
            'dns' => self::COULDNT_RESOLVE_HOST,
            'connect' => $says('tunnel error') ? self::RECV_ERROR : self::COULDNT_CONNECT,
            'tls' => match (true) {
                $says('invalid peer certificate') => self::PEER_FAILED_VERIFICATION,
                // Ours: TLS 1.3 tells so when the answer is read.
                preg_match('/alert: (\w*Certificate|UnknownCA|AccessDenied)/', $error->getMessage()) === 1 => self::RECV_ERROR,
                default => self::SSL_CONNECT_ERROR,
            },
            'timeout' => self::OPERATION_TIMEDOUT,
            'reset' => match (true) {
                $says('reset by peer') => self::RECV_ERROR,
                $isAnswered, $says('before message length'), $says('during chunk') => self::PARTIAL_FILE,
                default => self::GOT_NOTHING,
            },
            'protocol' => match (true) {
                $says('cannot be decoded') => self::BAD_CONTENT_ENCODING,
                $says('is not HTTP') => self::UNSUPPORTED_PROTOCOL,
                $says('chunk') => self::RECV_ERROR,
                default => self::WEIRD_SERVER_REPLY,
            },
            'too-large' => self::FILESIZE_EXCEEDED,
            'redirect' => self::TOO_MANY_REDIRECTS,
            'sink' => self::WRITE_ERROR,
            default => self::RECV_ERROR,
        };
    }
}
