<?php
/** Where a site keeps its archives. Whoever acts on it is who owns the site. */
final class VigieFolder
{
    public const NAME = 'ai1wm-backups';
    /** How the name of an archive ends that is sent here and not whole yet. */
    public const SENT = '.sent.part';
    /** In seconds: a transfer that was cut goes on from what came, and nobody holds that meanwhile. */
    private const WAITS = 600;
    private const REGULAR = 0100000;
    private const KIND = 0170000;
    /** A server hands out whoever asks; their names are long and random. */
    private const GUARDS = [
        'index.php' => "<?php\n",
        'index.html' => '',
        'robots.txt' => "User-agent: *\nDisallow: /\n",
        '.htaccess' => "<IfModule mod_mime.c>\nAddType application/octet-stream .wpress\n</IfModule>\n"
            . "<IfModule mod_autoindex.c>\nOptions -Indexes\n</IfModule>\n",
        'web.config' => "<configuration><system.webServer><directoryBrowse enabled=\"false\" />\n"
            . "<staticContent><mimeMap fileExtension=\".wpress\" mimeType=\"application/octet-stream\" /></staticContent>\n"
            . "</system.webServer></configuration>\n",
    ];

    /** Null where files can be made in it; else why not. */
    public static function make(string $folder): ?string
    {
        // Where a link leads to is chosen by whoever made it.
        if (is_link($folder)) {
            return 'link';
        }
        if (!is_dir($folder) && !@mkdir($folder, 0755)) {
            return 'absent';
        }
        if (!is_writable($folder)) {
            return 'folder';
        }
        foreach (self::GUARDS as $name => $text) {
            @lstat("$folder/$name") === false && @file_put_contents("$folder/$name", $text);
        }
        return null;
    }

    /** Removes what nobody writes any more: who writes one holds it, or goes on with it soon. */
    public static function sweep(string $folder, string $but = ''): void
    {
        foreach (glob("$folder/.vigie-*.part") ?: [] as $left) {
            $file = $left === $but || self::isWaiting($left) ? false : @fopen($left, 'r+b');
            if ($file && flock($file, LOCK_EX | LOCK_NB)) {
                @unlink($left);
            }
            $file && fclose($file);
        }
    }

    private static function isWaiting(string $part): bool
    {
        $seen = substr($part, -strlen(self::SENT)) === self::SENT ? self::seen($part) : null;
        return $seen !== null && $seen['mtime'] > time() - self::WAITS;
    }

    /** What is known of a file, and of nothing else. */
    public static function seen(string $path): ?array
    {
        clearstatcache(true, $path);
        $seen = @lstat($path);
        return $seen && ($seen['mode'] & self::KIND) === self::REGULAR ? $seen : null;
    }
}
