<?php

namespace RetryClient;

/**
 * The request may well succeed later: attempts, budget or waits are used up.
 *
 * Implemented by `AttemptsExhaustedException`, `BudgetExceededException` and `RateLimitedException`.
 *
 * @property-read Response|null $response the last one, null if there was none
 */
interface GaveUpException extends Exception {}
