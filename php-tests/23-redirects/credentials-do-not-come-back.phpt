--TEST--
A way back to the first origin brings no credentials back
--EXTENSIONS--
retry_client
--FILE--
<?php
require __DIR__ . '/../support.php';

$back = script('back', [[]]);
$elsewhere = control('POST', '/_script/' . script_name('elsewhere'), [['action' => 'redirect', 'location' => $back]]);
$from = script('from', [['action' => 'redirect', 'location' => server('control') . $elsewhere['path']]]);
(new RetryClient())->get($from, ['Authorization' => 'Bearer s3cret']);
assert_same('Bearer s3cret', header_of(received('from', 1)[0], 'Authorization'), 'at first');
assert_same(null, header_of(received('back', 1)[0], 'Authorization'), 'at the end');
done();
?>
--EXPECT--
done
