<?php
// Requests an address once, for hosts without curl and wget. Prints the code and the seconds of the answer, or a word for
// why there is none. It verifies certificates since PHP 5.6.
list(, $address, $userAgent) = $argv;
$scheme = substr($address, 0, strpos($address, ':'));
if (PHP_VERSION_ID < 50600 || PHP_SAPI !== 'cli' || !in_array($scheme, stream_get_wrappers(), true)) {
    exit('unable');
}

$errors = '';
set_error_handler(function ($level, $message) use (&$errors, $address) {
    $errors .= str_replace($address, '', $message) . "\n";
    return true;
});
$context = stream_context_create([
    'http' => [
        'user_agent' => $userAgent,
        'follow_location' => 0,
        'ignore_errors' => true,
        'timeout' => 10,
        'protocol_version' => 1.1,
        'header' => 'Connection: close',
    ],
    'ssl' => ['verify_peer' => true, 'verify_peer_name' => true, 'allow_self_signed' => false],
]);
$start = microtime(true);
$page = fopen($address, 'r', false, $context);
$seconds = microtime(true) - $start;

$head = $page ? stream_get_meta_data($page)['wrapper_data'] : [];
if (preg_match('/^HTTP\/[0-9.]+ ([1-9][0-9][0-9])/', isset($head[0]) ? $head[0] : '', $found)) {
    exit($found[1] . ' ' . number_format($seconds, 3, '.', ''));
}
$reasons = [
    'unresolved' => '/getaddrinfo/i',
    'certificate' => '/certificate/i',
    'late' => '/timed out/i',
    'unreachable' => '/refused|unreachable|no route/i',
    'encryption' => '/ssl|crypto/i',
];
foreach ($reasons as $word => $pattern) {
    if (preg_match($pattern, $errors)) {
        exit($word);
    }
}
echo $seconds >= 10 ? 'late' : 'failed';
