<?php
/** Starts the WordPress of a site for a change. */
final class VigieBoot
{
    /** What answers for PHP that ends without having been asked to: gets the fatal error, or null. */
    public static $onEnd = null;
    private static $code = null;

    /** `$isForChanges`: with what WordPress has for its administrators. */
    public static function start(bool $isForChanges = true): void
    {
        ['site' => $site, 'api' => $api] = VigieTell::$order;
        VigieStart::hush([self::class, 'end']);
        VigieStart::pretend($site['path'], $site['url']);
        VigieStart::listen(VigieTell::$isSkipping, $api);
        VigieStart::hook('filesystem_method', [self::class, 'direct']);
        foreach (['wp_die_handler', 'wp_die_ajax_handler', 'wp_die_json_handler'] as $name) {
            VigieStart::hook($name, [self::class, 'dying']);
        }
        $isForChanges && define('WP_ADMIN', true);
        if (VigieTell::$part === 'database') {
            define('WP_INSTALLING', true);
        }
        require getcwd() . '/wp-load.php';
        if ($isForChanges) {
            require_once ABSPATH . 'wp-admin/includes/admin.php';
            require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
        }
        VigieStart::uncover();
        add_filter('http_response', [VigieStart::class, 'refuseNonsense'], PHP_INT_MAX, 3);
        set_time_limit(0);
    }

    public static function direct(): string
    {
        return 'direct';
    }

    public static function dying(): callable
    {
        return static function ($message) {
            $text = is_wp_error($message) ? $message->get_error_message() : $message;
            throw new VigieDied(is_scalar($text) ? (string) preg_replace('/\s+/', ' ', VigieTell::plain($text)) : 'wp_die');
        };
    }

    /** Ends PHP with this code, after what WordPress and its plugins do at the end. */
    public static function finish(int $code): void
    {
        self::$code = $code;
        exit($code);
    }

    /** The first of all that runs at the end. */
    public static function end(): void
    {
        if (self::$code === null) {
            $code = self::$onEnd === null ? 1 : (int) call_user_func(self::$onEnd, VigieStart::lastFatal());
            // Leaving here keeps WordPress from writing letters about an error.
            exit($code);
        }
        try {
            function_exists('shutdown_action_hook') && shutdown_action_hook();
        } catch (Throwable $error) {
            VigieTell::said($error->getMessage());
        }
        exit(self::$code);
    }

    /** A fatal error as its sentence needs it. */
    public static function fatal(array $last): array
    {
        $file = (string) ($last['file'] ?? '');
        $root = (string) getcwd();
        $place = strpos($file, "$root/") === 0 ? substr($file, strlen($root) + 1) : $file;
        $words = strtok((string) $last['message'], "\n") ?: '';
        $words = preg_replace('~ in ' . preg_quote($file, '~') . ':\d+$~', '', $words);
        if (strncmp((string) $words, VigieDied::UNCAUGHT, strlen(VigieDied::UNCAUGHT)) === 0) {
            // WordPress said so itself: where it was heard is of no use to anybody.
            return ['words' => substr($words, strlen(VigieDied::UNCAUGHT), 500), 'path' => ''];
        }
        return [
            'words' => str_replace("$root/", '', substr((string) $words, 0, 500)),
            'path' => $file === '' ? '' : substr($place, 0, 300) . ':' . (int) ($last['line'] ?? 0),
        ];
    }
}

/** What WordPress would have shown to whoever asked, as it gave up. */
final class VigieDied extends RuntimeException
{
    public const UNCAUGHT = 'Uncaught ' . self::class . ': ';
}
