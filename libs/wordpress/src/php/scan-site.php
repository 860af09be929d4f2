<?php
/** Reads one site without running its code. */
final class VigieSiteScan
{
    private $path;
    private $config;
    private $tables;
    private $result = [];
    private $reasons = [];

    public static function scan(array $site): array
    {
        $scan = new self();
        $scan->path = rtrim((string) $site['path'], '/');
        VigieFiles::startTimeLimit();
        $versionFile = VigieFiles::read("$scan->path/wp-includes/version.php", 1000000);
        if ($versionFile === null) {
            return ['problem' => 'not_wordpress'];
        }
        $owner = VigieFiles::ownerOf("$scan->path/wp-includes/version.php");
        $scan->result = [
            'core' => self::versionIn($versionFile),
            'owner' => $owner,
            'composer' => VigieFiles::isComposer($scan->path),
        ];
        $scan->readConfig();
        $scan->readTables();
        $scan->readExtensions();
        if (VigieFiles::isLate()) {
            $scan->reasons[] = 'unreadable';
        }
        return $scan->result + ['needs_boot' => array_values(array_unique($scan->reasons))];
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
        $configFile = "$this->path/wp-config.php";
        if (@lstat($configFile) === false && !VigieFiles::isFile("$above/wp-settings.php")) {
            $configFile = "$above/wp-config.php";
        }
        $this->result['config_path'] = @lstat($configFile) === false ? null : $configFile;
        $code = VigieFiles::read($configFile, 256000);
        if ($code === null) {
            $this->reasons[] = 'unreadable';
        }
        $this->config = VigieConfig::parse((string) $code);
        if ($this->config->isComputed) {
            $this->reasons[] = 'computed_config';
        }
        $this->result['multisite'] = $this->config->isOn('MULTISITE');
        if ($this->config->isOn('MULTISITE')) {
            $this->reasons[] = 'multisite';
        }
        $this->result['forbids'] = $this->config->isOn('DISALLOW_FILE_MODS');
    }

    private function readTables(): void
    {
        $content = $this->contentFolder();
        $dbDropIn = VigieFiles::isFile("$content/db.php") ? (string) VigieFiles::read("$content/db.php", 100000, false) : null;
        if ($dbDropIn !== null && stripos($dbDropIn, 'sqlite') !== false) {
            $this->tables = new VigieScanDatabase();
            $this->tables->kind = 'sqlite';
            $this->tables->error = 'sqlite';
        } else {
            $this->tables = VigieScanDatabase::read($this->config);
            if ($dbDropIn !== null) {
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
        $version = ['kind' => $kind, 'version' => VigieAnswer::text($this->tables->version, 100) ?? ''];
        $this->result['database'] = $kind === null ? null : $version;
        $this->result['database_error'] = VigieAnswer::text($this->tables->error);
        $options = $this->tables->options;
        $this->result['home'] = $this->homeAddress($options);
        $this->result['title'] = VigieAnswer::plainText($options['blogname'] ?? null);
        $hasLocale = ($options['WPLANG'] ?? '') !== '';
        $this->result['core']['locale'] = $hasLocale ? substr($options['WPLANG'], 0, 20) : $this->result['core']['locale'];
    }

    /** Where visitors go; the address of WordPress's own files is nearly always the same, or not far. */
    private function homeAddress(array $options): ?string
    {
        $home = [$this->config->text('WP_HOME'), $options['home'] ?? null];
        $files = [$this->config->text('WP_SITEURL'), $options['siteurl'] ?? null];
        foreach (array_merge($home, $files) as $address) {
            if ($address !== null && $address !== '') {
                return VigieAnswer::text($address, 2048);
            }
        }
        return null;
    }

    private function contentFolder(): string
    {
        return rtrim($this->config->text('WP_CONTENT_DIR') ?? "$this->path/wp-content", '/');
    }

    private function readExtensions(): void
    {
        $content = $this->contentFolder();
        $plugins = rtrim($this->config->text('WP_PLUGIN_DIR') ?? "$content/plugins", '/');
        $active = $this->tables->unserialized('active_plugins');
        $extensions = new VigieExtensions();
        $extensions->addPlugins($plugins, is_array($active) ? $active : []);
        $extensions->addMustUse(rtrim($this->config->text('WPMU_PLUGIN_DIR') ?? "$content/mu-plugins", '/'));
        $extensions->addDropIns($content);
        $extensions->addThemes("$content/themes", $this->tables->options['stylesheet'] ?? '');
        $extensions->addOffers('plugin', $this->tables->unserialized('_site_transient_update_plugins'));
        $extensions->addOffers('theme', $this->tables->unserialized('_site_transient_update_themes'));
        $this->result['core']['offer'] = $this->coreOffer();
        $this->result['extensions'] = $extensions->items;
        $this->result['content_dir'] = $content;
        $this->result['plugin_dir'] = $plugins;
        $this->result['writable'] = VigieFiles::isWritable($plugins);
        $offers = array_column($extensions->items, 'offer', 'file');
        $fingerprinted = [$this->result['core'], $this->tables->options['active_plugins'] ?? '', $extensions->newest, $offers];
        $this->result['mark'] = substr(hash('sha256', serialize($fingerprinted)), 0, 32);
    }

    private function coreOffer(): ?string
    {
        $transient = $this->tables->unserialized('_site_transient_update_core');
        $updates = is_object($transient) && isset($transient->updates) ? (array) $transient->updates : [];
        foreach ($updates as $update) {
            $update = (array) $update;
            if (($update['response'] ?? '') === 'upgrade') {
                return VigieAnswer::newerVersion($update['current'] ?? null, $this->result['core']['version']);
            }
        }
        return null;
    }
}
