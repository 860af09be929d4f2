<?php
/** What happened while WordPress was asked, and how that is told. */
final class VigieInspect
{
    private const FATAL = [E_ERROR, E_PARSE, E_CORE_ERROR, E_COMPILE_ERROR, E_USER_ERROR, E_RECOVERABLE_ERROR];

    private const CHECKS = [
        'core' => '/core/version-check/',
        'plugins' => '/plugins/update-check/',
        'themes' => '/themes/update-check/',
    ];

    public static $given = [];
    private static $root = '';
    private static $isTold = false;
    private static $redirect = null;
    private static $sets = [];
    private static $failures = [];

    public static function begin(): void
    {
        self::$given = VigieSay::open();
        // A program that comes on standard input has none of these, and code for the command line uses them.
        foreach (['STDIN' => 'rb', 'STDOUT' => 'wb', 'STDERR' => 'wb'] as $name => $mode) {
            defined($name) || define($name, fopen('php://' . strtolower($name), $mode));
        }
        // Before all else: whatever the site prints, none of it is ours.
        ob_start(static function () {
            return '';
        });
        register_shutdown_function([self::class, 'end']);
        self::pretend(parse_url(self::$given['url']) ?: []);
        self::listen();
        self::$root = (string) getcwd();
    }

    /** The site is asked for as its visitors ask: a network of sites is nothing without its name. */
    private static function pretend(array $url): void
    {
        $isSecure = ($url['scheme'] ?? 'http') === 'https';
        $host = ($url['host'] ?? 'localhost') . (isset($url['port']) ? ':' . $url['port'] : '');
        $_SERVER = [
            'HTTP_HOST' => $host,
            'SERVER_NAME' => $url['host'] ?? 'localhost',
            'SERVER_PORT' => (string) ($url['port'] ?? ($isSecure ? 443 : 80)),
            'SERVER_PROTOCOL' => 'HTTP/1.1',
            'SERVER_SOFTWARE' => 'Vigie',
            'SERVER_ADDR' => '127.0.0.1',
            'REMOTE_ADDR' => '127.0.0.1',
            'REQUEST_METHOD' => 'GET',
            'REQUEST_URI' => rtrim($url['path'] ?? '', '/') . '/',
            'QUERY_STRING' => '',
            'PHP_SELF' => '/index.php',
            'SCRIPT_NAME' => '/index.php',
            'SCRIPT_FILENAME' => self::$given['path'] . '/index.php',
            'DOCUMENT_ROOT' => self::$given['path'],
            'HTTP_USER_AGENT' => 'Vigie',
        ] + $_SERVER;
        if ($isSecure) {
            $_SERVER['HTTPS'] = 'on';
        }
    }

    /** WordPress makes hooks of these when it starts. */
    private static function listen(): void
    {
        $hook = static function (string $name, int $priority, string $method, int $args = 1) {
            $GLOBALS['wp_filter'][$name][$priority][] = ['function' => [self::class, $method], 'accepted_args' => $args];
        };
        $hook('init', -PHP_INT_MAX, 'withoutCron');
        $hook('wp_redirect', PHP_INT_MAX, 'noteRedirect');
        if (self::$given['skip']) {
            $hook('pre_option_active_plugins', PHP_INT_MAX, 'nothing');
            $hook('pre_site_option_active_sitewide_plugins', PHP_INT_MAX, 'nothing');
            $hook('setup_theme', PHP_INT_MAX, 'withoutTheme');
        }
        if (self::$given['api'] !== null) {
            $hook('pre_http_request', PHP_INT_MAX, 'ask', 3);
        }
    }

    public static function withoutCron(): void
    {
        remove_action('init', 'wp_cron');
        remove_action('shutdown', '_wp_cron');
    }

    public static function noteRedirect($location)
    {
        self::$redirect = VigieSay::text($location, 300);
        return $location;
    }

    public static function nothing(): array
    {
        return [];
    }

    public static function noFolder(): string
    {
        return '';
    }

    public static function withoutTheme(): void
    {
        add_filter('stylesheet_directory', [self::class, 'noFolder'], PHP_INT_MAX);
        add_filter('template_directory', [self::class, 'noFolder'], PHP_INT_MAX);
    }

    /** Once WordPress runs, what was kept from it is there to be read. */
    public static function uncover(): void
    {
        remove_filter('pre_option_active_plugins', [self::class, 'nothing'], PHP_INT_MAX);
        remove_filter('pre_site_option_active_sitewide_plugins', [self::class, 'nothing'], PHP_INT_MAX);
        remove_filter('stylesheet_directory', [self::class, 'noFolder'], PHP_INT_MAX);
        remove_filter('template_directory', [self::class, 'noFolder'], PHP_INT_MAX);
    }

    /** Another server stands for WordPress.org. */
    public static function ask($answer, $args, $url)
    {
        if (preg_match('~^https?://(?:api|downloads)\.wordpress\.org(/.*)$~i', (string) $url, $match) !== 1) {
            return $answer;
        }
        $args = (array) $args;
        $args['reject_unsafe_urls'] = false;
        return wp_remote_request(rtrim(self::$given['api'], '/') . $match[1], $args);
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

    private static function kindOf($url): ?string
    {
        foreach (self::CHECKS as $kind => $part) {
            if (strpos((string) $url, $part) !== false) {
                return $kind;
            }
        }
        return null;
    }

    public static function noteAnswer($response, $context, $class, $args, $url): void
    {
        $kind = self::kindOf($url);
        if ($kind === null) {
            return;
        }
        if (is_wp_error($response)) {
            self::$failures[$kind] = VigieSay::text($response->get_error_message(), 400);
        } else {
            self::$failures[$kind] = 'HTTP ' . wp_remote_retrieve_response_code($response);
        }
    }

    /** WordPress would take a page of a proxy for an answer without updates, and forget those that it knows. */
    public static function refuseNonsense($response, $args, $url)
    {
        $kind = self::kindOf($url);
        if ($kind === null || is_wp_error($response) || wp_remote_retrieve_response_code($response) !== 200) {
            return $response;
        }
        $answer = json_decode(wp_remote_retrieve_body($response), true);
        if (is_array($answer) && isset($answer[$kind === 'core' ? 'offers' : $kind])) {
            return $response;
        }
        self::$failures[$kind] = 'the answer is not one of WordPress.org';
        return new WP_Error('vigie', self::$failures[$kind]);
    }

    public static function tell(array $found): void
    {
        self::$isTold = true;
        VigieSay::line(['is' => 'found', 'php' => PHP_VERSION, 'root' => self::$root] + $found);
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
        $last = error_get_last();
        if ($last !== null && in_array($last['type'], self::FATAL, true)) {
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
    require_once ABSPATH . 'wp-admin/includes/admin.php';
    VigieInspect::uncover();
    $vigie_checks = VigieInspect::$given['refresh'] ? VigieInspect::refresh() : null;
    VigieInspect::tell(VigieInventory::read() + ['checks' => $vigie_checks]);
} catch (Throwable $vigie_error) {
    VigieInspect::fail('fatal', $vigie_error->getMessage(), $vigie_error->getFile(), $vigie_error->getLine());
    exit(1);
}
