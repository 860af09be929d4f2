<?php
// Boots a site and prints the result of some code between marks: `php -- root host mark code`.
[, $root, $host, $mark, $code] = $argv;
ob_start(fn () => '');
$_SERVER += ['HTTP_HOST' => $host, 'SERVER_NAME' => $host, 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET'];
$_SERVER['PHP_SELF'] = '/index.php';
register_shutdown_function(function () use ($mark) {
    $error = error_get_last();
    if ($error && $error['type'] & (E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR)) {
        file_put_contents('php://stderr', "{$error['message']} in {$error['file']}:{$error['line']}");
    }
});
require $root . '/wp-load.php';
file_put_contents('php://stdout', $mark . json_encode(eval($code), JSON_THROW_ON_ERROR) . $mark);
