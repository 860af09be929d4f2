<?php
/** Starts WordPress for an inspection, and reports the result. */
final class VigieInspect
{
    public static $input = [];
    /** Files of wp-admin/includes that the inventory needs. */
    private const ADMIN_FILES = ['plugin', 'update', 'misc', 'theme'];

    private static $root = '';
    private static $openBasedir = '';
    private static $isReported = false;
    private static $redirect = null;
    private static $storedAnswers = [];
    private static $failures = [];

    public static function begin(): void
    {
        self::$input = VigieAnswer::readInput();
        VigieStart::muteOutput([self::class, 'shutDown']);
        VigieStart::simulateVisit(self::$input['path'], self::$input['url']);
        VigieStart::addHooks(self::$input['skip'], self::$input['api']);
        VigieStart::hook('wp_redirect', [self::class, 'noteRedirect']);
        self::$root = (string) getcwd();
        self::$openBasedir = ini_get('open_basedir');
    }

    public static function noteRedirect($location)
    {
        self::$redirect = VigieAnswer::text($location, 300);
        return $location;
    }

    /** A failed check looks like "no updates"; WordPress stores each answer twice when a check succeeds. */
    public static function checkUpdates(): array
    {
        foreach (['core', 'plugins', 'themes'] as $kind) {
            add_filter("pre_set_site_transient_update_$kind", static function ($value) use ($kind) {
                self::$storedAnswers[$kind] = (self::$storedAnswers[$kind] ?? 0) + 1;
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
        add_filter('http_response', [self::class, 'rejectInvalidAnswer'], PHP_INT_MAX, 3);
        wp_version_check([], true);
        wp_update_plugins();
        wp_update_themes();
        $checks = [];
        foreach (['core', 'plugins', 'themes'] as $kind) {
            $isAnswered = (self::$storedAnswers[$kind] ?? 0) >= 2;
            $reason = self::$failures[$kind] ?? 'WordPress.org was not queried';
            $checks[$kind] = $isAnswered ? null : $reason;
            remove_all_filters("site_transient_update_$kind", PHP_INT_MAX);
        }
        return $checks;
    }

    public static function noteAnswer($response, $context, $class, $args, $url): void
    {
        $kind = VigieStart::updateCheckOf($url);
        if ($kind === null) {
            return;
        }
        if (is_wp_error($response)) {
            self::$failures[$kind] = VigieAnswer::text($response->get_error_message(), 400);
        } else {
            self::$failures[$kind] = 'HTTP ' . wp_remote_retrieve_response_code($response);
        }
    }

    public static function rejectInvalidAnswer($response, $args, $url)
    {
        $result = VigieStart::rejectInvalidAnswer($response, $args, $url);
        if ($result !== $response) {
            self::$failures[VigieStart::updateCheckOf($url)] = $result->get_error_message();
        }
        return $result;
    }

    /** Loading the whole administration adds a tenth to the start: only for sites whose code needs it. */
    public static function read(): array
    {
        foreach (self::ADMIN_FILES as $part) {
            require_once ABSPATH . "wp-admin/includes/$part.php";
        }
        try {
            return VigieInventory::read();
        } catch (Error $error) {
            require_once ABSPATH . 'wp-admin/includes/admin.php';
            return VigieInventory::read();
        }
    }

    public static function reportSite(array $site): void
    {
        self::$isReported = true;
        VigieAnswer::send(['is' => 'found', 'php' => PHP_VERSION, 'root' => self::$root] + $site);
        // Runs after the site's own shutdown functions, which may write to the database.
        register_shutdown_function([self::class, 'reportMark']);
    }

    /** Deletes tables that killed operations left: a site may see no other operation for long. */
    public static function dropLeftoverTables(): void
    {
        global $wpdb;
        $wpdb->suppress_errors();
        try {
            // Most sites have none: the open connection can tell.
            $isNeeded = $wpdb->get_col("SHOW TABLES LIKE 'vg%'") !== [];
            $isNeeded && VigieLeftoverTables::dropUnused(new VigieConnection(), [self::$root, rtrim(WP_CONTENT_DIR, '/')]);
        } catch (Throwable $error) {
            // The next inspection tries again.
            return;
        }
    }

    /** Reports the fingerprint that a scan computes now, unless the site has restricted what PHP may read. */
    public static function reportMark(): void
    {
        // The site's error handler would also receive suppressed errors.
        set_error_handler(null);
        error_reporting(0);
        $mark = VigieSiteScan::scan(['path' => self::$input['path']])['mark'] ?? null;
        if ($mark !== null && ini_get('open_basedir') === self::$openBasedir) {
            VigieAnswer::send(['is' => 'mark', 'mark' => $mark]);
        }
    }

    public static function reportProblem(string $kind, string $message, ?string $file = null, ?int $line = null): void
    {
        self::$isReported = true;
        $content = defined('WP_CONTENT_DIR') ? WP_CONTENT_DIR : null;
        $problem = ['is' => 'problem', 'kind' => $kind, 'message' => VigieAnswer::text(strtok($message, "\n") ?: '')];
        VigieAnswer::send($problem + ['file' => $file, 'line' => $line, 'content_dir' => $content, 'root' => self::$root]);
    }

    /** The first shutdown function. Exiting here prevents WordPress's e-mail about a fatal error. */
    public static function shutDown(): void
    {
        if (self::$isReported) {
            return;
        }
        $last = VigieStart::lastFatal();
        if ($last !== null) {
            self::reportProblem('fatal', $last['message'], $last['file'], $last['line']);
        } elseif (isset($GLOBALS['wpdb']) && is_object($GLOBALS['wpdb']) && empty($GLOBALS['wpdb']->ready)) {
            self::reportProblem('database', function_exists('mysqli_connect_error') ? (string) mysqli_connect_error() : '');
        } elseif (is_file(self::$root . '/.maintenance')) {
            self::reportProblem('ended_early', 'maintenance');
        } else {
            self::reportProblem('ended_early', self::$redirect === null ? '' : 'redirect ' . self::$redirect);
        }
        exit(1);
    }
}

VigieInspect::begin();
if (!is_file(getcwd() . '/wp-load.php')) {
    VigieInspect::reportProblem('not_wordpress', '');
    exit(1);
}
define('WP_ADMIN', true);
try {
    require getcwd() . '/wp-load.php';
    VigieStart::removeHooks();
    $vigie_checks = VigieInspect::$input['refresh'] ? VigieInspect::checkUpdates() : null;
    VigieInspect::reportSite(VigieInspect::read() + ['checks' => $vigie_checks]);
    VigieInspect::dropLeftoverTables();
} catch (Throwable $vigie_error) {
    VigieInspect::reportProblem('fatal', $vigie_error->getMessage(), $vigie_error->getFile(), $vigie_error->getLine());
    exit(1);
}
