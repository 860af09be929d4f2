<?php
/** Tests whether a restored site starts. */
final class VigieRestoreStart
{
    /** Runs in a new process, without any code of the old state. */
    public static function run(): int
    {
        VigieOperation::reportStep('start');
        VigieStart::hook('enable_maintenance_mode', [VigieSite::class, 'returnFalse']);
        VigieBoot::$onEnd = static function (?array $fatal): int {
            $facts = $fatal === null ? ['words' => '', 'path' => ''] : VigieBoot::fatalFields($fatal);
            VigieOperation::report(['is' => 'broken'] + $facts);
            return 20;
        };
        try {
            // As for a visitor: some plugins write to the database for administrators.
            VigieBoot::start(false);
            self::refreshCaches();
            VigieBoot::exitWith(0);
        } catch (Throwable $error) {
            $facts = ['message' => $error->getMessage(), 'file' => $error->getFile(), 'line' => $error->getLine()];
            VigieOperation::report(['is' => 'broken'] + VigieBoot::fatalFields($facts));
        }
        return 20;
    }

    /** Refreshes caches, the database version and rewrite rules. */
    private static function refreshCaches(): void
    {
        wp_cache_flush();
        if ((int) get_option('db_version') < (int) $GLOBALS['wp_db_version'] && !is_multisite()) {
            require_once ABSPATH . 'wp-admin/includes/upgrade.php';
            wp_upgrade();
        }
        flush_rewrite_rules(false);
    }
}
