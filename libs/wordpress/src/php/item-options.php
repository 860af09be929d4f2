<?php
/** Restores the options of one item, and leaves those of others alone. */
final class VigieItemOptions
{
    public static function restore(array $about): void
    {
        if ($about['kind'] === 'core') {
            self::set('db_version', $about['options']['db_version']);
        } elseif ($about['kind'] === 'theme') {
            self::restoreTheme($about['options']);
        } else {
            self::restorePlugins($about);
        }
        wp_clean_plugins_cache(false);
        wp_clean_themes_cache(false);
    }

    /** Releases the locks of this operation only. */
    public static function releaseLocks(string $kind): void
    {
        $lockedAt = VigieOperation::$lockedAt;
        if ($lockedAt > 0) {
            // WordPress stores the second in which it made the lock, once the note of the time is on the disk.
            self::releaseLock('auto_updater', $lockedAt, $lockedAt + 30);
        }
        if ($kind === 'core') {
            self::releaseLock('core_updater', $lockedAt > 0 ? $lockedAt : PHP_INT_MAX, PHP_INT_MAX);
        }
    }

    private static function releaseLock(string $name, int $from, int $to): void
    {
        $value = get_option("$name.lock");
        if ($value !== false && (int) $value >= $from && (int) $value <= $to) {
            delete_option("$name.lock");
        }
    }

    private static function set(string $name, $value): void
    {
        if ($value === false) {
            delete_option($name);
        } elseif (get_option($name) !== $value) {
            update_option($name, $value);
        }
    }

    /** Under the new theme, WordPress may have moved the widgets and rewritten the addresses. */
    private static function restoreTheme(array $before): void
    {
        if (get_option('stylesheet') !== $before['stylesheet']) {
            foreach (['sidebars_widgets', 'theme_switched', 'template_root', 'stylesheet_root'] as $name) {
                // Copies of older releases have none of them.
                array_key_exists($name, $before) && self::set($name, $before[$name]);
            }
            // WordPress rebuilds them when they are missing.
            update_option('rewrite_rules', '');
        }
        // The stylesheet comes last: while it differs, a repeated run does all of it again.
        foreach (['template', 'current_theme', 'stylesheet'] as $name) {
            self::set($name, $before[$name]);
        }
    }

    private static function restorePlugins(array $about): void
    {
        $isOfItem = static function ($file) use ($about): bool {
            return strtok((string) $file, '/') === strtok((string) ($about['files'][0] ?? $about['slug']), '/')
                || strtok((string) $file, '/') === $about['slug'];
        };
        $before = (array) $about['options']['active_plugins'];
        $current = array_values((array) get_option('active_plugins'));
        $next = array_merge(array_filter($current, static function ($file) use ($isOfItem) {
            return !$isOfItem($file);
        }), array_filter($before, $isOfItem));
        // Keeps the old order, unless other plugins came or went.
        $next = array_diff($before, $next) === [] && array_diff($next, $before) === [] ? $before : array_values($next);
        self::set('active_plugins', $next);
        if (is_multisite()) {
            $network = (array) get_site_option('active_sitewide_plugins');
            $old = array_filter((array) $about['network_plugins'], $isOfItem, ARRAY_FILTER_USE_KEY);
            $merged = array_diff_key($network, array_filter($network, $isOfItem, ARRAY_FILTER_USE_KEY)) + $old;
            if ($merged != $network) {
                update_site_option('active_sitewide_plugins', $merged);
            }
        }
    }
}
