<?php
/** The .maintenance file, with which WordPress closes a site. */
final class VigieMaintenance
{
    const NAME = '/.maintenance';
    /** Seconds after the time in the file when WordPress opens the site again. */
    private const SECONDS = 600;

    /** Seconds after which a site that stays closed renews the file. */
    private const RENEWAL = 60;

    public static function isClosed(string $root): bool
    {
        return self::isClosedForGood($root) || self::age($root) < self::SECONDS;
    }

    /** Closed on purpose and without end: by `time()`, or by a time far in the future. */
    public static function isClosedForGood(string $root): bool
    {
        $isNow = preg_match('/\$upgrading\s*=\s*\\\\?time\s*\(/', self::text($root)) === 1;
        return $isNow || self::age($root) < -86400;
    }

    /** Seconds since the time in the file; infinite if nothing closes the site. */
    private static function age(string $root): float
    {
        clearstatcache();
        if (!is_file($root . self::NAME)) {
            return INF;
        }
        $hasTime = preg_match('/\$upgrading\s*=\s*(\d+)/', self::text($root), $match) === 1;
        return time() - ($hasTime ? (int) $match[1] : (int) filemtime($root . self::NAME));
    }

    private static function text(string $root): string
    {
        $file = $root . self::NAME;
        return is_file($file) ? (string) @file_get_contents($file, false, null, 0, 4096) : '';
    }

    /** Closes the site; if the file cannot be written, it stays open. */
    public static function close(string $root): void
    {
        VigieFiles::writeAtomically($root . self::NAME, '<?php $upgrading = ' . time() . ";\n");
    }

    public static function open(string $root): void
    {
        @unlink($root . self::NAME);
    }

    /** Call often during long work: WordPress opens the site by itself after ten minutes. */
    public static function renew(string $root): void
    {
        static $checkedAt = 0;
        if (time() !== $checkedAt && self::age($root) >= self::RENEWAL) {
            self::close($root);
        }
        $checkedAt = time();
    }
}
