<?php
/** Finds the error logs of a site and the fatal errors in them. Runs none of its code. */
final class VigieLogs
{
    private const MAX_PLACES = 8;
    private const MAX_BYTES = 262144;
    private const MAX_FATALS = 50;
    private const FATAL = '/PHP (?:Fatal|Parse|Recoverable fatal|Catchable fatal|Compile|Core) error: +(.*)$/';
    /** Lines per entry: an exception's message may have several. */
    private const MAX_LINES = 60;

    /** Includes logs that do not exist yet: an error would create them. */
    public static function places(?string $root = null, ?string $content = null): array
    {
        $root = rtrim($root ?? (string) getcwd(), '/');
        $found = [];
        foreach (self::candidates($root, $content) as $path => $isShared) {
            if (count($found) < self::MAX_PLACES) {
                $found[] = ['path' => (string) $path] + self::sizeAndInode((string) $path) + ['shared' => $isShared];
            }
        }
        return $found;
    }

    /** Fatal errors since the logs were noted; a log without a size is read from its beginning. */
    public static function fatalsSince(array $places, ?string $root = null): array
    {
        $root = rtrim($root ?? (string) getcwd(), '/');
        $found = [];
        foreach (array_slice($places, 0, self::MAX_PLACES) as $log) {
            foreach (self::fatalsIn(self::newText($log)) as $fatal) {
                // In a shared log, only file paths tell which site an error is of.
                if (empty($log['shared']) || strpos((string) $fatal['file'], "$root/") === 0) {
                    $key = $fatal['message'] . "\0" . $fatal['file'] . "\0" . $fatal['line'];
                    unset($found[$key]);
                    $found[$key] = $fatal;
                }
            }
        }
        // Keeps the order within a second: the sort of PHP 7 is not stable.
        $order = array_flip(array_keys($found));
        uksort($found, static function ($one, $other) use ($found, $order) {
            return [(int) $found[$one]['at'], $order[$one]] <=> [(int) $found[$other]['at'], $order[$other]];
        });
        return array_slice(array_values($found), -self::MAX_FATALS);
    }

    /** Paths of logs, and whether other sites may write to them. */
    private static function candidates(string $root, ?string $content): array
    {
        $above = dirname($root);
        $isAbove = @lstat("$root/wp-config.php") === false && !VigieFiles::isFile("$above/wp-settings.php");
        $base = $isAbove ? $above : $root;
        $code = (string) VigieFiles::read("$base/wp-config.php", 256000);
        $content = rtrim($content ?? self::setting($code, 'WP_CONTENT_DIR', $base, $root) ?? "$root/wp-content", '/');
        $found = [
            (string) self::setting($code, 'WP_DEBUG_LOG', $base, $root) => false,
            "$content/debug.log" => false,
            "$root/error_log" => false,
            "$root/wp-admin/error_log" => false,
        ];
        foreach (['.user.ini', 'php.ini', '.htaccess'] as $file) {
            $log = self::errorLogIn((string) VigieFiles::read("$root/$file", 100000), $root);
            $found += [(string) $log => true];
        }
        $found += [(string) self::absolute((string) ini_get('error_log')) => true];
        unset($found['']);
        return $found;
    }

    /** A literal setting of wp-config.php, or the constant where WordPress runs. */
    private static function setting(string $code, string $name, string $base, string $root): ?string
    {
        if (defined($name) && is_string(constant($name))) {
            return self::absolute(constant($name));
        }
        $pattern = '/^[ \t]*(?:define\s*\(\s*[\'"]' . $name . '[\'"]\s*,|const\s+' . $name
            . '\s*=)\s*(__DIR__\s*\.|dirname\s*\(\s*__FILE__\s*\)\s*\.|ABSPATH\s*\.)?\s*([\'"])([^\'"\n]{1,1000})\2\s*[);]/mi';
        if (preg_match($pattern, $code, $match) !== 1) {
            return null;
        }
        $before = $match[1] === '' ? '' : (stripos($match[1], 'ABSPATH') === 0 ? "$root/" : $base);
        return self::absolute($before . $match[3]);
    }

    private static function errorLogIn(string $text, string $root): ?string
    {
        $pattern = '/^[ \t]*(?:php_(?:admin_)?value[ \t]+)?error_log[ \t]*[= \t][ \t]*"?([^"\r\n;]{1,1000})/mi';
        if (preg_match($pattern, $text, $match) !== 1) {
            return null;
        }
        $path = trim($match[1]);
        return $path === '' || $path[0] === '/' ? self::absolute($path) : "$root/$path";
    }

    private static function absolute(string $path): ?string
    {
        return $path !== '' && $path[0] === '/' && strpos($path, "\0") === false ? $path : null;
    }

    private static function sizeAndInode(string $path): array
    {
        clearstatcache(true, $path);
        $stat = VigieFiles::isFile($path) ? @stat($path) : false;
        return ['size' => $stat ? $stat['size'] : 0, 'inode' => $stat ? $stat['ino'] : 0];
    }

    /** The new part of a log. A rotated or emptied log is read from its beginning, at most its last part. */
    private static function newText(array $log): string
    {
        $path = (string) ($log['path'] ?? '');
        if (self::absolute($path) === null) {
            return '';
        }
        $now = self::sizeAndInode($path);
        $knownSize = (int) ($log['size'] ?? 0);
        $isSame = $now['inode'] === (int) ($log['inode'] ?? 0) && $now['size'] >= $knownSize;
        $from = max($isSame ? $knownSize : 0, $now['size'] - self::MAX_BYTES);
        return VigieFiles::readFrom($path, $from, self::MAX_BYTES) ?? '';
    }

    private static function fatalsIn(string $text): array
    {
        $found = [];
        $lines = explode("\n", $text);
        foreach ($lines as $at => $line) {
            if (preg_match(self::FATAL, substr($line, 0, 8000), $match) === 1) {
                $found[] = self::parseFatal($match[1], $lines, $at) + ['at' => self::timestamp($line)];
            }
        }
        return array_slice($found, -4 * self::MAX_FATALS);
    }

    private static function parseFatal(string $firstLine, array $lines, int $at): array
    {
        $message = $firstLine;
        $last = min(count($lines), $at + self::MAX_LINES);
        for ($next = $at; $next < $last; $next++) {
            $line = $next === $at ? $firstLine : rtrim(substr($lines[$next], 0, 8000));
            $isNextEntry = $next > $at && (strpos($line, ' PHP ') !== false || preg_match('/^\[[^\]]{8,60}\] /', $line) === 1);
            if ($isNextEntry || $line === 'Stack trace:') {
                break;
            }
            $location = '~^(.*) in (/.{1,2000}?)(?: on line |:)(\d{1,7})(?=[",\s]|$)~';
            if (preg_match($location, rtrim($line), $match) === 1) {
                $message = $next === $at ? $match[1] : $message;
                return ['message' => VigieAnswer::text(trim($message)), 'file' => $match[2], 'line' => (int) $match[3]];
            }
        }
        return ['message' => VigieAnswer::text(trim($message)), 'file' => null, 'line' => null];
    }

    /** The time formats of PHP, nginx and Apache. */
    private static function timestamp(string $line): ?int
    {
        $formats = '/^(?:\[(\d\d-\w{3}-\d{4} [\d:]{8}(?: [\w\/+:-]{1,40})?)\]|(\d{4}\/\d\d\/\d\d [\d:]{8}) '
            . '|\[\w{3} (\w{3} \d\d [\d:]{8})(?:\.\d+)? (\d{4})\])/';
        if (preg_match($formats, $line, $match) !== 1) {
            return null;
        }
        $time = strtotime($match[1] ?: ($match[2] ?: "$match[3] $match[4]"));
        return $time === false || $time < 0 || $time > 4102444800 ? null : $time;
    }
}
