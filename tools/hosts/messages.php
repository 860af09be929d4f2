<?php
// PHP runs this first on a host of the trial. It records PHP's messages about Vigie's own programs, which come from a stream.
set_error_handler(static function (int $type, string $message, string $file, int $line): bool {
    $isOwn = $file[0] !== '/' || preg_match('~/vigie-unpack-~', $file) === 1;
    // A program that silences a call expects its warning, for example about a missing file, and its false result.
    $isFailure = preg_match('~^(\w+\(|Trying to access array offset on (false|value of type bool))~', $message) === 1;
    $isExpected = (error_reporting() & $type) === 0 && $isFailure;
    if ($isOwn && (!$isExpected || $type === E_DEPRECATED)) {
        file_put_contents('/mnt/messages', "$message in $file:$line\n", FILE_APPEND);
    }
    return false;
});
