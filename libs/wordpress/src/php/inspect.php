<?php
/** Starts WordPress for an inspection, and reports the result. */
final class VigieInspect
{
    public static $given = [];
    /** Files of wp-admin/includes that the inventory needs. */
    private const PARTS = ['plugin', 'update', 'misc', 'theme'];

    private static $root = '';
    private static $limits = '';
    private static $isTold = false;
    private static $redirect = null;
    private static $sets = [];
    private static $failures = [];

    public static function begin(): void
    {
        self::$given = VigieSay::open();
        VigieStart::hush([self::class, 'end']);
        VigieStart::pretend(self::$given['path'], self::$given['url']);
        VigieStart::listen(self::$given['skip'], self::$given['api']);
        VigieStart::hook('wp_redirect', [self::class, 'noteRedirect']);
        self::$root = (string) getcwd();
        self::$limits = ini_get('open_basedir');
    }

    public static function noteRedirect($location)
    {
        self::$redirect = VigieSay::text($location, 300);
        return $location;
    }

    /** A failed check looks like "no updates"; WordPress stores each answer twice when a check succeeds. */
    public static function refresh(): array
    {
        foreach (['core', 'plugins', 'themes'] as $kind) {
            add_filter("pre_set_site_transient_update_$kind", static function ($value) use ($kind) {
                self::$sets[$kind] = (self::$sets[$kind] ?? 0) + 1;
                return $value;
            });
            // Without this, WordPress skips a check shortly after the last one.
            add_filter("site_transient_update_$kind", static function ($value) {
                if (is_object($value)) {
                    $value = clone $value;
                    $value->last_checked = 0;
                }
                return $value;
            }, PHP_INT_MAX);
        }
        require_once ABSPATH . 'wp-admin/includes/admin.php';
        add_action('http_api_debug', [self::class, 'noteAnswer'], 10, 5);
        add_filter('http_response', [self::class, 'refuseNonsense'], PHP_INT_MAX, 3);
        wp_version_check([], true);
        wp_update_plugins();
        wp_update_themes();
        $checks = [];
        foreach (['core', 'plugins', 'themes'] as $kind) {
            $isAnswered = (self::$sets[$kind] ?? 0) >= 2;
            $reason = self::$failures[$kind] ?? 'WordPress.org was not asked';
            $checks[$kind] = $isAnswered ? null : $reason;
            remove_all_filters("site_transient_update_$kind", PHP_INT_MAX);
        }
        return $checks;
    }

    public static function noteAnswer($response, $context, $class, $args, $url): void
    {
        $kind = VigieStart::checkOf($url);
        if ($kind === null) {
            return;
        }
        if (is_wp_error($response)) {
            self::$failures[$kind] = VigieSay::text($response->get_error_message(), 400);
        } else {
            self::$failures[$kind] = 'HTTP ' . wp_remote_retrieve_response_code($response);
        }
    }

    public static function refuseNonsense($response, $args, $url)
    {
        $judged = VigieStart::refuseNonsense($response, $args, $url);
        if ($judged !== $response) {
            self::$failures[VigieStart::checkOf($url)] = $judged->get_error_message();
        }
        return $judged;
    }

    /** Loading the whole administration adds a tenth to the start: only for sites whose code needs it. */
    public static function read(): array
    {
        foreach (self::PARTS as $part) {
            require_once ABSPATH . "wp-admin/includes/$part.php";
        }
        try {
            return VigieInventory::read();
        } catch (Error $error) {
            require_once ABSPATH . 'wp-admin/includes/admin.php';
            return VigieInventory::read();
        }
    }

    public static function tell(array $found): void
    {
        self::$isTold = true;
        VigieSay::line(['is' => 'found', 'php' => PHP_VERSION, 'root' => self::$root] + $found);
        // Runs after the site's own shutdown functions, which may write to the database.
        register_shutdown_function([self::class, 'mark']);
    }

    /** Deletes tables that killed operations left: a site may see no other operation for long. */
    public static function sweep(): void
    {
        global $wpdb;
        $wpdb->suppress_errors();
        try {
            // Most sites have none: the open connection can tell.
            $isNeeded = $wpdb->get_col("SHOW TABLES LIKE 'vg%'") !== [];
            $isNeeded && VigieLeftTables::sweep(new VigieLink(), [self::$root, rtrim(WP_CONTENT_DIR, '/')]);
        } catch (Throwable $error) {
            // The next inspection tries again.
            return;
        }
    }

    /** Reports the fingerprint that a scan computes now, unless the site has restricted what PHP may read. */
    public static function mark(): void
    {
        // The site's error handler would also receive suppressed errors.
        set_error_handler(null);
        error_reporting(0);
        $mark = VigieLook::look(['path' => self::$given['path']])['mark'] ?? null;
        if ($mark !== null && ini_get('open_basedir') === self::$limits) {
            VigieSay::line(['is' => 'mark', 'mark' => $mark]);
        }
    }

    public static function fail(string $kind, string $message, ?string $file = null, ?int $line = null): void
    {
        self::$isTold = true;
        $content = defined('WP_CONTENT_DIR') ? WP_CONTENT_DIR : null;
        $told = ['is' => 'problem', 'kind' => $kind, 'message' => VigieSay::text(strtok($message, "\n") ?: '')];
        VigieSay::line($told + ['file' => $file, 'line' => $line, 'content_dir' => $content, 'root' => self::$root]);
    }

    /** The first shutdown function. Exiting here prevents WordPress's e-mail about a fatal error. */
    public static function end(): void
    {
        if (self::$isTold) {
            return;
        }
        $last = VigieStart::lastFatal();
        if ($last !== null) {
            self::fail('fatal', $last['message'], $last['file'], $last['line']);
        } elseif (isset($GLOBALS['wpdb']) && is_object($GLOBALS['wpdb']) && empty($GLOBALS['wpdb']->ready)) {
            self::fail('database', function_exists('mysqli_connect_error') ? (string) mysqli_connect_error() : '');
        } elseif (is_file(self::$root . '/.maintenance')) {
            self::fail('ended_early', 'maintenance');
        } else {
            self::fail('ended_early', self::$redirect === null ? '' : 'redirect ' . self::$redirect);
        }
        exit(1);
    }
}

VigieInspect::begin();
if (!is_file(getcwd() . '/wp-load.php')) {
    VigieInspect::fail('not_wordpress', '');
    exit(1);
}
define('WP_ADMIN', true);
try {
    require getcwd() . '/wp-load.php';
    VigieStart::uncover();
    $vigie_checks = VigieInspect::$given['refresh'] ? VigieInspect::refresh() : null;
    VigieInspect::tell(VigieInspect::read() + ['checks' => $vigie_checks]);
    VigieInspect::sweep();
} catch (Throwable $vigie_error) {
    VigieInspect::fail('fatal', $vigie_error->getMessage(), $vigie_error->getFile(), $vigie_error->getLine());
    exit(1);
}
