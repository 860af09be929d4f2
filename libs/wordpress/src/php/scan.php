<?php
/**
 * The owner of the site's code; for root's code, the owner of what it writes, obeys or lies in. Null if unclear: links
 * are not followed, since their maker would choose the owner.
 */
function vigie_owner(string $path): ?int
{
    $code = is_link("$path/wp-includes") ? ['wp-load.php'] : ['wp-load.php', 'wp-includes/version.php'];
    $owner = 0;
    foreach ($code as $file) {
        $stat = @lstat("$path/$file");
        $uid = $stat ? $stat['uid'] : 0;
        if (is_link("$path/$file") || ($uid !== 0 && $owner !== 0 && $uid !== $owner)) {
            return null;
        }
        $owner = $uid !== 0 ? $uid : $owner;
    }
    if ($owner === 0 && is_link("$path/wp-content")) {
        return null;
    }
    foreach (['wp-content', 'wp-content/uploads', 'wp-content/plugins'] as $folder) {
        if ($owner !== 0) {
            break;
        }
        $stat = is_link("$path/$folder") ? false : @lstat("$path/$folder");
        $owner = $stat ? $stat['uid'] : 0;
    }
    return $owner !== 0 ? $owner : vigie_keeper($path);
}

/** For a site that looks like root's: who else owns its folder or its configuration. */
function vigie_keeper(string $path): ?int
{
    $config = @lstat("$path/wp-config.php") === false ? dirname($path) . '/wp-config.php' : "$path/wp-config.php";
    foreach ([$path, $config] as $candidate) {
        foreach ([@lstat($candidate), @stat($candidate)] as $stat) {
            if ($stat && $stat['uid'] !== 0) {
                return $stat['uid'];
            }
        }
    }
    return @lstat("$path/wp-load.php") === false ? null : 0;
}

function vigie_is_root(): bool
{
    if (function_exists('posix_geteuid')) {
        return posix_geteuid() === 0;
    }
    // Without posix, the owner of /proc/self and of a temporary file tell.
    $own = @fileowner('/proc/self') ? null : @tmpfile();
    return $own !== null && (!$own || fstat($own)['uid'] === 0);
}

/** Runs the work as the site's owner, so that links to other tenants' files lead nowhere. */
function vigie_as_owner(string $path, callable $work): array
{
    if (!vigie_is_root()) {
        return $work();
    }
    if (!function_exists('posix_seteuid')) {
        return ['problem' => 'no_posix'];
    }
    clearstatcache(true);
    $owner = vigie_owner($path);
    if ($owner === null) {
        return ['problem' => 'unsure_owner'];
    }
    if ($owner === 0) {
        return $work();
    }
    $user = posix_getpwuid($owner);
    $isUnprivileged = $user && $user['gid'] !== 0;
    $group = $isUnprivileged ? $user['gid'] : 65534;
    posix_initgroups($isUnprivileged ? $user['name'] : 'nobody', $group);
    posix_setegid($group);
    posix_seteuid($owner);
    try {
        if (posix_geteuid() !== $owner || posix_getegid() !== $group) {
            throw new RuntimeException('PHP could not switch to the owner of the site');
        }
        return $work();
    } finally {
        posix_seteuid(0);
        posix_setegid(0);
    }
}

error_reporting(0);
$vigie_input = VigieAnswer::readInput();
foreach ($vigie_input['sites'] as $vigie_at => $vigie_site) {
    $vigie_is_there = VigieFiles::isFile($vigie_site['path'] . '/wp-includes/version.php');
    try {
        $vigie_scan = static function () use ($vigie_site) {
            return VigieSiteScan::scan($vigie_site);
        };
        $vigie_path = (string) $vigie_site['path'];
        $vigie_result = $vigie_is_there ? vigie_as_owner($vigie_path, $vigie_scan) : ['problem' => 'not_wordpress'];
    } catch (Throwable $vigie_error) {
        $vigie_result = ['problem' => 'unreadable', 'message' => VigieAnswer::text($vigie_error->getMessage())];
    }
    // If the owner cannot reach it, neither could its web server.
    if ($vigie_is_there && ($vigie_result['problem'] ?? '') === 'not_wordpress') {
        $vigie_result['problem'] = 'unreadable';
    }
    if (!VigieAnswer::send(['at' => $vigie_at, 'php' => PHP_VERSION] + $vigie_result)) {
        VigieAnswer::send(['at' => $vigie_at, 'problem' => 'unreadable']);
    }
}
VigieAnswer::send(['at' => 'end']);
