<?php
/** One plugin, one theme, or WordPress itself, where it lies in its site. */
final class VigieItem
{
    /** What a release holds beside wp-content; whatever else lies there is the site's own. */
    private const CORE = [
        'wp-admin', 'wp-includes', 'license.txt', 'readme.html', 'index.php', 'wp-activate.php', 'wp-blog-header.php',
        'wp-comments-post.php', 'wp-config-sample.php', 'wp-cron.php', 'wp-links-opml.php', 'wp-load.php', 'wp-login.php',
        'wp-mail.php', 'wp-settings.php', 'wp-signup.php', 'wp-trackback.php', 'xmlrpc.php',
    ];
    public $kind;
    public $slug;
    /** The folder that it lies in, and what it is made of there. */
    public $base = '';
    public $roots = [];
    /** Files of plugins, as WordPress names them. */
    public $files = [];
    public $name;
    public $version = null;
    public $bytes = 0;
    /** Paths below the base, folders before what is in them. */
    public $paths = [];

    /** As WordPress sees it, which is there. */
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
        $item->read();
        return $item;
    }

    public static function coreRoots(string $base): array
    {
        return array_values(array_filter(self::CORE, static function ($name) use ($base) {
            return file_exists("$base/$name");
        }));
    }

    /** Of one file or of one folder; what is installed comes in a folder. */
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
        // What is active stands for its folder; else what is called as it is, as an archive is read too.
        $main = "$this->slug/$this->slug.php";
        usort($this->files, static function ($one, $other) use ($main) {
            return [is_plugin_active($other), $other === $main] <=> [is_plugin_active($one), $one === $main];
        });
    }

    /** By its files: what was printed about them may be wrong. */
    public function read(): void
    {
        clearstatcache();
        $heads = null;
        if ($this->kind === 'core') {
            $code = (string) VigieFiles::read("$this->base/wp-includes/version.php", 1000000);
            $isThere = preg_match('/^\s*\$wp_version\s*=\s*[\'"]([^\'"]{1,60})[\'"]/m', $code, $match) === 1;
            $heads = $isThere ? ['version' => $match[1], 'name' => $this->name] : null;
        } elseif ($this->kind === 'theme') {
            $wanted = ['version' => 'Version', 'name' => 'Theme Name'];
            $heads = VigieFiles::headers("$this->base/$this->slug/style.css", $wanted);
        } elseif ($this->files !== []) {
            $heads = VigieFiles::headers("$this->base/" . $this->files[0], ['version' => 'Version', 'name' => 'Plugin Name']);
        }
        $this->version = ($heads['version'] ?? '') === '' ? null : $heads['version'];
        $this->name = ($heads['name'] ?? '') === '' ? $this->name : $heads['name'];
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

    /** Goes through all of it before anything is done: what is there, how much, and whether it may be changed. */
    public function measure(): void
    {
        $isOpen = is_writable($this->base);
        if (!$isOpen) {
            throw new VigieStop('changes_forbidden', 'rights', ['path' => $this->base]);
        }
        VigiePutBack::sweep($this->base);
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
        $seen = lstat($full);
        $kind = $seen ? $seen['mode'] & 0170000 : 0;
        $this->paths[] = $path;
        if ($kind === 0120000) {
            if (!VigiePutBack::staysInside(explode('/', dirname($path)), (string) readlink($full))) {
                throw new VigieStop('changes_forbidden', 'link', ['path' => $full]);
            }
            return;
        }
        if ($kind !== 0100000 && $kind !== 0040000) {
            throw new VigieStop('changes_forbidden', 'special', ['path' => $full]);
        }
        // WordPress writes over the files of its own, and removes all others.
        if (!is_readable($full) || (($kind === 0040000 || $this->kind === 'core') && !is_writable($full))) {
            throw new VigieStop('changes_forbidden', 'rights', ['path' => $full]);
        }
        $this->bytes += 1024 + ($kind === 0100000 ? $seen['size'] : 0);
        if ($kind === 0040000) {
            foreach (array_diff(scandir($full) ?: [], ['.', '..']) as $name) {
                $this->walk("$path/$name");
            }
        }
    }

    /** Whatever lies there, without following a link. */
    public static function remove(string $path): bool
    {
        $seen = @lstat($path);
        if ($seen === false) {
            return true;
        }
        if (($seen['mode'] & 0170000) !== 0040000) {
            return @unlink($path);
        }
        @chmod($path, 0700);
        foreach (array_diff(@scandir($path) ?: [], ['.', '..']) as $name) {
            self::remove("$path/$name");
        }
        return @rmdir($path);
    }
}
