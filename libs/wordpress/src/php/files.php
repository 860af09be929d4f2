<?php
/** Reads files of untrusted owners: regular files only, up to a limit. Writes completely or not at all. */
final class VigieFiles
{
    private const REGULAR = 0100000;
    private const KIND = 0170000;
    private const SECONDS = 5;
    private const LEFTOVER = '/^\.vigie-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\z/';
    private const LEFTOVER_SECONDS = 600;

    private static $deadline = INF;
    /** By user id. */
    private static $userNames = [];

    /** Starts the time limit of one site: millions of files must not delay the others. */
    public static function startTimeLimit(): void
    {
        self::$deadline = microtime(true) + self::SECONDS;
    }

    public static function isLate(): bool
    {
        return microtime(true) > self::$deadline;
    }

    /** Mode n: a pipe may replace the file between stat and open. */
    public static function read(string $path, int $max, bool $isWhole = true): ?string
    {
        clearstatcache(true, $path);
        $stat = @stat($path);
        if (!self::isRegular($stat) || ($isWhole && $stat['size'] > $max)) {
            return null;
        }
        $file = @fopen($path, 'rbn');
        if (!$file) {
            return null;
        }
        $text = self::isRegular(fstat($file)) ? stream_get_contents($file, $max) : false;
        fclose($file);
        return $text === false ? null : $text;
    }

    public static function readFrom(string $path, int $from, int $max): ?string
    {
        $file = self::isFile($path) ? @fopen($path, 'rbn') : false;
        if (!$file) {
            return null;
        }
        $text = self::isRegular(fstat($file)) ? stream_get_contents($file, $max, max(0, $from)) : false;
        fclose($file);
        return $text === false ? null : $text;
    }

    /** Writes all bytes or throws. `$folder`: for the message. */
    public static function write($file, string $bytes, string $folder): void
    {
        $length = strlen($bytes);
        for ($done = 0; $done < $length; $done += $count) {
            $count = @fwrite($file, $done === 0 ? $bytes : substr($bytes, $done));
            if (!$count) {
                throw self::writeFailure($folder);
            }
        }
    }

    /** Writes a file atomically, synced to disk. */
    public static function writeAtomically(string $path, string $text): bool
    {
        $file = @fopen("$path.part", 'wb');
        $isWritten = $file && @fwrite($file, $text) === strlen($text) && fflush($file)
            && (!function_exists('fsync') || fsync($file)) && fclose($file);
        return $isWritten && @rename("$path.part", $path);
    }

    /** The reason, from PHP's last error. */
    public static function writeFailure(string $folder): VigieStop
    {
        // ENOSPC, EDQUOT and EFBIG.
        $full = '/errno=(28|122|27)\b|: (No space left on device|Disk quota exceeded)/';
        $isFull = preg_match($full, (string) (error_get_last()['message'] ?? '')) === 1;
        return $isFull
            ? new VigieStop('no_room', 'write')
            : new VigieStop('not_writable', 'folder', ['path' => $folder]);
    }

    private static function isRegular($stat): bool
    {
        return is_array($stat) && ($stat['mode'] & self::KIND) === self::REGULAR;
    }

    public static function isFile(string $path): bool
    {
        return self::isRegular(@stat($path));
    }

    public static function listNames(string $folder, int $max = 3000): array
    {
        $names = [];
        $handle = @opendir($folder);
        while ($handle && !self::isLate() && count($names) < $max && ($name = readdir($handle)) !== false) {
            if ($name[0] !== '.') {
                $names[] = $name;
            }
        }
        if ($handle) {
            closedir($handle);
        }
        sort($names, SORT_STRING);
        return $names;
    }

    /** Plugin or theme headers in the first 8 kB, as WordPress reads them. */
    public static function headers(string $path, array $titles): ?array
    {
        $text = self::isLate() ? null : self::read($path, 8192, false);
        if ($text === null) {
            return null;
        }
        $text = str_replace("\r", "\n", $text);
        $found = [];
        foreach ($titles as $key => $title) {
            // Most files have no header: to find this out is all they cost.
            if (stripos($text, "$title:") === false) {
                $found[$key] = '';
                continue;
            }
            $pattern = '/^(?:[ \t]*<\?php)?[ \t\/*#@]*' . preg_quote($title, '/') . ':(.*)$/mi';
            $isFound = preg_match($pattern, $text, $match) === 1;
            $value = $isFound ? trim((string) preg_replace('/\s*(?:\*\/|\?>).*/', '', $match[1])) : '';
            $found[$key] = substr($value, 0, 1200);
        }
        return $found;
    }

    /** Folders that killed rollbacks left in `$base`, by operation. */
    public static function leftoverFolders(string $base): array
    {
        $folders = [];
        foreach (@scandir($base) ?: [] as $name) {
            $folder = "$base/$name";
            // Another site may share the folder and be using it.
            $isOver = @filemtime($folder) <= time() - self::LEFTOVER_SECONDS;
            if ($isOver && preg_match(self::LEFTOVER, $name, $match) === 1 && !is_link($folder)) {
                $folders[$match[1]] = $folder;
            }
        }
        return $folders;
    }

    public static function mtime(string $path): int
    {
        return (int) @filemtime($path);
    }

    public static function ownerOf(string $path): ?string
    {
        $id = @fileowner($path);
        if ($id === false) {
            return null;
        }
        return self::$userNames[$id] = self::$userNames[$id] ?? self::userName($id);
    }

    private static function userName(int $id): string
    {
        if (function_exists('posix_getpwuid')) {
            $user = posix_getpwuid($id);
            return $user ? $user['name'] : (string) $id;
        }
        $users = (string) self::read('/etc/passwd', 1000000);
        return preg_match('/^([^:\n]+):[^:\n]*:' . $id . ':/m', $users, $match) === 1 ? $match[1] : (string) $id;
    }

    /** Checks the effective user: PHP's is_writable() checks the real one. */
    public static function isWritable(string $path): ?bool
    {
        if (!function_exists('posix_geteuid') || posix_geteuid() === posix_getuid()) {
            return @file_exists($path) ? is_writable($path) : null;
        }
        $stat = @stat($path);
        if (!$stat) {
            return null;
        }
        $bit = $stat['uid'] === posix_geteuid() ? 0200 : ($stat['gid'] === posix_getegid() ? 0020 : 0002);
        return ($stat['mode'] & $bit) !== 0;
    }

    /** Composer manages the code: the next deployment would undo an update. */
    public static function isComposer(string $path): bool
    {
        foreach ([$path, dirname($path), dirname($path, 2)] as $folder) {
            $text = (string) self::read("$folder/composer.json", 500000);
            if (preg_match('~"(?:roots/|johnpbloch/|wpackagist|composer/installers)~', str_replace('\/', '/', $text)) === 1) {
                return true;
            }
        }
        return false;
    }
}
