<?php
/** Reads plugins, themes and updates through WordPress itself. */
final class VigieInventory
{
    public static function read(): array
    {
        global $wpdb, $wp_version;
        return [
            'core' => ['version' => $wp_version, 'locale' => substr((string) get_locale(), 0, 20), 'offer' => self::coreOffer()],
            'extensions' => array_slice(array_merge(self::plugins(), self::mustUseAndDropIns(), self::themes()), 0, 2000),
            'database' => self::database($wpdb),
            'home' => VigieAnswer::text(home_url(), 2048),
            'title' => VigieAnswer::plainText(get_option('blogname')),
            'content_dir' => WP_CONTENT_DIR,
            'plugin_dir' => WP_PLUGIN_DIR,
            'owner' => VigieFiles::ownerOf(ABSPATH . 'wp-includes/version.php'),
            'multisite' => is_multisite(),
            'composer' => VigieFiles::isComposer(rtrim(ABSPATH, '/')),
            'forbids' => defined('DISALLOW_FILE_MODS') && DISALLOW_FILE_MODS,
            'writable' => is_writable(WP_PLUGIN_DIR),
            'needs_boot' => [],
        ];
    }

    private static function plugins(): array
    {
        $offers = self::offers('update_plugins');
        $items = [];
        foreach (get_plugins() as $file => $headers) {
            $items[] = [
                'type' => 'plugin',
                'kind' => 'regular',
                'file' => (string) $file,
                'name' => VigieAnswer::text($headers['Name']),
                'version' => VigieAnswer::text($headers['Version']),
                'active' => is_plugin_active($file),
                'network' => is_multisite() && is_plugin_active_for_network($file),
                'offer' => VigieAnswer::newerVersion($offers[$file] ?? null, $headers['Version']),
            ];
        }
        return $items;
    }

    private static function mustUseAndDropIns(): array
    {
        $items = [];
        foreach (['must_use' => get_mu_plugins(), 'drop_in' => get_dropins()] as $kind => $found) {
            foreach ($found as $file => $headers) {
                $items[] = [
                    'type' => 'plugin',
                    'kind' => $kind,
                    'file' => (string) $file,
                    'name' => VigieAnswer::text($headers['Name']),
                    'version' => VigieAnswer::text($headers['Version']),
                    'active' => true,
                ];
            }
        }
        return $items;
    }

    private static function themes(): array
    {
        $offers = self::offers('update_themes');
        $active = get_option('stylesheet');
        $items = [];
        foreach (wp_get_themes(['errors' => null]) as $slug => $theme) {
            $items[] = [
                'type' => 'theme',
                'kind' => 'regular',
                'file' => (string) $slug,
                'name' => VigieAnswer::text($theme->get('Name')) ?? (string) $slug,
                'version' => VigieAnswer::text($theme->get('Version')),
                'parent' => $theme->parent() ? VigieAnswer::text($theme->get('Template')) : '',
                'active' => $slug === $active,
                'offer' => VigieAnswer::newerVersion($offers[$slug] ?? null, $theme->get('Version')),
            ];
        }
        return $items;
    }

    private static function offers(string $transient): array
    {
        $found = get_site_transient($transient);
        $offers = [];
        foreach (is_object($found) && isset($found->response) ? (array) $found->response : [] as $name => $offer) {
            $offer = (array) $offer;
            $offers[$name] = $offer['new_version'] ?? null;
        }
        return $offers;
    }

    private static function coreOffer(): ?string
    {
        $updates = get_core_updates();
        foreach (is_array($updates) ? $updates : [] as $update) {
            if (isset($update->response) && $update->response === 'upgrade') {
                return VigieAnswer::newerVersion($update->current ?? null, $GLOBALS['wp_version']);
            }
        }
        return null;
    }

    private static function database($wpdb): ?array
    {
        if (stripos(get_class($wpdb), 'sqlite') !== false || defined('SQLITE_DB_DROPIN_VERSION')) {
            return ['kind' => 'sqlite', 'version' => class_exists('SQLite3') ? SQLite3::version()['versionString'] : ''];
        }
        $version = method_exists($wpdb, 'db_server_info') ? (string) $wpdb->db_server_info() : (string) $wpdb->db_version();
        $kind = stripos($version, 'mariadb') !== false ? 'mariadb' : 'mysql';
        return ['kind' => $kind, 'version' => VigieAnswer::text(preg_replace('/^5\.5\.5-/', '', $version), 100)];
    }
}
