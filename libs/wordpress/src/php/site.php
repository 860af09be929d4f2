<?php
/** A site by its own configuration, without starting plugins and theme. */
final class VigieSite
{
    public const OPTIONS = [
        'siteurl', 'home', 'active_plugins', 'template', 'stylesheet', 'upload_path', 'upload_url_path',
        'template_root', 'stylesheet_root', '_site_transient_theme_roots', 'blog_charset',
    ];

    public $root;
    public $prefix;
    public $version;
    public $content;
    public $plugins;
    public $uploads;
    public $themes = [];
    public $options = [];
    public $isNetwork = false;
    /** Servers of its object cache, from the configuration. */
    public $servers = [];
    private static $isReady = false;

    /** A network that does not know the requested site still counts as one. */
    public static function start(array $order): self
    {
        VigieStart::muteOutput([self::class, 'shutDown']);
        VigieStart::simulateVisit($order['site']['path'], $order['site']['url']);
        foreach (['maintenance_mode', 'loading_advanced_cache_dropin', 'loading_object_cache_dropin'] as $name) {
            VigieStart::hook("enable_$name", [self::class, 'returnFalse']);
        }
        foreach (['ms_site_not_found', 'ms_network_not_found'] as $name) {
            VigieStart::hook($name, [self::class, 'onNetworkError'], 0);
        }
        define('SHORTINIT', true);
        try {
            require getcwd() . '/wp-load.php';
        } catch (VigieUnknownNetworkSite $unknown) {
            // WordPress has read its configuration by then.
        } catch (Throwable $error) {
            $words = $error->getMessage() . ' (' . basename($error->getFile()) . ':' . $error->getLine() . ')';
            $fields = self::missingFile($words) + ['code' => 'configuration', 'words' => substr($words, 0, 400)];
            throw new VigieStop($fields['code'], '', $fields);
        } finally {
            self::$isReady = true;
        }
        set_time_limit(0);
        return self::fromWordPress();
    }

    /** Runs the configuration alone: WordPress itself may be a mix of two versions. */
    public static function fromConfiguration(array $order): self
    {
        VigieStart::muteOutput([self::class, 'shutDown']);
        VigieStart::simulateVisit($order['site']['path'], $order['site']['url']);
        define('ABSPATH', getcwd() . '/');
        define('SHORTINIT', true);
        try {
            eval(self::configurationCode((string) getcwd()));
        } catch (Throwable $error) {
            throw new VigieStop('configuration', '', ['words' => substr($error->getMessage(), 0, 400)]);
        } finally {
            self::$isReady = true;
        }
        if (!defined('DB_NAME')) {
            throw new VigieStop('configuration', '', ['words' => 'DB_NAME']);
        }
        set_time_limit(0);
        $site = new self();
        $site->root = (string) getcwd();
        $site->content = defined('WP_CONTENT_DIR') ? rtrim(WP_CONTENT_DIR, '/') : "$site->root/wp-content";
        $site->prefix = (string) ($table_prefix ?? $GLOBALS['table_prefix'] ?? '');
        $site->servers = ['redis' => $redis_server ?? $GLOBALS['redis_server'] ?? []];
        $site->isNetwork = defined('MULTISITE') ? (bool) MULTISITE : defined('SUBDOMAIN_INSTALL') || defined('SUNRISE');
        return $site;
    }

    /** The code of wp-config.php with its real path, without the line that starts WordPress. */
    private static function configurationCode(string $root): string
    {
        $above = dirname($root);
        $isAbove = !is_file("$root/wp-config.php") && !is_file("$above/wp-settings.php");
        $file = ($isAbove ? $above : $root) . '/wp-config.php';
        $places = ['__FILE__' => var_export($file, true), '__DIR__' => var_export(dirname($file), true)];
        $text = self::withoutStart((string) VigieFiles::read($file, 1000000), $places);
        // A `declare` must be the first statement.
        return preg_match('~^\s*<\?php\b~', $text, $opening) === 1 ? substr($text, strlen($opening[0])) : "?>$text";
    }

    /** Replaces the require by a value, since it may be the only statement of an `if`. */
    private static function withoutStart(string $code, array $places): string
    {
        if (!function_exists('token_get_all')) {
            $code = (string) preg_replace_callback('~\b__(?:FILE|DIR)__\b~i', static function (array $match) use ($places): string {
                return $places[strtoupper($match[0])];
            }, $code);
            $call = '(?:require|include)(?:_once)?\b';
            return (string) preg_replace("~\\b$call(?:(?!\\b$call)[^;])*\\bwp-settings\\.php['\"][^;?]*~", '0', $code);
        }
        $text = '';
        $call = null;
        foreach (token_get_all($code) as $token) {
            [$kind, $part] = is_array($token) ? $token : [null, $token];
            if (in_array($kind, [T_REQUIRE, T_REQUIRE_ONCE, T_INCLUDE, T_INCLUDE_ONCE], true)) {
                $text .= $call;
                $call = '';
            } elseif ($call !== null && ($part === ';' || $kind === T_CLOSE_TAG)) {
                $text .= strpos($call, 'wp-settings.php') === false ? $call : '0';
                $call = null;
            }
            $part = in_array($kind, [T_FILE, T_DIR], true) ? $places[strtoupper($part)] : $part;
            $call === null ? $text .= $part : $call .= $part;
        }
        return $text . $call;
    }

    /** Keeps WordPress from redirecting or dying, and blames the tables rather than the configuration. */
    public static function onNetworkError(): void
    {
        global $wpdb;
        $wpdb->suppress_errors();
        $count = $wpdb->get_var("SELECT COUNT(*) FROM `{$wpdb->base_prefix}blogs`");
        $code = $count === null && $wpdb->dbh instanceof mysqli ? mysqli_errno($wpdb->dbh) : 0;
        // Other errors say nothing about the network.
        if ($count !== null || $code === VigieDatabase::NO_SUCH_TABLE) {
            throw new VigieUnknownNetworkSite();
        }
    }

    public static function returnFalse(): bool
    {
        return false;
    }

    private static function fromWordPress(): self
    {
        global $table_prefix, $wp_version;
        $site = new self();
        $site->root = rtrim(ABSPATH, '/');
        $site->prefix = (string) $table_prefix;
        $site->version = (string) $wp_version;
        $site->content = rtrim(WP_CONTENT_DIR, '/');
        $site->plugins = rtrim(defined('WP_PLUGIN_DIR') ? WP_PLUGIN_DIR : "$site->content/plugins", '/');
        $site->isNetwork = function_exists('is_multisite') && is_multisite();
        return $site;
    }

    public static function isSqlite(): bool
    {
        global $wpdb;
        $isConfigured = defined('SQLITE_DB_DROPIN_VERSION') || (defined('DB_ENGINE') && DB_ENGINE === 'sqlite');
        return $isConfigured || stripos(get_class($wpdb), 'sqlite') !== false;
    }

    /** Whether this is the site's own wp-config.php; other files of that name are ordinary. */
    public function isConfigurationFile(string $path): bool
    {
        $folder = is_file("$this->root/wp-config.php") ? $this->root : dirname((string) $this->root);
        return basename($path) === 'wp-config.php' && realpath(dirname($path)) === realpath($folder);
    }

    /** Sets what the database knows and the configuration does not. */
    public function setOptions(array $options): void
    {
        $this->options = $options;
        $this->uploads = $this->uploadsFolder();
        $roots = ["$this->content/themes"];
        $themeRoots = @unserialize((string) ($options['_site_transient_theme_roots'] ?? ''), ['allowed_classes' => false]);
        $optionRoots = [$options['template_root'] ?? '', $options['stylesheet_root'] ?? ''];
        foreach (array_merge($optionRoots, is_array($themeRoots) ? $themeRoots : []) as $root) {
            if (is_string($root) && $root !== '') {
                $roots[] = rtrim($root[0] === '/' && is_dir($root) ? $root : $this->content . '/' . trim($root, '/'), '/');
            }
        }
        $this->themes = array_values(array_unique(array_filter($roots, 'is_dir')));
    }

    private function uploadsFolder(): string
    {
        $path = trim((string) ($this->options['upload_path'] ?? ''));
        if (defined('UPLOADS') && !$this->isNetwork) {
            return $this->root . '/' . trim((string) UPLOADS, '/');
        }
        if ($path === '' || $path === 'wp-content/uploads') {
            return "$this->content/uploads";
        }
        return rtrim($path[0] === '/' ? $path : "$this->root/$path", '/');
    }

    public function uploadsUrl(): string
    {
        $url = (string) ($this->options['upload_url_path'] ?? '');
        if ($url !== '') {
            return rtrim($url, '/') . '/';
        }
        $content = defined('WP_CONTENT_URL') ? WP_CONTENT_URL : rtrim($this->address('siteurl'), '/') . '/wp-content';
        if (strpos($this->uploads, "$this->content/") === 0) {
            return $content . substr($this->uploads, strlen($this->content)) . '/';
        }
        return rtrim($this->address('siteurl'), '/') . '/' . ltrim(substr($this->uploads, strlen($this->root)), '/') . '/';
    }

    public function address(string $option): string
    {
        $constant = $option === 'siteurl' ? 'WP_SITEURL' : 'WP_HOME';
        return rtrim((string) (defined($constant) ? constant($constant) : $this->options[$option] ?? ''), '/');
    }

    public function activePlugins(): array
    {
        $list = @unserialize((string) ($this->options['active_plugins'] ?? ''), ['allowed_classes' => false]);
        return is_array($list) ? array_values(array_filter($list, 'is_string')) : [];
    }

    /** The first shutdown function: reports a configuration that ends PHP. */
    public static function shutDown(): void
    {
        if (self::$isReady) {
            return;
        }
        $isDatabaseDown = isset($GLOBALS['wpdb']) && is_object($GLOBALS['wpdb']) && empty($GLOBALS['wpdb']->ready);
        $words = $isDatabaseDown ? (string) @mysqli_connect_error() : (string) (error_get_last()['message'] ?? '');
        $fields = $isDatabaseDown ? ['code' => 'database', 'why' => 'connect'] : self::missingFile($words);
        $words = substr(strtok($words, "\n") ?: '', 0, 400);
        VigieOperation::report($fields + ['is' => 'refused', 'code' => 'configuration', 'words' => $words]);
        exit(11);
    }

    /** A missing file of the site that no archive contains. */
    private static function missingFile(string $words): array
    {
        $root = (string) getcwd();
        if (!is_file("$root/wp-config.php") && !is_file(dirname($root) . '/wp-config.php')) {
            return ['code' => 'no_config'];
        }
        $pattern = '~Failed opening required \'' . preg_quote("$root/", '~') . '(wp-(?:includes/|admin/|settings\.php)[^\']*)\'~';
        $isMissing = preg_match($pattern, $words, $match) === 1 && !file_exists("$root/$match[1]");
        return $isMissing ? ['code' => 'no_core', 'path' => $match[1]] : [];
    }
}

/** The network does not know the requested site, or has lost its tables. */
final class VigieUnknownNetworkSite extends RuntimeException
{
}
