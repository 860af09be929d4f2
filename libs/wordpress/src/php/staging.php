<?php
/** The files of an archive beside their places, each on the disk that it is for: nothing of the site is touched yet. */
final class VigieStaging
{
    public const NAME = '.vigie-restore-';
    private const BLOCK = 4096;
    private const MOST_TOLD = 20;
    private const MOST_KNOWN = 4096;
    private const LONGEST_PATH = 4095;
    private const FOLDER = 0040000;
    private const KIND = 0170000;
    /** What a restore reads, and puts nowhere. */
    private const READ = ['package.json' => true, 'multisite.json' => true, 'database.sql' => true];
    private const NEVER = [
        // Archives of the site, and what belongs to an operation of Vigie.
        '~^ai1wm-backups/|(?:^|/)\.vigie-~i',
        // What its host chose for it: code that WordPress runs before anything else.
        '~^(?:advanced-cache|db|db-error|install|maintenance|object-cache|php-error|fatal-error-handler)\.php\z~i',
        '~^(?:sunrise|blog-deleted|blog-inactive|blog-suspended)\.php\z~i',
        // Of hosts: Bluehost, GoDaddy, WordPress.com, WP Engine; of Cerber, which may lock out everybody.
        '~^mu-plugins/(?:endurance-|gd-system-plugin|wp-stack-cache|wpcomsh|aaa-wp-cerber)~i',
        '~^mu-plugins/(?:mu-plugin\.php\z|wpengine-|wpe-)~i',
        // SQLite in the place of the site's own database.
        '~^(?:mu-)?plugins/sqlite-database-integration|^mu-plugins/0-sqlite\.php\z|\.sqlite\z~i',
        // What the plugin's importer leaves out too: it is made anew, or would end PHP where it lies.
        '~^themes/functions\.php\z|^uploads/(?:elementor/css|civicrm)(?:/|\z)|\.less\.cache\z~i',
    ];

    /** Each with the folder that it is for, and where its files are until then: below `new` as below that folder. */
    public $areas = [];
    /** What may not be restored, and some of it. */
    public $skipped = ['count' => 0, 'examples' => []];
    /** The files that are to be written, and their bytes. */
    public $planned = ['count' => 0, 'bytes' => 0];
    private $site;
    private $name;
    private $mounts;
    private $needs = [];
    /** Folders of the site, by how they are called: where they lie really, and the area that they are of. */
    private $known = [];
    /** Areas, by the folder that each is for. */
    private $isMade = [];
    private $made = [];

    public function __construct(VigieSite $site, string $operation)
    {
        $this->site = $site;
        $this->name = self::NAME . $operation;
        $this->mounts = self::mounts();
    }

    /** A disk may be there twice: what its number is tells too little. */
    public static function mounts(): array
    {
        preg_match_all('~^\d+ \d+ \d+:\d+ \S+ (\S+)~m', (string) VigieFiles::read('/proc/self/mountinfo', 4194304), $found);
        return array_flip(array_map('stripcslashes', $found[1]));
    }

    /** Whether a disk takes A for a: by what lies there, asked for as it is not called. */
    public static function foldsCase(string $folder): bool
    {
        $names = @scandir($folder) ?: [];
        foreach ($names as $name) {
            $other = strtolower($name) === $name ? strtoupper($name) : strtolower($name);
            if ($other !== $name && !in_array($other, $names, true)) {
                return @lstat("$folder/$other") !== false;
            }
        }
        // Nothing that lies there tells.
        $probe = '.vigie-case-' . bin2hex(random_bytes(8));
        $folds = @touch("$folder/$probe") && @lstat("$folder/" . strtoupper($probe)) !== false;
        @unlink("$folder/$probe");
        return $folds;
    }

    /** Bytes of what would be written, by the folder of each area. */
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

    /** Writes what `$wants` takes, and what may be restored. Whatever ends it, only areas are left. */
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

    /** Each with the folder of its area, and its path below that. */
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

    /** Whether a file lies there beside its place, where `placeOf` says that this is. */
    public function holds(string $root, string $path): bool
    {
        return is_file("$root/$this->name/new/$path");
    }

    /** Where a file of the archive goes: the folder of its area, and its path below that. */
    public function placeOf(string $path): array
    {
        $slash = strrpos($path, '/');
        $folder = $slash === false ? '' : substr($path, 0, $slash);
        $name = $slash === false ? $path : substr($path, $slash + 1);
        [$root, $inner] = $folder === 'themes' ? $this->rootOf($this->themesWith($name)) : $this->folderOf($folder);
        return [$root, $inner === '' ? $name : "$inner/$name"];
    }

    /** Where a folder of the archive lies: the folder of its area, its path below that, and whether it is there. */
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

    /** Of a folder that the site names, which may be a link, or not be there yet. */
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

    /** On another disk it is of an area of its own. A link is no folder: what it leads to is not touched. */
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

    /** With those above it. Which are made already is not remembered of all. */
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
            // By what PHP said of this, not of the next look.
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

    /** That of what is there now, else the one that the site gives to what is new. `$mode`: what it has. */
    private static function giveMode(string $place, string $now, int $kind, int $mode): void
    {
        $isFolder = $kind === self::FOLDER;
        $constant = $isFolder ? 'FS_CHMOD_DIR' : 'FS_CHMOD_FILE';
        $seen = @lstat($now);
        $wanted = defined($constant) ? (int) constant($constant) : $mode;
        if ($seen && ($seen['mode'] & self::KIND) === $kind) {
            $wanted = $seen['mode'];
        }
        // Whoever writes into it needs it; and nothing that is restored runs with the rights of somebody else.
        $wanted = $isFolder ? ($wanted & 03777) | 0700 : $wanted & 0777;
        $wanted === $mode || @chmod($place, $wanted);
    }
}
