<?php
/** Starts the WordPress of a site for a change. */
final class VigieBoot
{
    /** Handles an unexpected end of PHP: receives the fatal error or null, and returns the exit code. */
    public static $onEnd = null;
    private static $exitCode = null;

    /** `$isForChanges`: loads the administration too. */
    public static function start(bool $isForChanges = true): void
    {
        ['site' => $site, 'api' => $api] = VigieOperation::$order;
        VigieStart::muteOutput([self::class, 'shutDown']);
        VigieStart::simulateVisit($site['path'], $site['url']);
        VigieStart::addHooks(VigieOperation::$skipsPlugins, $api);
        VigieStart::hook('filesystem_method', [self::class, 'filesystemMethod']);
        foreach (['wp_die_handler', 'wp_die_ajax_handler', 'wp_die_json_handler'] as $name) {
            VigieStart::hook($name, [self::class, 'dieHandler']);
        }
        $isForChanges && define('WP_ADMIN', true);
        if (VigieOperation::$part === 'database') {
            define('WP_INSTALLING', true);
        }
        require getcwd() . '/wp-load.php';
        if ($isForChanges) {
            require_once ABSPATH . 'wp-admin/includes/admin.php';
            require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
        }
        VigieStart::removeHooks();
        add_filter('http_response', [VigieStart::class, 'rejectInvalidAnswer'], PHP_INT_MAX, 3);
        set_time_limit(0);
    }

    public static function filesystemMethod(): string
    {
        return 'direct';
    }

    public static function dieHandler(): callable
    {
        return static function ($message) {
            $text = is_wp_error($message) ? $message->get_error_message() : $message;
            throw new VigieWpDied(is_scalar($text) ? (string) preg_replace('/\s+/', ' ', VigieOperation::plainText($text)) : 'wp_die');
        };
    }

    /** Exits after the shutdown functions of WordPress and its plugins. */
    public static function exitWith(int $code): void
    {
        self::$exitCode = $code;
        exit($code);
    }

    /** Runs before all other shutdown functions. */
    public static function shutDown(): void
    {
        if (self::$exitCode === null) {
            $code = self::$onEnd === null ? 1 : (int) call_user_func(self::$onEnd, VigieStart::lastFatal());
            // Exiting here prevents WordPress's e-mail about a fatal error.
            exit($code);
        }
        try {
            function_exists('shutdown_action_hook') && shutdown_action_hook();
        } catch (Throwable $error) {
            VigieOperation::log($error->getMessage());
        }
        exit(self::$exitCode);
    }

    /** The fields of a failure sentence for a fatal error. */
    public static function fatalFields(array $last): array
    {
        $file = (string) ($last['file'] ?? '');
        $root = (string) getcwd();
        $shortFile = strpos($file, "$root/") === 0 ? substr($file, strlen($root) + 1) : $file;
        $words = strtok((string) $last['message'], "\n") ?: '';
        $words = preg_replace('~ in ' . preg_quote($file, '~') . ':\d+$~', '', $words);
        if (strncmp((string) $words, VigieWpDied::UNCAUGHT, strlen(VigieWpDied::UNCAUGHT)) === 0) {
            // WordPress reported the failure itself, so the location in our code is of no use.
            return ['words' => substr($words, strlen(VigieWpDied::UNCAUGHT), 500), 'path' => ''];
        }
        return [
            'words' => str_replace("$root/", '', substr((string) $words, 0, 500)),
            'path' => $file === '' ? '' : substr($shortFile, 0, 300) . ':' . (int) ($last['line'] ?? 0),
        ];
    }
}

/** The message that WordPress would have shown with wp_die(). */
final class VigieWpDied extends RuntimeException
{
    public const UNCAUGHT = 'Uncaught ' . self::class . ': ';
}
