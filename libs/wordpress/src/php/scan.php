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

/** Scans the sites, by their places in the order, and calls `$after` after each. */
function vigie_scan(array $sites, ?callable $after = null): void
{
    foreach ($sites as $at => $site) {
        $path = (string) $site['path'];
        $isThere = VigieFiles::isFile("$path/wp-includes/version.php");
        try {
            $scan = static function () use ($site) {
                return VigieSiteScan::scan($site);
            };
            $result = $isThere ? vigie_as_owner($path, $scan) : ['problem' => 'not_wordpress'];
        } catch (Throwable $error) {
            $result = ['problem' => 'unreadable', 'message' => VigieAnswer::text($error->getMessage())];
        }
        // If the owner cannot reach it, neither could its web server.
        if ($isThere && ($result['problem'] ?? '') === 'not_wordpress') {
            $result['problem'] = 'unreadable';
        }
        if (!VigieAnswer::send(['at' => $at, 'php' => PHP_VERSION] + $result)) {
            VigieAnswer::send(['at' => $at, 'problem' => 'unreadable']);
        }
        $after && $after();
    }
}

/**
 * Scans the second half of many sites in another process: half of the time goes to waiting for disks and databases. Its
 * answers are passed on as they come, so that none is lost when one of the two processes is killed.
 */
function vigie_scan_halves(array $sites): void
{
    $isLong = count($sites) >= 20 && function_exists('pcntl_fork') && function_exists('stream_socket_pair');
    $pair = $isLong ? stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0) : false;
    $child = $pair ? pcntl_fork() : -1;
    if ($child === -1) {
        vigie_scan($sites);
        return;
    }
    $halves = array_chunk($sites, intdiv(count($sites) + 1, 2), true);
    [$ours, $others] = $child === 0 ? array_reverse($pair) : $pair;
    fclose($others);
    if ($child === 0) {
        VigieAnswer::sendTo($ours);
        vigie_scan($halves[1]);
        exit;
    }
    stream_set_blocking($ours, false);
    vigie_scan($halves[0], static function () use ($ours) {
        VigieAnswer::passOn($ours);
    });
    stream_set_blocking($ours, true);
    while (!feof($ours)) {
        VigieAnswer::passOn($ours);
    }
}

error_reporting(0);
vigie_scan_halves(VigieAnswer::readInput()['sites']);
VigieAnswer::send(['at' => 'end']);
