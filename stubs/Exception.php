<?php

namespace RetryClient;

/**
 * Every exception class of this extension implements it; each also extends `\RuntimeException`.
 *
 * Wrong arguments are not among them: those are `\ValueError` and `\TypeError`. No message shows a credential.
 *
 * @property-read list<Attempt> $attempts every send of the call, empty if there was none
 */
interface Exception extends \Throwable {}
