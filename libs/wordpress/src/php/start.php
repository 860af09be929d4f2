<?php
/** Prepares to start a site's WordPress: as for a visitor, with output muted. */
final class VigieStart
{
    private const FATAL = [E_ERROR, E_PARSE, E_CORE_ERROR, E_COMPILE_ERROR, E_USER_ERROR, E_RECOVERABLE_ERROR];
    /** Parts of the addresses with which WordPress checks for updates. */
    private const CHECKS = [
        'core' => '/core/version-check/',
        'plugins' => '/plugins/update-check/',
        'themes' => '/themes/update-check/',
    ];
    private static $api = null;
    private static $skipsPlugins = false;

    /** Call first. A program on a descriptor has no STDIN and so on, which command-line code uses. */
    public static function muteOutput(callable $end): void
    {
        foreach (['STDIN' => 'rb', 'STDOUT' => 'wb', 'STDERR' => 'wb'] as $name => $mode) {
            defined($name) || define($name, fopen('php://' . strtolower($name), $mode));
        }
        ob_start(static function () {
            return '';
        }, 1048576);
        register_shutdown_function($end);
    }

    /** Sets $_SERVER as for a visit: a network is identified by its host name. */
    public static function simulateVisit(string $path, string $address): void
    {
        $url = parse_url($address) ?: [];
        $isSecure = ($url['scheme'] ?? 'http') === 'https';
        $_SERVER = [
            'HTTP_HOST' => ($url['host'] ?? 'localhost') . (isset($url['port']) ? ':' . $url['port'] : ''),
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
            'SCRIPT_FILENAME' => "$path/index.php",
            'DOCUMENT_ROOT' => $path,
            'HTTP_USER_AGENT' => 'Vigie',
        ] + ($isSecure ? ['HTTPS' => 'on'] : []) + $_SERVER;
    }

    /** WordPress turns this array into hooks when it starts. */
    public static function hook(string $name, callable $callback, int $args = 1, int $priority = PHP_INT_MAX): void
    {
        $GLOBALS['wp_filter'][$name][$priority][] = ['function' => $callback, 'accepted_args' => $args];
    }

    /** Disables cron; skips plugins and theme if asked; sends requests for WordPress.org to `$api`. */
    public static function addHooks(bool $isSkipping, ?string $api): void
    {
        self::$skipsPlugins = $isSkipping;
        self::$api = $api;
        self::hook('init', [self::class, 'removeCron'], 1, -PHP_INT_MAX);
        if ($isSkipping) {
            self::hook('pre_option_active_plugins', [self::class, 'emptyArray']);
            self::hook('pre_site_option_active_sitewide_plugins', [self::class, 'emptyArray']);
            self::hook('setup_theme', [self::class, 'skipTheme']);
        }
        if ($api !== null) {
            self::hook('pre_http_request', [self::class, 'sendToApi'], 3);
        }
    }

    /** Once WordPress runs, the skipped options become readable. */
    public static function removeHooks(): void
    {
        foreach (['pre_option_active_plugins', 'pre_site_option_active_sitewide_plugins'] as $name) {
            remove_filter($name, [self::class, 'emptyArray'], PHP_INT_MAX);
        }
        foreach (['stylesheet_directory', 'template_directory'] as $name) {
            remove_filter($name, [self::class, 'emptyString'], PHP_INT_MAX);
        }
    }

    public static function removeCron(): void
    {
        remove_action('init', 'wp_cron');
        remove_action('shutdown', '_wp_cron');
        if (self::$skipsPlugins) {
            // Without the theme's sidebars and post types, the site would lose its widgets and addresses.
            remove_action('init', 'check_theme_switched', 99);
        }
    }

    public static function emptyArray(): array
    {
        return [];
    }

    public static function emptyString(): string
    {
        return '';
    }

    public static function skipTheme(): void
    {
        add_filter('stylesheet_directory', [self::class, 'emptyString'], PHP_INT_MAX);
        add_filter('template_directory', [self::class, 'emptyString'], PHP_INT_MAX);
    }

    public static function sendToApi($answer, $args, $url)
    {
        if (preg_match('~^https?://(?:api|downloads)\.wordpress\.org(/.*)$~i', (string) $url, $match) !== 1) {
            return $answer;
        }
        $args = (array) $args;
        $args['reject_unsafe_urls'] = false;
        return wp_remote_request(rtrim(self::$api, '/') . $match[1], $args);
    }

    /** The kind of update check that a request is. */
    public static function updateCheckOf($url): ?string
    {
        foreach (self::CHECKS as $kind => $part) {
            if (strpos((string) $url, $part) !== false) {
                return $kind;
            }
        }
        return null;
    }

    /** A proxy's error page would count as "no updates", and WordPress would forget those that it knows. */
    public static function rejectInvalidAnswer($response, $args, $url)
    {
        $kind = self::updateCheckOf($url);
        if ($kind === null || is_wp_error($response) || wp_remote_retrieve_response_code($response) !== 200) {
            return $response;
        }
        $answer = json_decode(wp_remote_retrieve_body($response), true);
        $isAnswer = is_array($answer) && isset($answer[$kind === 'core' ? 'offers' : $kind]);
        return $isAnswer ? $response : new WP_Error('vigie', 'the answer is not from WordPress.org');
    }

    /** The fatal error that ended PHP, if any. */
    public static function lastFatal(): ?array
    {
        $last = error_get_last();
        return $last !== null && in_array($last['type'], self::FATAL, true) ? $last : null;
    }
}
