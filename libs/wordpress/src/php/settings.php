<?php
/** Restores the options of one item, and leaves those of others alone. */
final class VigieSettings
{
    public static function giveBack(array $about): void
    {
        if ($about['kind'] === 'core') {
            self::set('db_version', $about['options']['db_version']);
        } elseif ($about['kind'] === 'theme') {
            self::theme($about['options']);
        } else {
            self::plugins($about);
        }
        wp_clean_plugins_cache(false);
        wp_clean_themes_cache(false);
    }

    /** Releases the locks of this operation only. */
    public static function unlock(string $kind): void
    {
        $since = VigieTell::$lockedAt;
        if ($since > 0) {
            self::delete('auto_updater', $since, $since + 2);
        }
        if ($kind === 'core') {
            self::delete('core_updater', $since > 0 ? $since : PHP_INT_MAX, PHP_INT_MAX);
        }
    }

    private static function delete(string $name, int $from, int $to): void
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
    private static function theme(array $was): void
    {
        if (get_option('stylesheet') !== $was['stylesheet']) {
            foreach (['sidebars_widgets', 'theme_switched', 'template_root', 'stylesheet_root'] as $name) {
                // Copies of older releases have none of them.
                array_key_exists($name, $was) && self::set($name, $was[$name]);
            }
            // WordPress rebuilds them when they are missing.
            update_option('rewrite_rules', '');
        }
        // The stylesheet comes last: while it differs, a repeated run does all of it again.
        foreach (['template', 'current_theme', 'stylesheet'] as $name) {
            self::set($name, $was[$name]);
        }
    }

    private static function plugins(array $about): void
    {
        $isOurs = static function ($file) use ($about): bool {
            return strtok((string) $file, '/') === strtok((string) ($about['files'][0] ?? $about['slug']), '/')
                || strtok((string) $file, '/') === $about['slug'];
        };
        $was = (array) $about['options']['active_plugins'];
        $now = array_values((array) get_option('active_plugins'));
        $next = array_merge(array_filter($now, static function ($file) use ($isOurs) {
            return !$isOurs($file);
        }), array_filter($was, $isOurs));
        // Keeps the old order, unless other plugins came or went.
        $next = array_diff($was, $next) === [] && array_diff($next, $was) === [] ? $was : array_values($next);
        self::set('active_plugins', $next);
        if (is_multisite()) {
            $network = (array) get_site_option('active_sitewide_plugins');
            $old = array_filter((array) $about['network_plugins'], $isOurs, ARRAY_FILTER_USE_KEY);
            $kept = array_diff_key($network, array_filter($network, $isOurs, ARRAY_FILTER_USE_KEY)) + $old;
            if ($kept != $network) {
                update_site_option('active_sitewide_plugins', $kept);
            }
        }
    }
}
