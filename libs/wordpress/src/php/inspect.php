<?php
/** What happened while WordPress was asked, and how that is told. */
final class VigieInspect
{
    public static $given = [];
    /** Of the administration, what is asked of WordPress here. */
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

    /** A check that failed leaves what looks like nothing to update: it counts how often each answer is stored. */
    public static function refresh(): array
    {
        foreach (['core', 'plugins', 'themes'] as $kind) {
            add_filter("pre_set_site_transient_update_$kind", static function ($value) use ($kind) {
                self::$sets[$kind] = (self::$sets[$kind] ?? 0) + 1;
                return $value;
            });
            // Older than it is: a check that was made a moment ago would not be made again.
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

    /** Compiling all of the administration takes a tenth of a start: only for a site whose code counts on it. */
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
        // Behind all that the site does at its end, some of which is written down.
        register_shutdown_function([self::class, 'mark']);
    }

    /** Whoever was killed while it staged tables left them, and nobody may do anything to the site for long. */
    public static function sweep(): void
    {
        global $wpdb;
        $wpdb->suppress_errors();
        try {
            // Nearly all have none: the connection that is there says so.
            $isNeeded = $wpdb->get_col("SHOW TABLES LIKE 'vg%'") !== [];
            $isNeeded && VigieLeftTables::sweep(new VigieLink(), [self::$root, rtrim(WP_CONTENT_DIR, '/')]);
        } catch (Throwable $error) {
            // The next look finds them again.
            return;
        }
    }

    /** What a look at its files sees now, unless the site may see less by now than a look would. */
    public static function mark(): void
    {
        // It would hear of what is suppressed, too.
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

    /** First of all that runs at the end: leaving here keeps WordPress from writing letters about an error. */
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
