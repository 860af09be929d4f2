<?php
/** The files of a site under their names in an archive, wherever they really are. */
final class VigieTree
{
    private const MAX_DEPTH = 60;
    private const MAX_FOLDER = 3900;
    private const MAX_EXAMPLES = 20;
    private const NEVER_PACKED = '~^(?:ai1wm-backups|w3tc-config/master\.php|plugins/sqlite-database-integration'
        . '|plugins/all-in-one-wp-migration(?:-[^/]*)?)(?:/|$)~';

    /** Files left out that somebody may miss: their number and some examples. */
    public $missed = 0;
    public $examples = [];
    private $site;
    private $without;
    private $excluded = [];
    /** Uploads, plugins and themes, by device and inode: they are walked on their own. */
    private $separateFolders = [];
    private $seenThemes = [];

    public function __construct(VigieSite $site, array $without)
    {
        $this->site = $site;
        $this->without = $without;
        $names = ['package.json', 'multisite.json', 'database.sql', 'plugins', 'themes', 'uploads'];
        if (!empty($without['cache'])) {
            $names[] = 'cache';
        }
        if (!empty($without['mu_plugins'])) {
            $names[] = 'mu-plugins';
        }
        if (!empty($without['media'])) {
            $names[] = 'blogs.dir';
        }
        $this->excluded = array_flip(array_merge($names, $without['files'] ?? []));
        foreach (array_merge([$site->uploads, $site->plugins], $site->themes) as $folder) {
            $this->separateFolders[self::idOf(@stat($folder))] = true;
        }
        unset($this->separateFolders['']);
    }

    /** Yields path, folder, name and size of each file. */
    public function files(): Generator
    {
        $site = $this->site;
        [$this->missed, $this->examples, $this->seenThemes] = [0, [], []];
        yield from $this->walk($site->content, '.', $this->parentsOf($site->content));
        $groups = [];
        if (empty($this->without['media'])) {
            $groups[] = [$site->uploads, 'uploads'];
        }
        if (empty($this->without['plugins'])) {
            $groups[] = [$site->plugins, 'plugins'];
        }
        foreach (empty($this->without['themes']) ? $site->themes : [] as $root) {
            $groups[] = [$root, 'themes'];
        }
        foreach ($groups as [$root, $folder]) {
            if (is_dir($root)) {
                yield from $this->walk($root, $folder, $this->parentsOf($root));
            }
        }
    }

    /** The parents of a folder: a link to one of them would be a loop. */
    private function parentsOf(string $folder): array
    {
        $parents = [];
        for ($path = (string) realpath($folder); $path !== ''; $path = dirname($path)) {
            $parents[self::idOf(@stat($path))] = true;
            if ($path === '/') {
                break;
            }
        }
        return $parents;
    }

    private static function idOf($stat): string
    {
        return is_array($stat) ? $stat['dev'] . ':' . $stat['ino'] : '';
    }

    private function walk(string $root, string $folder, array $parents): Generator
    {
        $handle = @opendir($root);
        if (!$handle) {
            $this->noteMissed($folder);
            return;
        }
        while (($name = readdir($handle)) !== false) {
            if ($name === '.' || $name === '..' || $this->isLeftOut($folder, $name)) {
                continue;
            }
            $stat = @stat("$root/$name");
            $kind = $stat ? $stat['mode'] & 0170000 : 0;
            $path = $folder === '.' ? $name : "$folder/$name";
            if (($kind !== 0040000 && $kind !== 0100000) || !self::isNameable($folder, $name)) {
                $this->noteMissed($path);
            } elseif ($kind === 0100000) {
                yield ['path' => "$root/$name", 'folder' => $folder, 'name' => $name, 'size' => $stat['size']];
            } elseif (!isset($this->separateFolders[self::idOf($stat)])) {
                yield from $this->walkFolder("$root/$name", $path, $stat, $parents);
            }
        }
        closedir($handle);
    }

    private function walkFolder(string $root, string $path, array $stat, array $parents): Generator
    {
        $id = self::idOf($stat);
        if (isset($parents[$id]) || count($parents) > self::MAX_DEPTH) {
            $this->noteMissed($path);
            return;
        }
        yield from $this->walk($root, $path, $parents + [$id => true]);
    }

    public static function isNeverPacked(string $path): bool
    {
        return preg_match(self::NEVER_PACKED, $path) === 1;
    }

    private function isLeftOut(string $folder, string $name): bool
    {
        $path = $folder === '.' ? $name : "$folder/$name";
        if (isset($this->excluded[$path]) || self::isNeverPacked($path)) {
            return true;
        }
        if ($folder === 'plugins') {
            return !empty($this->without['inactive_plugins']) && !$this->isActive($name);
        }
        if ($folder === 'themes') {
            $isDuplicate = isset($this->seenThemes[$name]);
            $this->seenThemes[$name] = true;
            $activeThemes = [$this->site->options['template'] ?? '', $this->site->options['stylesheet'] ?? ''];
            return $isDuplicate || (!empty($this->without['inactive_themes']) && !in_array($name, $activeThemes, true));
        }
        return false;
    }

    private function isActive(string $name): bool
    {
        foreach ($this->site->activePlugins() as $file) {
            if (strtok($file, '/') === $name) {
                return true;
            }
        }
        return $name === 'index.php';
    }

    /** One bad name would make readers refuse the whole archive. */
    private static function isNameable(string $folder, string $name): bool
    {
        return preg_match('/[\x00-\x1f\x7f\\\\]/', $name) === 0 && strlen($name) <= 255
            && strlen($folder) <= self::MAX_FOLDER && !($folder === '.' && preg_match('/^[a-z]:/i', $name) === 1);
    }

    public function noteMissed(string $path): void
    {
        if (count($this->examples) < self::MAX_EXAMPLES) {
            $this->examples[] = substr($path, 0, 300);
        }
        $this->missed++;
    }
}
