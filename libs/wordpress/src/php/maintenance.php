<?php
/** The file by which WordPress closes a site. */
final class VigieMaintenance
{
    const NAME = '/.maintenance';
    /** As long after the time in it WordPress serves nothing else. */
    private const SECONDS = 600;

    /** Whoever closes a site for long says again that it is closed as soon as this is so old, in seconds. */
    private const RENEWAL = 60;

    public static function isClosed(string $root): bool
    {
        return self::isClosedForGood($root) || self::age($root) < self::SECONDS;
    }

    /** On purpose, for as long as somebody wants: by a time that is always now, or one that is far ahead. */
    public static function isClosedForGood(string $root): bool
    {
        $isNow = preg_match('/\$upgrading\s*=\s*\\\\?time\s*\(/', self::text($root)) === 1;
        return $isNow || self::age($root) < -86400;
    }

    /** Seconds since the time that it says: without end where nothing closes the site. */
    private static function age(string $root): float
    {
        clearstatcache();
        if (!is_file($root . self::NAME)) {
            return INF;
        }
        $isSaid = preg_match('/\$upgrading\s*=\s*(\d+)/', self::text($root), $match) === 1;
        return time() - ($isSaid ? (int) $match[1] : (int) filemtime($root . self::NAME));
    }

    private static function text(string $root): string
    {
        $file = $root . self::NAME;
        return is_file($file) ? (string) @file_get_contents($file, false, null, 0, 4096) : '';
    }

    /** Closes it from now on; a site that may not be closed is not. */
    public static function close(string $root): void
    {
        VigieFiles::keep($root . self::NAME, '<?php $upgrading = ' . time() . ";\n");
    }

    /** Work that takes long calls it often, since WordPress opens the site by itself ten minutes after it was closed. */
    public static function renew(string $root): void
    {
        static $at = 0;
        if (time() !== $at && self::age($root) >= self::RENEWAL) {
            self::close($root);
        }
        $at = time();
    }
}
