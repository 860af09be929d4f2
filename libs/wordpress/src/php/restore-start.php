<?php
/** Whether a site that was restored starts. */
final class VigieRestoreStart
{
    /** In a process of its own, that has none of the code that was there. */
    public static function run(): int
    {
        VigieTell::step('start');
        VigieStart::hook('enable_maintenance_mode', [VigieSite::class, 'no']);
        VigieBoot::$onEnd = static function (?array $fatal): int {
            $facts = $fatal === null ? ['words' => '', 'path' => ''] : VigieBoot::fatal($fatal);
            VigieTell::line(['is' => 'broken'] + $facts);
            return 20;
        };
        try {
            // As visitors have it: for administrators some plugins write what the archive has not.
            VigieBoot::start(false);
            self::renew();
            VigieBoot::finish(0);
        } catch (Throwable $error) {
            $facts = ['message' => $error->getMessage(), 'file' => $error->getFile(), 'line' => $error->getLine()];
            VigieTell::line(['is' => 'broken'] + VigieBoot::fatal($facts));
        }
        return 20;
    }

    /** What WordPress keeps of its files and tables beside them. */
    private static function renew(): void
    {
        wp_cache_flush();
        if ((int) get_option('db_version') < (int) $GLOBALS['wp_db_version'] && !is_multisite()) {
            require_once ABSPATH . 'wp-admin/includes/upgrade.php';
            wp_upgrade();
        }
        flush_rewrite_rules(false);
    }
}
