<?php
/** Stages the files of an archive, each on the disk of its target; touches nothing of the site. */
final class VigieStaging
{
    public const NAME = '.vigie-restore-';
    private const BLOCK = 4096;
    private const MOST_TOLD = 20;
    private const MOST_KNOWN = 4096;
    private const LONGEST_PATH = 4095;
    private const FOLDER = 0040000;
    private const KIND = 0170000;
    /** Entries that are read and not restored as files. */
    private const READ = ['package.json' => true, 'multisite.json' => true, 'database.sql' => true];
    private const NEVER = [
        '~^ai1wm-backups/|(?:^|/)\.vigie-~i',
        // Drop-ins, which the host chose and WordPress runs first.
        '~^(?:advanced-cache|db|db-error|install|maintenance|object-cache|php-error|fatal-error-handler)\.php\z~i',
        '~^(?:sunrise|blog-deleted|blog-inactive|blog-suspended)\.php\z~i',
        // Files of hosting companies (Bluehost, GoDaddy, WordPress.com, WP Engine), and of Cerber, which may lock
        // everybody out.
        '~^mu-plugins/(?:endurance-|gd-system-plugin|wp-stack-cache|wpcomsh|aaa-wp-cerber)~i',
        '~^mu-plugins/(?:mu-plugin\.php\z|wpengine-|wpe-)~i',
        // SQLite drop-ins.
        '~^(?:mu-)?plugins/sqlite-database-integration|^mu-plugins/0-sqlite\.php\z|\.sqlite\z~i',
        // What the plugin's importer leaves out too: generated files, or files that would end PHP.
        '~^themes/functions\.php\z|^uploads/(?:elementor/css|civicrm)(?:/|\z)|\.less\.cache\z~i',
    ];

    /** Each target folder, with the folder in which its new files are staged below `new`. */
    public $areas = [];
    /** Files that may not be restored: their number and some examples. */
    public $skipped = ['count' => 0, 'examples' => []];
    /** Files to write: their number and bytes. */
    public $planned = ['count' => 0, 'bytes' => 0];
    private $site;
    private $name;
    private $mounts;
    private $needs = [];
    /** Cached folders by name: target folder, path in it, whether it exists. */
    private $known = [];
    /** Whether the area of a target folder is created, by folder. */
    private $isMade = [];
    private $made = [];

    public function __construct(VigieSite $site, string $operation)
    {
        $this->site = $site;
        $this->name = self::NAME . $operation;
        $this->mounts = self::mounts();
    }

    /** Mount points: a bind mount has the same device number as its source. */
    public static function mounts(): array
    {
        preg_match_all('~^\d+ \d+ \d+:\d+ \S+ (\S+)~m', (string) VigieFiles::read('/proc/self/mountinfo', 4194304), $found);
        return array_flip(array_map('stripcslashes', $found[1]));
    }

    /** Whether a disk ignores case: looks up an existing name in the other case. */
    public static function foldsCase(string $folder): bool
    {
        $names = @scandir($folder) ?: [];
        foreach ($names as $name) {
            $other = strtolower($name) === $name ? strtoupper($name) : strtolower($name);
            if ($other !== $name && !in_array($other, $names, true)) {
                return @lstat("$folder/$other") !== false;
            }
        }
        $probe = '.vigie-case-' . bin2hex(random_bytes(8));
        $folds = @touch("$folder/$probe") && @lstat("$folder/" . strtoupper($probe)) !== false;
        @unlink("$folder/$probe");
        return $folds;
    }

    /** Bytes to write, by target folder. */
    public function needed(VigieReadArchive $archive, callable $wants): array
    {
        $this->needs = [];
        $this->planned = ['count' => 0, 'bytes' => 0];
        foreach ($this->wanted($archive, $wants) as [$entry, $root]) {
            $blocks = (int) ceil($entry['size'] / self::BLOCK);
            $this->needs[$root] = ($this->needs[$root] ?? 0) + $blocks * self::BLOCK;
            $this->planned['count']++;
            $this->planned['bytes'] += $entry['size'];
        }
        return $this->needs;
    }

    /** Stages the files that `$wants` selects and that may be restored. A failure leaves only the areas. */
    public function take(VigieReadArchive $archive, callable $wants, callable $tick): void
    {
        $mask = umask(0022);
        try {
            foreach (array_column($this->areas, 'root') as $root) {
                $this->isMade[$root] || $this->makeArea($root);
            }
            foreach ($this->wanted($archive, $wants) as [$entry, $root, $path]) {
                $this->isMade[$root] || $this->makeArea($root);
                $this->write($archive, $entry, $root, $path);
                $tick($entry['at'] + $entry['size']);
            }
        } finally {
            umask($mask);
        }
    }

    /** Each entry with its target folder and its path in it. */
    private function wanted(VigieReadArchive $archive, callable $wants): Generator
    {
        $this->skipped = ['count' => 0, 'examples' => []];
        foreach ($archive->entries() as $entry) {
            if (isset(self::READ[$entry['path']]) || !$wants($entry['path'])) {
                continue;
            }
            [$root, $path] = $this->placeOf($entry['path']);
            $isKept = self::isNever($entry['path']) || $this->site->isConfiguration("$root/$path");
            if ($isKept || strlen("$root/$this->name/new/$path") > self::LONGEST_PATH) {
                $this->skip($entry['path']);
                continue;
            }
            $this->addArea($root);
            yield [$entry, $root, $path];
        }
    }

    public static function isNever(string $path): bool
    {
        foreach (self::NEVER as $pattern) {
            if (preg_match($pattern, $path) === 1) {
                return true;
            }
        }
        return false;
    }

    private function skip(string $path): void
    {
        if (count($this->skipped['examples']) < self::MOST_TOLD) {
            $this->skipped['examples'][] = substr($path, 0, 300);
        }
        $this->skipped['count']++;
    }

    /** Whether the file is staged; the arguments are as `placeOf` returns them. */
    public function holds(string $root, string $path): bool
    {
        return is_file("$root/$this->name/new/$path");
    }

    /** The target folder of an archive's file, and its path in it. */
    public function placeOf(string $path): array
    {
        $slash = strrpos($path, '/');
        $folder = $slash === false ? '' : substr($path, 0, $slash);
        $name = $slash === false ? $path : substr($path, $slash + 1);
        [$root, $inner] = $folder === 'themes' ? $this->rootOf($this->themesWith($name)) : $this->folderOf($folder);
        return [$root, $inner === '' ? $name : "$inner/$name"];
    }

    /** The same for a folder, and whether it exists. */
    private function folderOf(string $folder): array
    {
        if (isset($this->known[$folder])) {
            return $this->known[$folder];
        }
        $roots = ['' => $this->site->content, 'uploads' => $this->site->uploads, 'plugins' => $this->site->plugins];
        if (isset($roots[$folder])) {
            $found = $this->rootOf($roots[$folder]);
        } else {
            $slash = (int) strrpos($folder, '/');
            $above = substr($folder, 0, $slash);
            $name = ltrim(substr($folder, $slash), '/');
            $isTheme = $above === 'themes';
            $found = $this->child($isTheme ? $this->rootOf($this->themesWith($name)) : $this->folderOf($above), $name);
        }
        if (count($this->known) > self::MOST_KNOWN) {
            $this->known = [];
        }
        $this->known[$folder] = $found;
        return $found;
    }

    private function themesWith(string $name): string
    {
        foreach ($this->site->themes as $root) {
            if (@lstat("$root/$name") !== false) {
                return $root;
            }
        }
        return $this->site->themes[0] ?? $this->site->content . '/themes';
    }

    /** For a folder that the site names, which may be a link or missing. */
    private function rootOf(string $path): array
    {
        if (isset($this->known[$path])) {
            return $this->known[$path];
        }
        $real = is_dir($path) ? realpath($path) : false;
        $this->known[$path] = $real !== false || dirname($path) === $path
            ? [rtrim((string) $real, '/'), '', true]
            : $this->child($this->rootOf(dirname($path)), basename($path));
        return $this->known[$path];
    }

    /** A folder on another disk gets its own area. A link counts as missing: its target is not touched. */
    private function child(array $above, string $name): array
    {
        [$root, $inner, $isThere] = $above;
        $folder = $inner === '' ? $root : "$root/$inner";
        $path = "$folder/$name";
        $seen = $isThere ? @lstat($path) : false;
        if (!$seen || ($seen['mode'] & self::KIND) !== self::FOLDER) {
            return [$root, $inner === '' ? $name : "$inner/$name", false];
        }
        $isApart = isset($this->mounts[$path]) || $seen['dev'] !== (@lstat($folder)['dev'] ?? null);
        return $isApart ? [$path, '', true] : [$root, $inner === '' ? $name : "$inner/$name", true];
    }

    private function addArea(string $root): void
    {
        if (!isset($this->isMade[$root])) {
            $this->isMade[$root] = false;
            $this->areas[] = ['root' => $root, 'stage' => "$root/$this->name"];
        }
    }

    private function makeArea(string $root): void
    {
        $stage = "$root/$this->name";
        if (!@mkdir($stage, 0700)) {
            throw VigieFiles::notWritten($root);
        }
        if (!@mkdir("$stage/new", 0755)) {
            throw VigieFiles::notWritten($stage);
        }
        $this->isMade[$root] = true;
    }

    private function write(VigieReadArchive $archive, array $entry, string $root, string $path): void
    {
        $slash = strrpos($path, '/');
        $folder = "$root/$this->name/new";
        if ($slash !== false) {
            $inner = substr($path, 0, $slash);
            $this->makeFolder($root, $inner);
            $folder .= "/$inner";
        }
        $place = "$root/$this->name/new/$path";
        $file = @fopen($place, 'xb');
        if (!$file) {
            throw VigieFiles::notWritten($folder);
        }
        $archive->copy($entry, static function (string $bytes) use ($file, $folder): void {
            VigieFiles::write($file, $bytes, $folder);
        });
        if (!@fclose($file)) {
            throw VigieFiles::notWritten($folder);
        }
        self::giveMode($place, "$root/$path", 0100000, 0644);
        @touch($place, $entry['mtime']);
    }

    /** Creates a folder with its parents. Only the last few thousand are remembered. */
    private function makeFolder(string $root, string $inner): void
    {
        $place = "$root/$this->name/new/$inner";
        if (isset($this->made[$place])) {
            return;
        }
        $slash = strrpos($inner, '/');
        if ($slash !== false) {
            $this->makeFolder($root, substr($inner, 0, $slash));
        }
        if (@mkdir($place, 0755)) {
            self::giveMode($place, "$root/$inner", self::FOLDER, 0755);
        } else {
            // Taken before lstat() replaces PHP's last error.
            $failure = VigieFiles::notWritten(dirname($place));
            if (((@lstat($place)['mode'] ?? 0) & self::KIND) !== self::FOLDER) {
                throw $failure;
            }
        }
        if (count($this->made) > self::MOST_KNOWN) {
            $this->made = [];
        }
        $this->made[$place] = true;
    }

    /** The mode of the existing file, otherwise the site's default. `$mode`: the mode it has now. */
    private static function giveMode(string $place, string $now, int $kind, int $mode): void
    {
        $isFolder = $kind === self::FOLDER;
        $constant = $isFolder ? 'FS_CHMOD_DIR' : 'FS_CHMOD_FILE';
        $seen = @lstat($now);
        $wanted = defined($constant) ? (int) constant($constant) : $mode;
        if ($seen && ($seen['mode'] & self::KIND) === $kind) {
            $wanted = $seen['mode'];
        }
        // The owner must be able to write to folders; setuid bits are never restored.
        $wanted = $isFolder ? ($wanted & 03777) | 0700 : $wanted & 0777;
        $wanted === $mode || @chmod($place, $wanted);
    }
}
