<?php
/** Reads one site without running its code. */
final class VigieLook
{
    private $path;
    private $config;
    private $tables;
    private $found = [];
    private $reasons = [];

    public static function look(array $site): array
    {
        $scan = new self();
        $scan->path = rtrim((string) $site['path'], '/');
        VigieFiles::begin();
        $seen = VigieFiles::read("$scan->path/wp-includes/version.php", 1000000);
        if ($seen === null) {
            return ['problem' => 'not_wordpress'];
        }
        $owner = VigieFiles::ownerOf("$scan->path/wp-includes/version.php");
        $scan->found = [
            'core' => self::versionIn($seen),
            'owner' => $owner,
            'composer' => VigieFiles::isComposer($scan->path),
        ];
        $scan->readConfig();
        $scan->readTables();
        $scan->readExtensions();
        if (VigieFiles::isLate()) {
            $scan->reasons[] = 'unreadable';
        }
        return $scan->found + ['needs_boot' => array_values(array_unique($scan->reasons))];
    }

    private static function versionIn(string $code): array
    {
        $value = static function (string $name) use ($code) {
            return preg_match('/^\s*\$' . $name . '\s*=\s*[\'"]([^\'"]{1,60})[\'"]/m', $code, $match) ? $match[1] : null;
        };
        return ['version' => $value('wp_version'), 'locale' => $value('wp_local_package') ?? 'en_US'];
    }

    /** wp-config.php is beside WordPress, or one folder above unless that is another WordPress. */
    private function readConfig(): void
    {
        $above = dirname($this->path);
        $place = "$this->path/wp-config.php";
        if (@lstat($place) === false && !VigieFiles::isFile("$above/wp-settings.php")) {
            $place = "$above/wp-config.php";
        }
        $this->found['config_path'] = @lstat($place) === false ? null : $place;
        $code = VigieFiles::read($place, 256000);
        if ($code === null) {
            $this->reasons[] = 'unreadable';
        }
        $this->config = VigieConfig::parse((string) $code);
        if ($this->config->isComputed) {
            $this->reasons[] = 'computed_config';
        }
        $this->found['multisite'] = $this->config->isOn('MULTISITE');
        if ($this->config->isOn('MULTISITE')) {
            $this->reasons[] = 'multisite';
        }
        $this->found['forbids'] = $this->config->isOn('DISALLOW_FILE_MODS');
    }

    private function readTables(): void
    {
        $content = $this->content();
        $drop = VigieFiles::isFile("$content/db.php") ? (string) VigieFiles::read("$content/db.php", 100000, false) : null;
        if ($drop !== null && stripos($drop, 'sqlite') !== false) {
            $this->tables = new VigieTables();
            $this->tables->kind = 'sqlite';
            $this->tables->error = 'sqlite';
        } else {
            $this->tables = VigieTables::read($this->config);
            if ($drop !== null) {
                $this->reasons[] = 'unknown_drop_in';
            }
        }
        if ($this->tables->error !== null) {
            $this->reasons[] = 'database_unreachable';
        }
        if (VigieFiles::isFile("$content/object-cache.php")) {
            $this->reasons[] = 'object_cache';
        }
        $kind = $this->tables->kind;
        $version = ['kind' => $kind, 'version' => VigieSay::text($this->tables->version, 100) ?? ''];
        $this->found['database'] = $kind === null ? null : $version;
        $this->found['database_error'] = VigieSay::text($this->tables->error);
        $options = $this->tables->options;
        $this->found['home'] = $this->config->text('WP_HOME') ?? VigieSay::text($options['home'] ?? null, 2048);
        $this->found['title'] = VigieSay::plain($options['blogname'] ?? null);
        $isOther = ($options['WPLANG'] ?? '') !== '';
        $this->found['core']['locale'] = $isOther ? substr($options['WPLANG'], 0, 20) : $this->found['core']['locale'];
    }

    private function content(): string
    {
        return rtrim($this->config->text('WP_CONTENT_DIR') ?? "$this->path/wp-content", '/');
    }

    private function readExtensions(): void
    {
        $content = $this->content();
        $plugins = rtrim($this->config->text('WP_PLUGIN_DIR') ?? "$content/plugins", '/');
        $active = $this->tables->value('active_plugins');
        $all = new VigieExtensions();
        $all->addPlugins($plugins, is_array($active) ? $active : []);
        $all->addMustUse(rtrim($this->config->text('WPMU_PLUGIN_DIR') ?? "$content/mu-plugins", '/'));
        $all->addDropIns($content);
        $all->addThemes("$content/themes", $this->tables->options['stylesheet'] ?? '');
        $all->offer('plugin', $this->tables->value('_site_transient_update_plugins'));
        $all->offer('theme', $this->tables->value('_site_transient_update_themes'));
        $this->found['core']['offer'] = $this->coreOffer();
        $this->found['extensions'] = $all->items;
        $this->found['content_dir'] = $content;
        $this->found['plugin_dir'] = $plugins;
        $this->found['writable'] = VigieFiles::isWritable($plugins);
        $offers = array_column($all->items, 'offer', 'file');
        $marked = [$this->found['core'], $this->tables->options['active_plugins'] ?? '', $all->newest, $offers];
        $this->found['mark'] = substr(hash('sha256', serialize($marked)), 0, 32);
    }

    private function coreOffer(): ?string
    {
        $transient = $this->tables->value('_site_transient_update_core');
        $updates = is_object($transient) && isset($transient->updates) ? (array) $transient->updates : [];
        foreach ($updates as $update) {
            $update = (array) $update;
            if (($update['response'] ?? '') === 'upgrade') {
                return VigieSay::newer($update['current'] ?? null, $this->found['core']['version']);
            }
        }
        return null;
    }
}
