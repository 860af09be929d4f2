<?php
/** The steps of a change, rollback and manual restore, by the name that the shell passes. */
final class VigieParts
{
    public static function run(): void
    {
        VigieTell::open();
        $part = VigieTell::$part;
        try {
            if ($part === 'prepare') {
                VigieChange::prepare();
            } elseif ($part === 'trial') {
                self::readConfiguration();
            } elseif ($part === 'change') {
                VigieChange::change();
            } elseif ($part === 'database') {
                VigieMigration::run();
            } elseif ($part === 'set-aside') {
                self::setAside();
            } elseif ($part === 'take-locks') {
                self::takeLocks();
            } elseif ($part === 'give-locks') {
                self::giveLocks();
            } elseif ($part === 'put-back') {
                self::putBack();
            } else {
                self::settle();
            }
        } catch (VigieStop $stop) {
            self::stopped($stop, $part);
        } catch (Throwable $error) {
            // Ends with the code of an uncaught error.
            $fatal = ['message' => $error->getMessage(), 'file' => $error->getFile(), 'line' => $error->getLine()];
            $code = VigieBoot::$onEnd === null ? 1 : (int) call_user_func(VigieBoot::$onEnd, $fatal);
            VigieBoot::finish($code);
        }
    }

    private static function stopped(VigieStop $stop, string $part): void
    {
        if (in_array($part, ['prepare', 'change'], true)) {
            VigieChange::fail($stop);
        }
        $isUntouched = in_array($part, ['trial', 'set-aside', 'take-locks'], true);
        VigieTell::line(['is' => $isUntouched ? 'refused' : 'failed'] + $stop->facts);
        VigieBoot::finish($isUntouched ? 13 : 11);
    }

    /** Tests that a rollback can read the configuration. Its message is shown only on the second run. */
    private static function readConfiguration(): void
    {
        VigieTell::$isOfTables || VigieTell::hush();
        VigieSite::configured(VigieTell::$order);
        // Each table counts half a megabyte even if empty: a network has ten per site, and WordPress upgrades them all.
        $bytes = (new VigieLink())->ask('SELECT SUM(DATA_LENGTH + INDEX_LENGTH + 524288) FROM information_schema.TABLES'
            . ' WHERE TABLE_SCHEMA = DATABASE()')[0][0];
        fwrite(fopen('php://fd/6', 'wb'), (string) (int) $bytes);
        exit(0);
    }

    /** Makes a rollback copy of the current state before a copy is restored by hand. */
    private static function setAside(): void
    {
        VigieTell::step('checks');
        VigieChange::checkMaintenance();
        $about = self::opened(7)->about;
        if (($about['root'] ?? getcwd()) !== getcwd() || !is_dir($about['base'])) {
            throw new VigieStop('copy_gone', 'moved', ['path' => $about['base']]);
        }
        $item = self::itemOf($about);
        VigieTell::line(['is' => 'found', 'version' => $item->version, 'name' => $item->name]);
        if (VigieFiles::isComposer((string) getcwd())) {
            throw new VigieStop('changes_forbidden', 'composer');
        }
        $site = self::hasTables($about) ? VigieSite::configured(VigieTell::$order) : null;
        if ($site !== null) {
            VigieLeftTables::clear(new VigieLink(), [$item->base, $site->content], $site->prefix, $site->isNetwork);
        }
        $item->measure();
        $tables = $site === null ? null : new VigieAsideTables($site->prefix, $site->isNetwork);
        VigieChange::checkRoom($item, $tables);
        VigieChange::putAside($item, true, ['options' => $about['options'] ?? []], $tables);
        exit(0);
    }

    private static function opened(int $descriptor): VigiePutBack
    {
        $copy = VigiePutBack::open($descriptor);
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
        $about = VigiePutBack::about(7);
        VigieBoot::$onEnd = static function (): int {
            return 0;
        };
        VigieBoot::start();
        $now = VigieItem::find(VigieTell::$order);
        if ($now->base !== $about['base']) {
            throw new VigieStop('copy_gone', 'moved', ['path' => $about['base']]);
        }
        VigieChange::takeLocks();
        VigieBoot::finish(0);
    }

    /** The restore is refused after the locks were taken. */
    private static function giveLocks(): void
    {
        VigieBoot::$onEnd = static function (): int {
            return 0;
        };
        VigieBoot::start();
        VigieSettings::unlock('');
        VigieBoot::finish(0);
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
        $item->read();
        return $item;
    }

    private static function putBack(): void
    {
        VigieTell::step('back');
        $copy = self::opened(6);
        $item = self::itemOf($copy->about);
        VigieTell::line(['is' => 'found', 'version' => $item->version, 'name' => $item->name]);
        $isUndone = $copy->about['operation'] === VigieTell::$order['operation'];
        if ($isUndone) {
            // Leftovers of the change may be what fills the disk.
            self::clearUp($copy->about);
        }
        if ($copy->about['targets'] !== []) {
            $copy->putBack($isUndone, self::tablesOf($copy->about));
        }
        exit(0);
    }

    /** Only tables that may have changed are restored: other writes must not be lost. */
    private static function tablesOf(array $about): ?VigieTablesBack
    {
        $operation = VigieTell::$order['operation'];
        $isNeeded = VigieTell::$isOfTables && self::hasTables($about);
        return $isNeeded ? new VigieTablesBack(VigieTell::$order, $operation, $about['tables']) : null;
    }

    /** Deletes what WordPress had begun to write or unpack, and its maintenance file. */
    private static function clearUp(array $about): void
    {
        $began = strtotime($about['made_at']);
        $maintenance = getcwd() . '/.maintenance';
        if (is_file($maintenance) && filemtime($maintenance) >= $began) {
            @unlink($maintenance);
        }
        VigieItem::remove(VigieUpgrade::temporary($about['temporary'] ?? '', $about['operation']));
        $content = (string) ($about['content'] ?? '');
        foreach ($content === '' ? [] : (glob("$content/upgrade/*") ?: []) as $path) {
            $seen = @lstat($path);
            if ($seen && $seen['ctime'] >= $began) {
                VigieItem::remove($path);
            }
        }
        // Empty files that WordPress creates to test whether it may write.
        $tries = $content === '' ? [] : (glob("$content/temp-write-test-*") ?: []);
        foreach (array_merge($tries, glob(getcwd() . '/temp-write-test-*') ?: []) as $path) {
            $seen = @lstat($path);
            if ($seen && ($seen['mode'] & 0170000) === 0100000 && $seen['size'] === 0 && $seen['ctime'] >= $began) {
                @unlink($path);
            }
        }
        $kept = "$content/upgrade-temp-backup/{$about['kind']}s";
        VigieItem::remove("$kept/{$about['slug']}");
        // Removed only if empty.
        @rmdir($kept) && @rmdir(dirname($kept));
    }

    /** Restores options such as the active plugins, in a WordPress without plugins and theme. */
    private static function settle(): void
    {
        VigieTell::step('options');
        $about = VigiePutBack::about(6);
        $item = self::itemOf($about);
        VigieBoot::$onEnd = static function (?array $fatal) use ($item): int {
            $words = $fatal === null ? 'WordPress ne démarre pas' : VigieBoot::fatal($fatal)['words'];
            if (in_array(VigieTell::$order['action'], ['activate', 'deactivate'], true)) {
                VigieTell::line(['is' => 'failed', 'code' => 'not_rolled_back', 'why' => 'options', 'words' => $words]);
                return 11;
            }
            VigieTell::said("Les réglages de WordPress n’ont pas pu être relus\u{a0}: $words");
            VigieTell::line(['is' => 'done', 'to' => $item->version, 'name' => $item->name]);
            return 12;
        };
        VigieBoot::start();
        if (self::hasTables($about)) {
            // The object cache still has rows of the replaced tables.
            wp_cache_flush();
        }
        VigieSettings::unlock(VigieTell::$order['action'] === 'restore' ? '' : $about['kind']);
        $isUndone = $about['operation'] === VigieTell::$order['operation'];
        if ($isUndone && VigieTell::$order['action'] !== 'restore') {
            VigieSettings::giveBack($about);
        }
        $item->read();
        VigieTell::line([
            'is' => 'done',
            'to' => $item->version,
            'name' => $item->name,
            'status' => $item->isActive() ? 'active' : 'inactive',
        ]);
        VigieBoot::finish(12);
    }
}
