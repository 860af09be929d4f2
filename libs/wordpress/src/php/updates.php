<?php
/**
 * Updates several plugins and themes of one site in one WordPress. Whatever is unusual before the first change is left
 * to updates of one item each.
 */
final class VigieUpdates
{
    private static $order = [];
    /** Whether WordPress's lock is taken and items are being updated. */
    private static $isChanging = false;
    private static $hasChanged = false;
    /** The exit code, once every item that is updated here has its end. */
    private static $code = null;
    private static $upgrade = null;

    public static function run(): void
    {
        self::$order = VigieOperation::$order;
        VigieBoot::$onEnd = [self::class, 'onEnd'];
        try {
            $copies = self::prepare();
        } catch (VigieStop $stop) {
            self::refuseAll($stop);
        }
        self::$isChanging = true;
        VigieOperation::report(['is' => 'changing']);
        foreach ($copies as $number => [$item, $about]) {
            self::select($item);
            self::finishItem(self::update($about), $number === count($copies) - 1);
            if (self::$code !== null) {
                break;
            }
        }
        self::select(null);
        self::$code === 12 && self::checkForUpdates();
        self::end(self::$code);
    }

    /** Checks and copies all items, and locks WordPress; returns the items to update with what their copies say. */
    private static function prepare(): array
    {
        if (!function_exists('fsync')) {
            throw new VigieStop('no_sync');
        }
        VigieOperation::reportStep('checks');
        VigieChange::checkMaintenance();
        $starts = VigieChange::startSite();
        VigieChange::reportLogs();
        $found = self::findItems($starts);
        if ($found === []) {
            self::end(13);
        }
        self::checkRoom(array_column($found, 1));
        VigieUpdateLocks::check();
        [$copies, $index] = self::writeCopies($found);
        VigieUpdateLocks::take($index);
        return $copies;
    }

    /** The items that may be updated; each of the others gets its refusal. */
    private static function findItems(bool $starts): array
    {
        $found = [];
        foreach (self::$order['items'] as $order) {
            self::select($order);
            try {
                $item = VigieChange::findItem($starts);
                VigieChange::checkAction($item);
                VigieChange::checkFiles($item);
                $found[] = [$order, $item];
            } catch (VigieStop $stop) {
                VigieOperation::report(['is' => 'refused'] + $stop->facts);
            }
        }
        self::select(null);
        return $found;
    }

    /** The copies lie twice on their disk while they are divided. WordPress keeps old versions until PHP ends. */
    private static function checkRoom(array $items): void
    {
        VigieOperation::$order = self::$order;
        foreach ($items as $item) {
            $all = clone $item;
            $all->bytes = array_sum(array_column($items, 'bytes'));
            $all->paths = array_merge(...array_column($items, 'paths'));
            VigieChange::checkRoom($all, null, 2);
        }
    }

    /** Writes the copies one behind the other, since there is one descriptor; the index says where each begins. */
    private static function writeCopies(array $found): array
    {
        $state = VigieChange::siteState();
        $copies = [];
        $index = '';
        foreach ($found as [$order, $item]) {
            self::select($order);
            $about = VigieChange::writeCopy($item, true, $state, null);
            $index .= "copy {$about['offset']} {$about['written']} {$order['operation']} $item->kind.$item->slug\n";
            $copies[] = [$order, $about];
            VigieOperation::report(['is' => 'aside', 'bytes' => $about['written'], 'is_copy' => true, 'has_tables' => false]);
        }
        self::select(null);
        return [$copies, $index];
    }

    /** Makes one item the subject of all checks and reports; null: the site. */
    private static function select(?array $order): void
    {
        VigieOperation::$order = ($order ?? []) + self::$order;
        VigieOperation::$itemOperation = $order['operation'] ?? null;
    }

    /** Updates one item and returns the report of its end. */
    private static function update(array $about): array
    {
        self::$upgrade = null;
        try {
            $before = VigieChange::findUnchanged($about);
            VigieOperation::reportStep('change');
            self::$upgrade = new VigieUpgrade($before);
            self::$upgrade->addHooks();
            self::$upgrade->run();
            return VigieChange::doneReport($before->version, VigieChange::verifyVersion());
        } catch (VigieStop $stop) {
            return ['is' => self::isItemUntouched() ? 'refused' : 'failed'] + $stop->facts;
        } finally {
            self::$upgrade === null || self::$upgrade->removeHooks();
        }
    }

    private static function isItemUntouched(): bool
    {
        return self::$upgrade === null || self::$upgrade->isUntouched();
    }

    /** Reports the end of an item. WordPress is unlocked before the last end can be read. */
    private static function finishItem(array $report, bool $isLast): void
    {
        $isFailed = $report['is'] === 'failed';
        self::$hasChanged = self::$hasChanged || $report['is'] !== 'refused';
        if ($isFailed || $isLast) {
            self::$code = $isFailed ? 11 : (self::$hasChanged ? 12 : 13);
            VigieUpdateLocks::release();
        }
        VigieOperation::report($report);
        // The copy of an unchanged item is not kept.
        $report['is'] === 'refused' && file_put_contents('php://fd/8', 'drop ' . VigieOperation::$itemOperation . "\n");
    }

    /** Once for all items, as WordPress does after each update. */
    private static function checkForUpdates(): void
    {
        try {
            wp_version_check();
            VigieOffers::checkUpdates('plugin');
            VigieOffers::checkUpdates('theme');
        } catch (Throwable $error) {
            VigieOperation::log($error->getMessage());
        }
    }

    /** A busy WordPress and a stop request concern every item; the rest may not concern the items one by one. */
    private static function refuseAll(VigieStop $stop): void
    {
        self::select(null);
        VigieUpdateLocks::release();
        $isForAll = $stop->facts['code'] === 'stopped' || in_array($stop->facts['why'], ['lock', 'maintenance'], true);
        VigieOperation::report($isForAll ? ['is' => 'refused'] + $stop->facts : ['is' => 'apart']);
        self::end(13);
    }

    private static function end(int $code): void
    {
        VigieOperation::report(['is' => 'ended']);
        VigieBoot::exitWith($code);
    }

    /** PHP stopped unexpectedly: the items behind the current one get no end. */
    public static function onEnd(?array $fatal): int
    {
        VigieUpdateLocks::release();
        if (!self::$isChanging) {
            VigieOperation::$itemOperation = null;
            VigieOperation::report(['is' => 'apart']);
            return 13;
        }
        if (self::$code === null) {
            self::$upgrade === null || self::$upgrade->deleteTemporary();
            $isUntouched = !self::$hasChanged && self::isItemUntouched();
            // No rollback will open the site again.
            $isUntouched && VigieMaintenance::open(rtrim(ABSPATH, '/'));
            VigieOperation::report(VigieChange::fatalReport($fatal, $isUntouched, 'fatal'));
            self::$code = $isUntouched ? 13 : 11;
        }
        VigieOperation::$itemOperation = null;
        VigieOperation::report(['is' => 'ended']);
        return self::$code;
    }
}
