--TEST--
After a fork a batch with a journal is the parent's: RuntimeException before anything is sent; and the lock is the parent's alone
--EXTENSIONS--
retry_client
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../support.php';
require __DIR__ . '/../flights.php';
require __DIR__ . '/../signals.php';

use RetryClient\Request;

$theirs = 'The journal was opened before a fork and belongs to the parent process';
$folder = folder();
$file = "$folder/j";
$url = script('a', [['action' => 'echo', 'delay_ms' => 20]]);
$requests = static function () use ($url) {
    for ($i = 0; $i < 6; $i++) {
        yield $i => new Request('GET', "$url/$i");
    }
};

// Not begun, and in the middle. The child gets what is there already, at most.
foreach ([0, 2] as $steps) {
    control('DELETE', '/_log/' . script_name('a'));
    $who = 'parent';
    $input = (static function () use (&$who, $url) {
        for ($i = 0; $i < 6; $i++) {
            yield $i => new Request('POST', "$url/$i?$who");
        }
    })();
    $responses = (new RetryClient())->sendAll($input, 1, journal: "$file.$steps");
    for ($i = 0; $i < $steps; $i++) {
        assert_same(true, $responses->valid());
        $i + 1 < $steps && $responses->next();
    }
    joined(child(static function () use ($responses, &$who, $theirs, $steps): void {
        $who = 'child';
        assert_throws(RuntimeException::class, $theirs, static function () use ($responses, $steps) { $steps === 0 ? $responses->rewind() : $responses->next(); });
        assert_same([false, null], [$responses->valid(), $responses->current()], 'over in the child');
    }));
    for (; $responses->valid(); $responses->next()) {
        $i++;
    }
    assert_same($steps === 0 ? 6 : 7, $i, "after $steps: results in the parent");
    $sent = array_map(static fn(array $entry) => substr(strrchr($entry['target'], '/'), 1), received('a', 6));
    assert_same(array_map(static fn(int $i) => "$i?parent", range(0, 5)), $sent, "after $steps: requests");
    unset($responses);
    assert_same(7, count(file("$file.$steps")), "after $steps: lines");
}

/** Whether the journal can be opened; it waits up to 2 s for it. */
$is_free = static function (string $file, float $seconds = 2.0): bool {
    $until = hrtime(true) + (int) ($seconds * 1e9);
    do {
        try {
            (new RetryClient())->sendAll([], journal: $file);
            return true;
        } catch (ValueError $e) {
            assert_contains('is in use', $e->getMessage());
        }
    } while (hrtime(true) < $until && usleep(10_000) === null);
    return false;
};
/** A child that lives until its pipe is closed. */
$living = static function (): array {
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $child = child(static function () use ($pair): void {
        fclose($pair[1]);
        fread($pair[0], 1);
    });
    fclose($pair[0]);
    return [$child, $pair[1]];
};

// A child that lives on keeps no lock of a parent that has let go of it.
$responses = (new RetryClient())->sendAll($requests(), 1, journal: "$file.lock");
$responses->rewind();
[$child, $pipe] = $living();
assert_same(false, $is_free("$file.lock", 0.0), 'while the batch runs');
unset($responses);
assert_same(true, $is_free("$file.lock", 0.0), 'the child lives, the batch is dropped');
posix_kill($child, SIGKILL);
joined($child);

// Nor one of a parent that was killed.
$pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$parent = child(static function () use ($requests, $file, $pair, $living): void {
    $responses = (new RetryClient())->sendAll($requests(), 1, journal: "$file.killed");
    $responses->rewind();
    fclose($pair[0]);
    $child = child(static function () use ($pair): void { sleep(20); });
    fwrite($pair[1], pack('q', $child));
    sleep(20);
});
fclose($pair[1]);
$child = unpack('q', fread($pair[0], 8))[1];
assert_same(false, $is_free("$file.killed", 0.0), 'while the parent lives');
posix_kill($parent, SIGKILL);
joined($parent);
assert_same(true, posix_kill($child, 0), 'the child lives');
assert_same(true, $is_free("$file.killed"), 'when the parent is dead');
posix_kill($child, SIGKILL);
// What it had begun is gone on with.
assert_same(6, iterator_count((new RetryClient())->sendAll($requests(), 1, journal: "$file.killed")));
done();
?>
--EXPECT--
done
