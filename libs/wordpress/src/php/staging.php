<?php
/** Stages the files of an archive, each on the disk of its target; touches nothing of the site. */
final class VigieStaging
{
    public const NAME = '.vigie-restore-';
    private const BLOCK = 4096;
    private const MAX_EXAMPLES = 20;
    private const MAX_CACHED = 4096;
    private const MAX_PATH = 4095;
    private const FOLDER = 0040000;
    private const KIND = 0170000;
    /** Entries that are read and not restored as files. */
    private const READ_ONLY_HERE = ['package.json' => true, 'multisite.json' => true, 'database.sql' => true];
    private const NEVER_RESTORED = [
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
    private $neededBytes = [];
    /** Cached folders by name: target folder, path in it, whether it exists. */
    private $knownFolders = [];
    /** Whether the area of a target folder is created, by folder. */
    private $madeAreas = [];
    private $madeFolders = [];

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
        $this->neededBytes = [];
        $this->planned = ['count' => 0, 'bytes' => 0];
        foreach ($this->selectedEntries($archive, $wants) as [$entry, $root]) {
            $blocks = (int) ceil($entry['size'] / self::BLOCK);
            $this->neededBytes[$root] = ($this->neededBytes[$root] ?? 0) + $blocks * self::BLOCK;
            $this->planned['count']++;
            $this->planned['bytes'] += $entry['size'];
        }
        return $this->neededBytes;
    }

    /**
     * Stages the files that `$wants` selects and that may be restored, one for each step, and yields the bytes read. A
     * failure leaves only the areas.
     */
    public function take(VigieReadArchive $archive, callable $wants): Generator
    {
        $mask = umask(0022);
        try {
            foreach (array_column($this->areas, 'root') as $root) {
                $this->madeAreas[$root] || $this->makeArea($root);
            }
            foreach ($this->selectedEntries($archive, $wants) as [$entry, $root, $path]) {
                $this->madeAreas[$root] || $this->makeArea($root);
                $this->write($archive, $entry, $root, $path);
                yield $entry['at'] + $entry['size'];
            }
        } finally {
            umask($mask);
        }
    }

    /** Each entry with its target folder and its path in it. */
    private function selectedEntries(VigieReadArchive $archive, callable $wants): Generator
    {
        $this->skipped = ['count' => 0, 'examples' => []];
        foreach ($archive->entries() as $entry) {
            if (isset(self::READ_ONLY_HERE[$entry['path']]) || !$wants($entry['path'])) {
                continue;
            }
            [$root, $path] = $this->targetOf($entry['path']);
            $isKept = self::isNeverRestored($entry['path']) || $this->site->isConfigurationFile("$root/$path");
            if ($isKept || strlen("$root/$this->name/new/$path") > self::MAX_PATH) {
                $this->skip($entry['path']);
                continue;
            }
            $this->addArea($root);
            yield [$entry, $root, $path];
        }
    }

    public static function isNeverRestored(string $path): bool
    {
        foreach (self::NEVER_RESTORED as $pattern) {
            if (preg_match($pattern, $path) === 1) {
                return true;
            }
        }
        return false;
    }

    private function skip(string $path): void
    {
        if (count($this->skipped['examples']) < self::MAX_EXAMPLES) {
            $this->skipped['examples'][] = substr($path, 0, 300);
        }
        $this->skipped['count']++;
    }

    /** Whether the file is staged; the arguments are as `targetOf` returns them. */
    public function isStaged(string $root, string $path): bool
    {
        return is_file("$root/$this->name/new/$path");
    }

    /** The target folder of an archive's file, and its path in it. */
    public function targetOf(string $path): array
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
        if (isset($this->knownFolders[$folder])) {
            return $this->knownFolders[$folder];
        }
        $roots = ['' => $this->site->content, 'uploads' => $this->site->uploads, 'plugins' => $this->site->plugins];
        if (isset($roots[$folder])) {
            $target = $this->rootOf($roots[$folder]);
        } else {
            $slash = (int) strrpos($folder, '/');
            $parent = substr($folder, 0, $slash);
            $name = ltrim(substr($folder, $slash), '/');
            $isTheme = $parent === 'themes';
            $target = $this->childOf($isTheme ? $this->rootOf($this->themesWith($name)) : $this->folderOf($parent), $name);
        }
        if (count($this->knownFolders) > self::MAX_CACHED) {
            $this->knownFolders = [];
        }
        $this->knownFolders[$folder] = $target;
        return $target;
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
        if (isset($this->knownFolders[$path])) {
            return $this->knownFolders[$path];
        }
        $real = is_dir($path) ? realpath($path) : false;
        $this->knownFolders[$path] = $real !== false || dirname($path) === $path
            ? [rtrim((string) $real, '/'), '', true]
            : $this->childOf($this->rootOf(dirname($path)), basename($path));
        return $this->knownFolders[$path];
    }

    /** A folder on another disk gets its own area. A link counts as missing: its target is not touched. */
    private function childOf(array $parent, string $name): array
    {
        [$root, $inner, $isThere] = $parent;
        $folder = $inner === '' ? $root : "$root/$inner";
        $path = "$folder/$name";
        $stat = $isThere ? @lstat($path) : false;
        if (!$stat || ($stat['mode'] & self::KIND) !== self::FOLDER) {
            return [$root, $inner === '' ? $name : "$inner/$name", false];
        }
        $isOtherDisk = isset($this->mounts[$path]) || $stat['dev'] !== (@lstat($folder)['dev'] ?? null);
        return $isOtherDisk ? [$path, '', true] : [$root, $inner === '' ? $name : "$inner/$name", true];
    }

    private function addArea(string $root): void
    {
        if (!isset($this->madeAreas[$root])) {
            $this->madeAreas[$root] = false;
            $this->areas[] = ['root' => $root, 'stage' => "$root/$this->name"];
        }
    }

    private function makeArea(string $root): void
    {
        $stage = "$root/$this->name";
        if (!@mkdir($stage, 0700)) {
            throw VigieFiles::writeFailure($root);
        }
        if (!@mkdir("$stage/new", 0755)) {
            throw VigieFiles::writeFailure($stage);
        }
        $this->madeAreas[$root] = true;
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
        $stagedFile = "$root/$this->name/new/$path";
        $file = @fopen($stagedFile, 'xb');
        if (!$file) {
            throw VigieFiles::writeFailure($folder);
        }
        $archive->copy($entry, static function (string $bytes) use ($file, $folder): void {
            VigieFiles::write($file, $bytes, $folder);
        });
        if (!@fclose($file)) {
            throw VigieFiles::writeFailure($folder);
        }
        self::setMode($stagedFile, "$root/$path", 0100000, 0644);
        @touch($stagedFile, $entry['mtime']);
    }

    /** Creates a folder with its parents. Only the last few thousand are remembered. */
    private function makeFolder(string $root, string $inner): void
    {
        $stagedFolder = "$root/$this->name/new/$inner";
        if (isset($this->madeFolders[$stagedFolder])) {
            return;
        }
        $slash = strrpos($inner, '/');
        if ($slash !== false) {
            $this->makeFolder($root, substr($inner, 0, $slash));
        }
        if (@mkdir($stagedFolder, 0755)) {
            self::setMode($stagedFolder, "$root/$inner", self::FOLDER, 0755);
        } else {
            // Taken before lstat() replaces PHP's last error.
            $failure = VigieFiles::writeFailure(dirname($stagedFolder));
            if (((@lstat($stagedFolder)['mode'] ?? 0) & self::KIND) !== self::FOLDER) {
                throw $failure;
            }
        }
        if (count($this->madeFolders) > self::MAX_CACHED) {
            $this->madeFolders = [];
        }
        $this->madeFolders[$stagedFolder] = true;
    }

    /** The mode of the existing file, otherwise the site's default. `$mode`: the mode it has now. */
    private static function setMode(string $staged, string $current, int $kind, int $mode): void
    {
        $isFolder = $kind === self::FOLDER;
        $constant = $isFolder ? 'FS_CHMOD_DIR' : 'FS_CHMOD_FILE';
        $stat = @lstat($current);
        $wanted = defined($constant) ? (int) constant($constant) : $mode;
        if ($stat && ($stat['mode'] & self::KIND) === $kind) {
            $wanted = $stat['mode'];
        }
        // The owner must be able to write to folders; setuid bits are never restored.
        $wanted = $isFolder ? ($wanted & 03777) | 0700 : $wanted & 0777;
        $wanted === $mode || @chmod($staged, $wanted);
    }
}
