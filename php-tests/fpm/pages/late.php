<?php

/** Sleeps before its call and touches no superglobal: answers how much of its budget is left. */

declare(strict_types=1);

$plan = json_decode((string) file_get_contents('php://input'), true);
usleep((int) ($plan['sleep'] * 1e6));
try {
    (new RetryClient())->get($plan['uri']);
} catch (RetryClient\BudgetExceededException $thrown) {
    echo json_encode(['left' => $thrown->left]);
}
