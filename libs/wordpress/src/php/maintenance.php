<?php
/** The file by which WordPress closes a site. */
final class VigieMaintenance
{
    const NAME = '/.maintenance';
    /** As long after the time in it WordPress serves nothing else. */
    private const SECONDS = 600;

    public static function isClosed(string $root): bool
    {
        $file = $root . self::NAME;
        if (!is_file($file)) {
            return false;
        }
        $text = (string) @file_get_contents($file, false, null, 0, 4096);
        if (preg_match('/\$upgrading\s*=\s*\\\\?time\s*\(/', $text) === 1) {
            // On purpose, for as long as somebody wants.
            return true;
        }
        $since = preg_match('/\$upgrading\s*=\s*(\d+)/', $text, $match) === 1 ? (int) $match[1] : (int) filemtime($file);
        return time() - $since < self::SECONDS;
    }
}
