<?php
/** A site as its own configuration says it is. WordPress reads that, and starts neither plugins nor theme. */
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
    /** Of its object cache, as the configuration names them. */
    public $servers = [];
    private static $isReady = false;

    /** A network whose tables do not name the site that is asked for is one all the same. */
    public static function start(array $order): self
    {
        VigieStart::hush([self::class, 'end']);
        VigieStart::pretend($order['site']['path'], $order['site']['url']);
        foreach (['maintenance_mode', 'loading_advanced_cache_dropin', 'loading_object_cache_dropin'] as $name) {
            VigieStart::hook("enable_$name", [self::class, 'no']);
        }
        foreach (['ms_site_not_found', 'ms_network_not_found'] as $name) {
            VigieStart::hook($name, [self::class, 'leaveNetwork'], 0);
        }
        define('SHORTINIT', true);
        try {
            require getcwd() . '/wp-load.php';
        } catch (VigieUnnamedSite $unnamed) {
            // WordPress has read all that is asked of it here by then.
        } catch (Throwable $error) {
            $words = $error->getMessage() . ' (' . basename($error->getFile()) . ':' . $error->getLine() . ')';
            $facts = self::absentFile($words) + ['code' => 'configuration', 'words' => substr($words, 0, 400)];
            throw new VigieStop($facts['code'], '', $facts);
        } finally {
            self::$isReady = true;
        }
        set_time_limit(0);
        return self::found();
    }

    /** By its configuration alone: WordPress itself may be half of one version and half of another. */
    public static function configured(array $order): self
    {
        VigieStart::hush([self::class, 'end']);
        VigieStart::pretend($order['site']['path'], $order['site']['url']);
        define('ABSPATH', getcwd() . '/');
        define('SHORTINIT', true);
        try {
            eval(self::configuration((string) getcwd()));
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

    /** Its text as if it lay where it lies, without what starts the rest. */
    private static function configuration(string $root): string
    {
        $above = dirname($root);
        $isAbove = !is_file("$root/wp-config.php") && !is_file("$above/wp-settings.php");
        $file = ($isAbove ? $above : $root) . '/wp-config.php';
        $places = ['__FILE__' => var_export($file, true), '__DIR__' => var_export(dirname($file), true)];
        $text = self::unstarted((string) VigieFiles::read($file, 1000000), $places);
        // Where it declares how it is to be read, nothing may stand before that.
        return preg_match('~^\s*<\?php\b~', $text, $opening) === 1 ? substr($text, strlen($opening[0])) : "?>$text";
    }

    /** What starts WordPress becomes a value that nobody looks at: it may be the only thing that follows an `if`. */
    private static function unstarted(string $code, array $places): string
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

    /** WordPress would redirect or give up here, and blame its configuration for what is in its tables. */
    public static function leaveNetwork(): void
    {
        global $wpdb;
        $wpdb->suppress_errors();
        $count = $wpdb->get_var("SELECT COUNT(*) FROM `{$wpdb->base_prefix}blogs`");
        $code = $count === null && $wpdb->dbh instanceof mysqli ? mysqli_errno($wpdb->dbh) : 0;
        // Any other error of the server says nothing about the sites of the network.
        if ($count !== null || $code === VigieDatabase::ABSENT) {
            throw new VigieUnnamedSite();
        }
    }

    public static function no(): bool
    {
        return false;
    }

    private static function found(): self
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
        $isNamed = defined('SQLITE_DB_DROPIN_VERSION') || (defined('DB_ENGINE') && DB_ENGINE === 'sqlite');
        return $isNamed || stripos(get_class($wpdb), 'sqlite') !== false;
    }

    /** Whether the site's own configuration lies there; any other file of that name is one like others. */
    public function isConfiguration(string $place): bool
    {
        $folder = is_file("$this->root/wp-config.php") ? $this->root : dirname((string) $this->root);
        return basename($place) === 'wp-config.php' && realpath(dirname($place)) === realpath($folder);
    }

    /** What is in the database and not in the configuration. */
    public function take(array $options): void
    {
        $this->options = $options;
        $this->uploads = $this->uploadsFolder();
        $roots = ["$this->content/themes"];
        $known = @unserialize((string) ($options['_site_transient_theme_roots'] ?? ''), ['allowed_classes' => false]);
        $named = [$options['template_root'] ?? '', $options['stylesheet_root'] ?? ''];
        foreach (array_merge($named, is_array($known) ? $known : []) as $root) {
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

    /** The first of all that runs at the end: where the configuration ends PHP, nothing was touched. */
    public static function end(): void
    {
        if (self::$isReady) {
            return;
        }
        $isDown = isset($GLOBALS['wpdb']) && is_object($GLOBALS['wpdb']) && empty($GLOBALS['wpdb']->ready);
        $words = $isDown ? (string) @mysqli_connect_error() : (string) (error_get_last()['message'] ?? '');
        $facts = $isDown ? ['code' => 'database', 'why' => 'connect'] : self::absentFile($words);
        VigieTell::line($facts + ['is' => 'refused', 'code' => 'configuration', 'words' => substr(strtok($words, "\n") ?: '', 0, 400)]);
        exit(11);
    }

    /** What is missing, where a file of the site that no archive holds is. */
    private static function absentFile(string $words): array
    {
        $root = (string) getcwd();
        if (!is_file("$root/wp-config.php") && !is_file(dirname($root) . '/wp-config.php')) {
            return ['code' => 'no_config'];
        }
        $pattern = '~Failed opening required \'' . preg_quote("$root/", '~') . '(wp-(?:includes/|admin/|settings\.php)[^\']*)\'~';
        $isGone = preg_match($pattern, $words, $match) === 1 && !file_exists("$root/$match[1]");
        return $isGone ? ['code' => 'no_core', 'path' => $match[1]] : [];
    }
}

/** The tables of a network do not name the site that is asked for, or are gone. */
final class VigieUnnamedSite extends RuntimeException
{
}
