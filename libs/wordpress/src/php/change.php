<?php
/** Checks before a change of an item, the rollback copy, and the checks after it. */
final class VigieChange
{
    private const MARGIN_BYTES = 16777216;
    /** Seconds: a slower start may also exceed the time limit of the check afterwards. */
    private const SLOW_SECONDS = 20;
    private static $state = 'starting';
    private static $upgrade = null;
    /** The tables that a WordPress update changes, in its rollback copy. */
    private static $tables = null;

    /** Checks, copies and changes in one process, since starting WordPress is most of the work. */
    public static function prepare(): void
    {
        VigieOperation::reportStep('checks');
        self::checkMaintenance();
        VigieBoot::$onEnd = [self::class, 'onPrepareEnd'];
        $starts = self::startSite();
        self::$state = 'checking';
        $item = self::findItem($starts);
        $changesFiles = self::changesFiles();
        self::reportLogs();
        self::checkAction($item);
        if ($changesFiles) {
            self::checkFiles($item);
            self::checkRoom($item, self::$tables);
        }
        VigieUpdateLocks::check();
        $about = self::writeCopy($item, $changesFiles, self::siteState(), self::$tables);
        if (!function_exists('fsync')) {
            // Without fsync a power loss could take the copy: the shell syncs it, and a new process continues.
            VigieBoot::exitWith(21);
        }
        $copy = ['is_copy' => $changesFiles && $item->paths !== [], 'has_tables' => self::$tables !== null];
        VigieOperation::report(['is' => 'aside', 'bytes' => $about['written']] + $copy);
        self::changeItem($about);
    }

    /** Starts WordPress; returns whether it started with its plugins, and quickly. */
    public static function startSite(): bool
    {
        $startedAt = microtime(true);
        VigieBoot::start();
        return !VigieOperation::$skipsPlugins && microtime(true) - $startedAt < self::SLOW_SECONDS;
    }

    public static function findItem(bool $starts): VigieItem
    {
        $item = VigieItem::find(VigieOperation::$order);
        VigieOperation::report(['is' => 'found', 'version' => $item->version, 'name' => $item->name, 'starts' => $starts]);
        return $item;
    }

    public static function reportLogs(): void
    {
        VigieOperation::report(['is' => 'logs', 'places' => VigieLogs::places((string) getcwd(), WP_CONTENT_DIR)]);
    }

    private static function changesFiles(): bool
    {
        return in_array(VigieOperation::$order['action'], ['update', 'install', 'restore'], true);
    }

    /** Like WordPress, ignores a maintenance file that is older than ten minutes. */
    public static function checkMaintenance(): void
    {
        $root = (string) getcwd();
        if (VigieMaintenance::isClosed($root)) {
            throw new VigieStop('wordpress_busy', 'maintenance');
        }
        $file = $root . VigieMaintenance::NAME;
        if (is_file($file) && @unlink($file)) {
            VigieOperation::log('Le fichier .maintenance d’une ancienne mise à jour interrompue a été supprimé.');
        }
    }

    public static function checkAction(VigieItem $item): void
    {
        $order = VigieOperation::$order;
        $action = $order['action'];
        if ($action !== 'install' && (!$item->isThere() || ($item->kind === 'plugin' && $item->files === []))) {
            throw new VigieStop('refused_by_wordpress', 'absent');
        }
        if ($action === 'activate' && $item->isActive()) {
            throw new VigieStop('nothing_to_do');
        }
        if ($action === 'deactivate' && !$item->isActive()) {
            throw new VigieStop('nothing_to_do');
        }
        if ($action === 'update') {
            if (substr((string) ($item->roots[0] ?? ''), -4) === '.php') {
                throw new VigieStop('refused_by_wordpress', 'single');
            }
            VigieOffers::require($item, $order['to']);
        }
    }

    public static function checkFiles(VigieItem $item): void
    {
        if (!wp_is_file_mod_allowed('vigie')) {
            throw new VigieStop('changes_forbidden', 'setting');
        }
        if (VigieFiles::isComposer(rtrim(ABSPATH, '/'))) {
            throw new VigieStop('changes_forbidden', 'composer');
        }
        $hasTables = $item->kind === 'core' && !VigieSite::isSqlite();
        if ($hasTables) {
            $folders = [$item->base, rtrim(WP_CONTENT_DIR, '/')];
            VigieLeftoverTables::clear(new VigieConnection(), $folders, $GLOBALS['table_prefix'], is_multisite());
        }
        $item->measure();
        if ($hasTables) {
            self::$tables = new VigieRollbackTables($GLOBALS['table_prefix'], is_multisite());
        }
    }

    /**
     * Space for the rollback copy, and for what is unpacked before it replaces the item. `$times`: how often the copy
     * lies on its disk.
     */
    public static function checkRoom(VigieItem $item, ?VigieRollbackTables $tables, int $times = 1): void
    {
        $copy = $item->bytes + ($tables === null ? 0 : $tables->bytes);
        if ($copy > VigieOperation::$allowance || $times * $copy + 1048576 > VigieOperation::$free) {
            throw new VigieStop('no_room', 'copy', ['most' => self::size(self::maxCopyBytes())]);
        }
        $package = VigieOperation::$order['package'];
        $needed = 2 * $item->bytes;
        if ($package !== null) {
            $new = (int) ($package['unpacked'] ?? 4 * $package['size']);
            // During a rollback the old version is unpacked beside the new one.
            $needed = max($package['size'] + 2 * $new, $new + $item->bytes);
        }
        $needed += self::MARGIN_BYTES + (self::isOnCopyDisk($item) ? $times * $copy : 0) + self::bytesForTables($item->base, $tables);
        $free = VigieRoom::free($item->base);
        if ($free !== null && $free < $needed) {
            throw new VigieStop('no_room', 'site', ['most' => self::size($free)]);
        }
        if (VigieOperation::$inodes !== null && VigieOperation::$inodes < 200 + 2 * count($item->paths)) {
            throw new VigieStop('no_room', 'inodes');
        }
    }

    /** Bytes on the site's disk that a restore of the tables needs, if the database is on that disk. */
    private static function bytesForTables(string $base, ?VigieRollbackTables $tables): int
    {
        if ($tables === null || $tables->folder === null) {
            return 0;
        }
        if (VigieRoom::diskOf($tables->folder) === VigieRoom::diskOf($base)) {
            return $tables->stored;
        }
        $free = (int) VigieRoom::free($tables->folder);
        if ($free < $tables->stored + self::MARGIN_BYTES) {
            throw new VigieStop('no_room', 'tables', ['most' => self::size($free)]);
        }
        return 0;
    }

    private static function maxCopyBytes(): int
    {
        return min(VigieOperation::$allowance, VigieOperation::$free);
    }

    public static function size(int $bytes): string
    {
        return number_format($bytes / 1048576, 0, ',', ' ') . ' Mo';
    }

    private static function isOnCopyDisk(VigieItem $item): bool
    {
        return (@stat($item->base)['dev'] ?? -1) === (@fstat(fopen('php://fd/6', 'wb'))['dev'] ?? -2);
    }

    /** What every rollback copy says about the site. */
    public static function siteState(): array
    {
        $names = ['active_plugins', 'template', 'stylesheet', 'current_theme', 'template_root', 'stylesheet_root'];
        $names = array_merge($names, ['sidebars_widgets', 'theme_switched', 'db_version']);
        return [
            'options' => array_combine($names, array_map('get_option', $names)),
            'network_plugins' => is_multisite() ? get_site_option('active_sitewide_plugins') : null,
            'content' => WP_CONTENT_DIR,
            'temporary' => rtrim(get_temp_dir(), '/'),
        ];
    }

    public static function writeCopy(VigieItem $item, bool $changesFiles, array $options, ?VigieRollbackTables $tables): array
    {
        $out = fopen('php://fd/6', 'wb');
        // Copies of other items may lie before this one.
        $offset = fstat($out)['size'] ?? 0;
        $roots = $changesFiles ? $item->roots : [];
        $about = [
            'format' => 1,
            'operation' => VigieOperation::$order['operation'],
            'site' => VigieOperation::$order['site'],
            'kind' => $item->kind,
            'slug' => $item->slug,
            'name' => $item->name,
            'version' => $item->version,
            'made_at' => gmdate('c'),
            // The real folder of the site at that time.
            'root' => (string) getcwd(),
            'base' => $item->base,
            // What the copy holds, and what a rollback replaces.
            'roots' => $roots,
            'targets' => $roots,
            'files' => $item->files,
            'bytes' => $item->bytes,
            'tables' => $tables === null ? null : $tables->definitions(),
        ];
        $about += $options;
        $copy = new VigieRollbackCopy($out, $about);
        $done = 0;
        foreach ($changesFiles ? $item->paths : [] as $path) {
            $done += 1024 + $copy->add("$item->base/$path", "files/$path");
            VigieOperation::reportStep('aside', min($done, $item->bytes), $item->bytes);
        }
        $tables === null || $tables->write($copy, self::maxCopyBytes() - $done);
        $copy->finish();
        $about['offset'] = $offset;
        $about['written'] = (fstat($out)['size'] ?? 0) - $offset;
        fclose($out);
        return $about;
    }

    public static function onPrepareEnd(?array $fatal): int
    {
        VigieUpdateLocks::release();
        if (self::$state === 'starting' && !VigieOperation::$skipsPlugins && self::mayRunWithoutPlugins()) {
            VigieOperation::log("WordPress ne démarre pas avec ses extensions\u{a0}: la modification se fait sans elles.");
            return 20;
        }
        $fields = $fatal === null ? ['words' => 'son code s’arrête avant la fin'] : VigieBoot::fatalFields($fatal);
        VigieOperation::report(['is' => 'refused', 'code' => 'refused_by_wordpress', 'why' => 'start'] + $fields);
        return 13;
    }

    private static function mayRunWithoutPlugins(): bool
    {
        $order = VigieOperation::$order;
        return in_array($order['action'], ['update', 'deactivate'], true) || ($order['action'] === 'install' && !$order['activate']);
    }

    /** Continues after another process wrote the copy. */
    public static function continueChange(): void
    {
        $copy = VigieRollback::open(6);
        if ($copy === null) {
            throw new VigieStop('no_room', 'write');
        }
        VigieBoot::$onEnd = [self::class, 'onChangeEnd'];
        VigieBoot::start();
        self::changeItem($copy->about);
    }

    /** Changes the item with WordPress's own classes. */
    private static function changeItem(array $about): void
    {
        VigieBoot::$onEnd = [self::class, 'onChangeEnd'];
        VigieUpdateLocks::take();
        $item = self::findUnchanged($about);
        VigieOperation::reportStep('change');
        self::$upgrade = new VigieUpgrade($item);
        self::$upgrade->addHooks();
        VigieOperation::report(['is' => 'changing']);
        self::$upgrade->run();
        $changed = self::verifyVersion();
        VigieUpdateLocks::release();
        if ($item->kind === 'core') {
            VigieBoot::exitWith(0);
        }
        VigieOperation::report(self::doneReport($item->version, $changed));
        VigieBoot::exitWith(12);
    }

    /** The item as it was copied; under the lock only WordPress itself may have changed it meanwhile. */
    public static function findUnchanged(array $about): VigieItem
    {
        $item = VigieItem::find(VigieOperation::$order);
        if ($item->version !== $about['version']) {
            throw new VigieStop('wordpress_busy', 'changed');
        }
        return $item;
    }

    /** Reads the new version from the files. */
    public static function verifyVersion(): VigieItem
    {
        VigieOperation::reportStep('verify');
        self::clearMaintenance();
        $item = VigieItem::find(VigieOperation::$order);
        $to = VigieOperation::$order['to'];
        if (self::changesFiles() && $to !== null && $item->version !== $to) {
            $fields = ['words' => (string) ($item->version ?? '?'), 'most' => $to];
            throw new VigieStop('failed', 'version', $fields);
        }
        return $item;
    }

    private static function clearMaintenance(): void
    {
        $file = rtrim(ABSPATH, '/') . '/.maintenance';
        clearstatcache();
        if (is_file($file) && !@unlink($file)) {
            throw new VigieStop('failed', 'left', ['path' => $file]);
        }
    }

    public static function doneReport(?string $from, VigieItem $item): array
    {
        return [
            'is' => 'done',
            'from' => $from,
            'to' => $item->version,
            'name' => $item->name,
            'status' => $item->isActive() ? 'active' : 'inactive',
        ];
    }

    public static function onChangeEnd(?array $fatal): int
    {
        VigieUpdateLocks::release();
        $upgrade = self::$upgrade;
        $upgrade === null || $upgrade->deleteTemporary();
        $isUntouched = $upgrade === null || $upgrade->isUntouched();
        // No rollback will open the site again.
        $upgrade !== null && $isUntouched && VigieMaintenance::open(rtrim(ABSPATH, '/'));
        VigieOperation::report(self::fatalReport($fatal, $isUntouched, $upgrade === null ? 'start' : 'fatal'));
        return $isUntouched ? 13 : 11;
    }

    /** The end of an item at which PHP stopped. */
    public static function fatalReport(?array $fatal, bool $isUntouched, string $why): array
    {
        $fields = $fatal === null ? ['words' => 'le code du site s’est arrêté en route'] : VigieBoot::fatalFields($fatal);
        return $isUntouched
            ? ['is' => 'refused', 'code' => 'refused_by_wordpress', 'why' => $why] + $fields
            : ['is' => 'failed', 'code' => 'failed', 'why' => 'fatal'] + $fields;
    }

    /** Reports an error before or during the change. */
    public static function reportFailure(VigieStop $stop): void
    {
        $isUntouched = self::$upgrade === null || self::$upgrade->isUntouched();
        VigieUpdateLocks::release();
        VigieOperation::report(['is' => $isUntouched ? 'refused' : 'failed'] + $stop->facts);
        VigieBoot::exitWith($isUntouched ? 13 : 11);
    }
}
