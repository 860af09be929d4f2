<?php
/** Tests whether a restored site starts. */
final class VigieRestoreStart
{
    /** Runs in a new process, without any code of the old state. */
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
            // As for a visitor: some plugins write to the database for administrators.
            VigieBoot::start(false);
            self::renew();
            VigieBoot::finish(0);
        } catch (Throwable $error) {
            $facts = ['message' => $error->getMessage(), 'file' => $error->getFile(), 'line' => $error->getLine()];
            VigieTell::line(['is' => 'broken'] + VigieBoot::fatal($facts));
        }
        return 20;
    }

    /** Refreshes caches, the database version and rewrite rules. */
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
