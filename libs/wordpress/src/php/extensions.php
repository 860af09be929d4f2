<?php
/** Finds plugins and themes by their files, in the folders that WordPress reads. */
final class VigieExtensions
{
    private const PLUGIN = ['name' => 'Plugin Name', 'version' => 'Version'];
    private const THEME = ['name' => 'Theme Name', 'version' => 'Version', 'parent' => 'Template'];
    private const DROP_INS = [
        'advanced-cache.php', 'db.php', 'db-error.php', 'install.php', 'maintenance.php', 'object-cache.php',
        'php-error.php', 'fatal-error-handler.php', 'sunrise.php', 'blog-deleted.php', 'blog-inactive.php',
        'blog-suspended.php',
    ];
    private const MAX_ITEMS = 2000;

    /** Newest modification time of their files. */
    public $newest = 0;
    public $items = [];

    public function addPlugins(string $folder, array $active): void
    {
        foreach (VigieFiles::listNames($folder) as $name) {
            $this->noteTime("$folder/$name");
            if (substr($name, -4) === '.php') {
                $this->addPlugin($folder, $name, $active);
            } elseif (@is_dir("$folder/$name")) {
                foreach (VigieFiles::listNames("$folder/$name", 500) as $file) {
                    if (substr($file, -4) === '.php') {
                        $this->addPlugin($folder, "$name/$file", $active);
                    }
                }
            }
        }
    }

    private function addPlugin(string $folder, string $file, array $active): void
    {
        $headers = VigieFiles::headers("$folder/$file", self::PLUGIN);
        if ($headers === null || $headers['name'] === '') {
            return;
        }
        $this->noteTime("$folder/$file");
        $this->add(['type' => 'plugin', 'kind' => 'regular', 'file' => $file] + $headers + [
            'active' => in_array($file, $active, true),
        ]);
    }

    public function addMustUse(string $folder): void
    {
        foreach (VigieFiles::listNames($folder) as $name) {
            if (substr($name, -4) === '.php' && VigieFiles::isFile("$folder/$name")) {
                $this->noteTime("$folder/$name");
                $this->addFile('must_use', $folder, $name);
            }
        }
    }

    public function addDropIns(string $folder): void
    {
        foreach (self::DROP_INS as $name) {
            if (VigieFiles::isFile("$folder/$name")) {
                $this->noteTime("$folder/$name");
                $this->addFile('drop_in', $folder, $name);
            }
        }
    }

    private function addFile(string $kind, string $folder, string $name): void
    {
        $headers = VigieFiles::headers("$folder/$name", self::PLUGIN) ?? ['name' => '', 'version' => ''];
        $headers['name'] = $headers['name'] === '' ? $name : $headers['name'];
        $this->add(['type' => 'plugin', 'kind' => $kind, 'file' => $name, 'active' => true] + $headers);
    }

    public function addThemes(string $folder, string $active): void
    {
        foreach (VigieFiles::listNames($folder) as $name) {
            $this->noteTime("$folder/$name");
            if (VigieFiles::isFile("$folder/$name/style.css")) {
                $this->addTheme($folder, $name, $active);
            } elseif (@is_dir("$folder/$name")) {
                foreach (VigieFiles::listNames("$folder/$name", 200) as $inner) {
                    $this->addTheme($folder, "$name/$inner", $active);
                }
            }
        }
    }

    private function addTheme(string $folder, string $name, string $active): void
    {
        $headers = VigieFiles::headers("$folder/$name/style.css", self::THEME);
        if ($headers === null) {
            return;
        }
        $this->noteTime("$folder/$name/style.css");
        $headers['name'] = $headers['name'] === '' ? $name : $headers['name'];
        $this->add(['type' => 'theme', 'kind' => 'regular', 'file' => $name, 'active' => $name === $active] + $headers);
    }

    private function add(array $item): void
    {
        if (count($this->items) < self::MAX_ITEMS) {
            $this->items[] = $item;
        }
    }

    private function noteTime(string $path): void
    {
        $this->newest = max($this->newest, VigieFiles::mtime($path));
    }

    /** Adds the versions that the last update check stored. */
    public function addOffers(string $type, $transient): void
    {
        $response = is_object($transient) && isset($transient->response) ? (array) $transient->response : [];
        foreach ($this->items as $at => $item) {
            if ($item['type'] !== $type || $item['kind'] !== 'regular' || !isset($response[$item['file']])) {
                continue;
            }
            $offer = (array) $response[$item['file']];
            $this->items[$at]['offer'] = VigieAnswer::newerVersion($offer['new_version'] ?? null, $item['version']);
        }
    }
}
