--TEST--
request_budget under a web SAPI: auto, a number, none, and ini_set
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/php.inc';

/** Pages of PHP's own web server, which ends with the test. */
final class Web
{
    private $process;
    private string $address;

    public function __construct(array $directives)
    {
        $this->process = proc_open([...php_command($directives), '-S', '127.0.0.1:0', __DIR__ . '/request_budget.inc'], [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['pipe', 'w']], $pipes);
        while (!preg_match('~\((http://127\.0\.0\.1:\d+)\) started~', (string) fgets($pipes[2]), $m)) {
            if (feof($pipes[2])) {
                throw new Error('the web server did not start');
            }
        }
        $this->address = $m[1];
    }

    public function page(string $upstream, string $budget = '', string $own = ''): array
    {
        return json_decode(file_get_contents("$this->address/?" . http_build_query(['upstream' => $upstream, 'budget' => $budget, 'own' => $own])), true, flags: JSON_THROW_ON_ERROR);
    }

    public function __destruct() { proc_terminate($this->process); }
}

$limited = script('a', [['status' => 429, 'headers' => [['Retry-After', '500']]]]);
$over = static function (array $page, float $least, float $most, string $what): void {
    assert_same('RetryClient\BudgetExceededException', $page['thrown'] ?? 'nothing', $what);
    assert_between($least, $most, $page['left'] ?? -1, "$what: left");
};

$auto = new Web([]);
$over($auto->page($limited), 50, 55, 'auto is 55 s');
$over($auto->page($limited, '25'), 20, 25, 'ini_set');
$over($auto->page($limited), 50, 55, 'ini_set ends with its page');
assert_same(['status' => 429, 'wait' => 30], $auto->page($limited, '0'), 'none');
$over($auto->page($limited, own: '3'), 2, 3, 'the earlier of the two: budget');
$over($auto->page($limited, '7', '100'), 6, 7, 'the earlier of the two: request_budget');

$ten = new Web(['retry_client.request_budget' => '10']);
$over($ten->page($limited), 8, 10, 'php.ini');
$over($ten->page($limited, 'auto'), 50, 55, 'back to auto');
assert_same(['status' => 429, 'wait' => 30], (new Web(['retry_client.request_budget' => '0']))->page($limited), 'none in php.ini');

// It is counted from the page's start, and it cuts an attempt.
$short = new Web(['retry_client.request_budget' => '0.3']);
$took = seconds(static fn() => $short->page(script('b', [['action' => 'stall']])), $page);
assert_same(['thrown' => 'RetryClient\BudgetExceededException', 'left' => 0, 'previous' => 'timeout'], $page);
assert_between(0.2, 5, $took, 'seconds');
done();
?>
--EXPECT--
done
