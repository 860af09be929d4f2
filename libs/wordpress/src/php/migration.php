<?php
/** Upgrades the database after an update of WordPress. */
final class VigieMigration
{
    public static function run(): void
    {
        VigieOperation::reportStep('database');
        VigieBoot::$onEnd = static function (?array $fatal): int {
            VigieOperation::report(VigieChange::fatalReport($fatal, false, 'fatal'));
            return 11;
        };
        VigieBoot::start();
        require_once ABSPATH . 'wp-admin/includes/upgrade.php';
        wp_upgrade();
        is_multisite() && self::upgradeSites();
        wp_cache_flush();
        $from = VigieRollback::descriptionOf(6)['version'] ?? null;
        VigieOperation::report(VigieChange::doneReport($from, VigieItem::find(VigieOperation::$order)));
        VigieBoot::exitWith(12);
    }

    /** wp_upgrade() covers one site: the others of a network have their own tables. */
    private static function upgradeSites(): void
    {
        $version = (string) $GLOBALS['wp_db_version'];
        $isWhole = true;
        foreach (get_sites(['number' => 0, 'site__not_in' => [get_current_blog_id()]]) as $site) {
            switch_to_blog((int) $site->blog_id);
            $words = '';
            try {
                // For a site without tables WordPress would report a missing database.
                get_option('siteurl') && wp_upgrade();
            } catch (Throwable $error) {
                $words = "\u{a0}: " . rtrim(VigieOperation::plainText($error->getMessage()), '.');
            }
            if ((string) get_option('db_version') !== $version) {
                $isWhole = false;
                VigieOperation::log("Les tables du site $site->domain$site->path n’ont pas pu être mises à niveau$words.");
            }
            while (ms_is_switched()) {
                restore_current_blog();
            }
        }
        // Without this, WordPress asks the network's administrators to upgrade.
        $isWhole && update_site_option('wpmu_upgrade_site', $version);
    }
}
