<?php
/** One plugin, one theme, or WordPress itself, and its files in a site. */
final class VigieItem
{
    /** Files of a WordPress release beside wp-content; everything else there is the site's own. */
    private const CORE_FILES = [
        'wp-admin', 'wp-includes', 'license.txt', 'readme.html', 'index.php', 'wp-activate.php', 'wp-blog-header.php',
        'wp-comments-post.php', 'wp-config-sample.php', 'wp-cron.php', 'wp-links-opml.php', 'wp-load.php', 'wp-login.php',
        'wp-mail.php', 'wp-settings.php', 'wp-signup.php', 'wp-trackback.php', 'xmlrpc.php',
    ];
    public $kind;
    public $slug;
    /** The folder that contains the item, and the item's entries in it. */
    public $base = '';
    public $roots = [];
    /** Plugin files, as WordPress names them. */
    public $files = [];
    public $name;
    public $version = null;
    public $bytes = 0;
    /** Paths below `$base`, folders before their content. */
    public $paths = [];

    public static function find(array $order): self
    {
        $item = new self();
        $item->kind = $order['item']['kind'];
        $item->slug = $order['item']['slug'];
        $item->name = $order['item']['name'];
        if ($item->kind === 'core') {
            $item->base = rtrim(ABSPATH, '/');
            $item->roots = self::coreRoots($item->base);
        } elseif ($item->kind === 'theme') {
            $theme = wp_get_theme($item->slug);
            $item->base = rtrim($theme->exists() ? $theme->get_theme_root() : get_theme_root(), '/');
            $item->roots = [$item->slug];
        } else {
            $item->base = rtrim(WP_PLUGIN_DIR, '/');
            $item->findPlugin($order['action'] === 'install');
        }
        $item->readHeaders();
        return $item;
    }

    public static function coreRoots(string $base): array
    {
        return array_values(array_filter(self::CORE_FILES, static function ($name) use ($base) {
            return file_exists("$base/$name");
        }));
    }

    /** A plugin is one file or one folder; an installed archive always makes a folder. */
    private function findPlugin(bool $isInstall): void
    {
        $isFile = !$isInstall && @lstat("$this->base/$this->slug") === false && is_file("$this->base/$this->slug.php");
        $this->roots = [$isFile ? "$this->slug.php" : $this->slug];
        wp_cache_delete('plugins', 'plugins');
        foreach (array_keys(get_plugins()) as $file) {
            if ($file === $this->roots[0] || strpos($file, $this->roots[0] . '/') === 0) {
                $this->files[] = (string) $file;
            }
        }
        // The active file represents a folder with several plugins, otherwise the file with the folder's name.
        $main = "$this->slug/$this->slug.php";
        usort($this->files, static function ($one, $other) use ($main) {
            return [is_plugin_active($other), $other === $main] <=> [is_plugin_active($one), $one === $main];
        });
    }

    /** Reads version and name from the files: WordPress may have cached others. */
    public function readHeaders(): void
    {
        clearstatcache();
        $headers = null;
        if ($this->kind === 'core') {
            $code = (string) VigieFiles::read("$this->base/wp-includes/version.php", 1000000);
            $isThere = preg_match('/^\s*\$wp_version\s*=\s*[\'"]([^\'"]{1,60})[\'"]/m', $code, $match) === 1;
            $headers = $isThere ? ['version' => $match[1], 'name' => $this->name] : null;
        } elseif ($this->kind === 'theme') {
            $titles = ['version' => 'Version', 'name' => 'Theme Name'];
            $headers = VigieFiles::headers("$this->base/$this->slug/style.css", $titles);
        } elseif ($this->files !== []) {
            $headers = VigieFiles::headers("$this->base/" . $this->files[0], ['version' => 'Version', 'name' => 'Plugin Name']);
        }
        $this->version = ($headers['version'] ?? '') === '' ? null : $headers['version'];
        $this->name = ($headers['name'] ?? '') === '' ? $this->name : $headers['name'];
    }

    public function isThere(): bool
    {
        foreach ($this->roots as $root) {
            if (@lstat("$this->base/$root") !== false) {
                return true;
            }
        }
        return false;
    }

    public function isActive(): bool
    {
        if ($this->kind === 'theme') {
            return get_option('stylesheet') === $this->slug;
        }
        return $this->kind === 'core' || array_filter($this->files, 'is_plugin_active') !== [];
    }

    /** Walks all files before the change: paths, bytes and permissions. */
    public function measure(): void
    {
        $isWritable = is_writable($this->base);
        if (!$isWritable) {
            throw new VigieStop('changes_forbidden', 'rights', ['path' => $this->base]);
        }
        VigieRollback::recoverLeftovers($this->base);
        foreach ($this->roots as $root) {
            if (@lstat("$this->base/$root") !== false) {
                $isLink = is_link("$this->base/$root");
                if ($isLink) {
                    throw new VigieStop('changes_forbidden', 'link', ['path' => "$this->base/$root"]);
                }
                $this->walk((string) $root);
            }
        }
    }

    private function walk(string $path): void
    {
        $full = "$this->base/$path";
        $stat = lstat($full);
        $kind = $stat ? $stat['mode'] & 0170000 : 0;
        $this->paths[] = $path;
        if ($kind === 0120000) {
            if (!VigieRollback::staysInside(explode('/', dirname($path)), (string) readlink($full))) {
                throw new VigieStop('changes_forbidden', 'link', ['path' => $full]);
            }
            return;
        }
        if ($kind !== 0100000 && $kind !== 0040000) {
            throw new VigieStop('changes_forbidden', 'special', ['path' => $full]);
        }
        // WordPress overwrites its own files, and deletes plugins and themes.
        if (!is_readable($full) || (($kind === 0040000 || $this->kind === 'core') && !is_writable($full))) {
            throw new VigieStop('changes_forbidden', 'rights', ['path' => $full]);
        }
        $this->bytes += 1024 + ($kind === 0100000 ? $stat['size'] : 0);
        if ($kind === 0040000) {
            foreach (array_diff(scandir($full) ?: [], ['.', '..']) as $name) {
                $this->walk("$path/$name");
            }
        }
    }

    /** Deletes a file, link or folder, without following links. */
    public static function remove(string $path): bool
    {
        $stat = @lstat($path);
        if ($stat === false) {
            return true;
        }
        if (($stat['mode'] & 0170000) !== 0040000) {
            return @unlink($path);
        }
        @chmod($path, 0700);
        foreach (array_diff(@scandir($path) ?: [], ['.', '..']) as $name) {
            self::remove("$path/$name");
        }
        return @rmdir($path);
    }
}
