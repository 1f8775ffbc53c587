<?php

namespace RetryClient;

/**
 * The last allowed attempt still got a status that asks for another, or `onRetry` returned false.
 *
 * `$response` is the last answer; `$response->retryAfter` is when the server wants to be asked again.
 */
class AttemptsExhaustedException extends HttpException implements GaveUpException
{}
