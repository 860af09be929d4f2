<?php
/** The backups folder of a site. PHP runs as the owner of the site. */
final class VigieBackupsFolder
{
    public const NAME = 'ai1wm-backups';
    /** Suffix of an upload that is not complete. */
    public const UPLOAD_SUFFIX = '.sent.part';
    /** Seconds during which an interrupted upload keeps its part without a lock. */
    private const KEEP_SECONDS = 600;
    private const REGULAR = 0100000;
    private const KIND = 0170000;
    /** Files that keep a web server from listing the folder; the archives' names are random. */
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

    /** Returns null if files can be created in it, otherwise the reason. */
    public static function create(string $folder): ?string
    {
        // The author of a link chooses where it leads.
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

    /** Deletes parts that nobody writes: a writer holds a lock, or returns soon. */
    public static function deleteAbandonedParts(string $folder, string $except = ''): void
    {
        foreach (glob("$folder/.vigie-*.part") ?: [] as $part) {
            $file = $part === $except || self::isWaiting($part) ? false : @fopen($part, 'r+b');
            if ($file && flock($file, LOCK_EX | LOCK_NB)) {
                @unlink($part);
            }
            $file && fclose($file);
        }
    }

    private static function isWaiting(string $part): bool
    {
        $stat = substr($part, -strlen(self::UPLOAD_SUFFIX)) === self::UPLOAD_SUFFIX ? self::statFile($part) : null;
        return $stat !== null && $stat['mtime'] > time() - self::KEEP_SECONDS;
    }

    /** The stat of a regular file; null for anything else. */
    public static function statFile(string $path): ?array
    {
        clearstatcache(true, $path);
        $stat = @lstat($path);
        return $stat && ($stat['mode'] & self::KIND) === self::REGULAR ? $stat : null;
    }
}
