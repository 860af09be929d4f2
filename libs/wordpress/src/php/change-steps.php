<?php
/** The steps of a change, rollback and manual restore, by the name that the shell passes. */
final class VigieChangeSteps
{
    public static function run(): void
    {
        VigieOperation::open();
        $part = VigieOperation::$part;
        try {
            if ($part === 'prepare') {
                VigieChange::prepare();
            } elseif ($part === 'updates') {
                VigieUpdates::run();
            } elseif ($part === 'trial') {
                self::testConfiguration();
            } elseif ($part === 'change') {
                VigieChange::continueChange();
            } elseif ($part === 'database') {
                VigieMigration::run();
            } elseif ($part === 'write-copy') {
                self::writeCopy();
            } elseif ($part === 'take-locks') {
                self::takeLocks();
            } elseif ($part === 'release-locks') {
                self::releaseLocks();
            } elseif ($part === 'put-back') {
                self::restore();
            } else {
                self::restoreOptions();
            }
        } catch (VigieStop $stop) {
            self::reportStop($stop, $part);
        } catch (Throwable $error) {
            // Ends with the code of an uncaught error.
            $fatal = ['message' => $error->getMessage(), 'file' => $error->getFile(), 'line' => $error->getLine()];
            $code = VigieBoot::$onEnd === null ? 1 : (int) call_user_func(VigieBoot::$onEnd, $fatal);
            VigieBoot::exitWith($code);
        }
    }

    private static function reportStop(VigieStop $stop, string $part): void
    {
        if (in_array($part, ['prepare', 'change'], true)) {
            VigieChange::reportFailure($stop);
        }
        $isUntouched = in_array($part, ['trial', 'write-copy', 'take-locks'], true);
        VigieOperation::report(['is' => $isUntouched ? 'refused' : 'failed'] + $stop->facts);
        VigieBoot::exitWith($isUntouched ? 13 : 11);
    }

    /** Tests that a rollback can read the configuration. Its message is shown only on the second run. */
    private static function testConfiguration(): void
    {
        VigieOperation::$hasChangedTables || VigieOperation::mute();
        VigieSite::fromConfiguration(VigieOperation::$order);
        // Each table counts half a megabyte even if empty: a network has ten per site, and WordPress upgrades them all.
        $bytes = (new VigieConnection())->query('SELECT SUM(DATA_LENGTH + INDEX_LENGTH + 524288) FROM information_schema.TABLES'
            . ' WHERE TABLE_SCHEMA = DATABASE()')[0][0];
        fwrite(fopen('php://fd/6', 'wb'), (string) (int) $bytes);
        exit(0);
    }

    /** Makes a rollback copy of the current state before a copy is restored by hand. */
    private static function writeCopy(): void
    {
        VigieOperation::reportStep('checks');
        VigieChange::checkMaintenance();
        $about = self::openCopy(7)->about;
        if (($about['root'] ?? getcwd()) !== getcwd() || !is_dir($about['base'])) {
            throw new VigieStop('copy_gone', 'moved', ['path' => $about['base']]);
        }
        $item = self::itemOf($about);
        VigieOperation::report(['is' => 'found', 'version' => $item->version, 'name' => $item->name]);
        if (VigieFiles::isComposer((string) getcwd())) {
            throw new VigieStop('changes_forbidden', 'composer');
        }
        $site = self::hasTables($about) ? VigieSite::fromConfiguration(VigieOperation::$order) : null;
        if ($site !== null) {
            VigieLeftoverTables::clear(new VigieConnection(), [$item->base, $site->content], $site->prefix, $site->isNetwork);
        }
        $item->measure();
        $tables = $site === null ? null : new VigieRollbackTables($site->prefix, $site->isNetwork);
        VigieChange::checkRoom($item, $tables);
        VigieChange::writeCopy($item, true, ['options' => $about['options'] ?? []], $tables);
        exit(0);
    }

    private static function openCopy(int $descriptor): VigieRollback
    {
        $copy = VigieRollback::open($descriptor);
        if ($copy === null) {
            throw new VigieStop('not_rolled_back', 'copy');
        }
        return $copy;
    }

    private static function hasTables(array $about): bool
    {
        return is_array($about['tables'] ?? null);
    }

    /** The last check. A site that does not start may need the copy most, and runs no update of its own. */
    private static function takeLocks(): void
    {
        $about = VigieRollback::descriptionOf(7);
        VigieBoot::$onEnd = static function (): int {
            return 0;
        };
        VigieBoot::start();
        $item = VigieItem::find(VigieOperation::$order);
        if ($item->base !== $about['base']) {
            throw new VigieStop('copy_gone', 'moved', ['path' => $about['base']]);
        }
        // The last step releases the lock.
        VigieUpdateLocks::check();
        VigieUpdateLocks::take();
        VigieBoot::exitWith(0);
    }

    /** The restore is refused after the locks were taken. */
    private static function releaseLocks(): void
    {
        VigieBoot::$onEnd = static function (): int {
            return 0;
        };
        VigieBoot::start();
        VigieItemOptions::releaseLocks('');
        VigieBoot::exitWith(0);
    }

    private static function itemOf(array $about): VigieItem
    {
        $item = new VigieItem();
        $item->kind = $about['kind'];
        $item->slug = $about['slug'];
        $item->name = $about['name'];
        $item->base = $about['base'];
        $item->roots = $item->kind === 'core' ? VigieItem::coreRoots($item->base) : $about['roots'];
        $item->files = $about['files'];
        $item->readHeaders();
        return $item;
    }

    private static function restore(): void
    {
        VigieOperation::reportStep('back');
        $copy = self::openCopy(6);
        $item = self::itemOf($copy->about);
        VigieOperation::report(['is' => 'found', 'version' => $item->version, 'name' => $item->name]);
        $isOwnCopy = $copy->about['operation'] === VigieOperation::$order['operation'];
        if ($isOwnCopy) {
            // Leftovers of the change may be what fills the disk.
            self::deleteLeftovers($copy->about);
        }
        if ($copy->about['targets'] !== []) {
            $copy->restore($isOwnCopy, self::tablesToRestore($copy->about));
        }
        exit(0);
    }

    /** Only tables that may have changed are restored: other writes must not be lost. */
    private static function tablesToRestore(array $about): ?VigieTablesRestore
    {
        $operation = VigieOperation::$order['operation'];
        $isNeeded = VigieOperation::$hasChangedTables && self::hasTables($about);
        return $isNeeded ? new VigieTablesRestore(VigieOperation::$order, $operation, $about['tables']) : null;
    }

    /** Deletes what WordPress had begun to write or unpack, and its maintenance file. */
    private static function deleteLeftovers(array $about): void
    {
        $began = strtotime($about['made_at']);
        $maintenance = getcwd() . '/.maintenance';
        if (is_file($maintenance) && filemtime($maintenance) >= $began) {
            @unlink($maintenance);
        }
        VigieItem::remove(VigieUpgrade::temporaryFolder($about['temporary'] ?? ''));
        $content = (string) ($about['content'] ?? '');
        foreach ($content === '' ? [] : (glob("$content/upgrade/*") ?: []) as $path) {
            $stat = @lstat($path);
            if ($stat && $stat['ctime'] >= $began) {
                VigieItem::remove($path);
            }
        }
        // Empty files that WordPress creates to test whether it may write.
        $writeTests = $content === '' ? [] : (glob("$content/temp-write-test-*") ?: []);
        foreach (array_merge($writeTests, glob(getcwd() . '/temp-write-test-*') ?: []) as $path) {
            $stat = @lstat($path);
            if ($stat && ($stat['mode'] & 0170000) === 0100000 && $stat['size'] === 0 && $stat['ctime'] >= $began) {
                @unlink($path);
            }
        }
        $backups = "$content/upgrade-temp-backup/{$about['kind']}s";
        VigieItem::remove("$backups/{$about['slug']}");
        // Removed only if empty.
        @rmdir($backups) && @rmdir(dirname($backups));
    }

    /** Restores options such as the active plugins, in a WordPress without plugins and theme. */
    private static function restoreOptions(): void
    {
        VigieOperation::reportStep('options');
        $about = VigieRollback::descriptionOf(6);
        $item = self::itemOf($about);
        VigieBoot::$onEnd = static function (?array $fatal) use ($item): int {
            $words = $fatal === null ? 'WordPress ne démarre pas' : VigieBoot::fatalFields($fatal)['words'];
            if (in_array(VigieOperation::$order['action'], ['activate', 'deactivate'], true)) {
                VigieOperation::report(['is' => 'failed', 'code' => 'not_rolled_back', 'why' => 'options', 'words' => $words]);
                return 11;
            }
            VigieOperation::log("Les réglages de WordPress n’ont pas pu être relus\u{a0}: $words");
            VigieOperation::report(['is' => 'done', 'to' => $item->version, 'name' => $item->name]);
            return 12;
        };
        VigieBoot::start();
        if (self::hasTables($about)) {
            // The object cache still has rows of the replaced tables.
            wp_cache_flush();
        }
        VigieItemOptions::releaseLocks(VigieOperation::$order['action'] === 'restore' ? '' : $about['kind']);
        $isOwnCopy = $about['operation'] === VigieOperation::$order['operation'];
        if ($isOwnCopy && VigieOperation::$order['action'] !== 'restore') {
            VigieItemOptions::restore($about);
        }
        $item->readHeaders();
        VigieOperation::report([
            'is' => 'done',
            'to' => $item->version,
            'name' => $item->name,
            'status' => $item->isActive() ? 'active' : 'inactive',
        ]);
        VigieBoot::exitWith(12);
    }
}
