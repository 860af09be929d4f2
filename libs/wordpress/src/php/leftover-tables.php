<?php
/** Deletes staged tables that killed operations left and nobody will use again. */
final class VigieLeftoverTables
{
    private const STAGED = '/^vg[ro]([0-9a-f]{12})_(\d+|new|there|at)$/D';
    private const STATE_FOLDER = '/^\.vigie-(?:swap-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/D';
    private const TEST_TABLE = '/_(?:new|there)$/D';
    /** An operation may be continued as long as the host's journal keeps it. */
    private const MAX_AGE = '7 DAY';

    /** `$folders`: those of the site, its root first; no other operation may run on it now. */
    public static function clear(VigieConnection $link, array $folders, string $prefix, bool $isNetwork): void
    {
        foreach (VigieFiles::leftoverFolders($folders[0]) as $operation => $folder) {
            $stateFile = new VigieTableSwapState($folder);
            $state = $stateFile->read($link, (string) $operation, $prefix, $isNetwork);
            $state === null || self::finish($link, $stateFile, $state);
        }
        self::dropUnused($link, $folders);
    }

    /** Safe at any time: keeps the tables of every operation that has a state file in these folders. */
    public static function dropUnused(VigieConnection $link, array $folders): void
    {
        $inUse = self::notedSigns($folders);
        foreach (array_diff_key(self::stagedTables($link), $inUse ?? []) as $sign => $names) {
            $names = $inUse === null ? preg_grep(self::TEST_TABLE, $names) : $names;
            if ($names !== [] && self::isAbandoned($link, (string) $sign, $names)) {
                $link->tryExecute('SET SESSION foreign_key_checks = 0, lock_wait_timeout = 2');
                $list = implode(', ', array_map([VigieConnection::class, 'quoteName'], $names));
                $link->tryExecute("DROP TABLE IF EXISTS $list");
                $link->tryExecute('SET SESSION foreign_key_checks = 1, lock_wait_timeout = DEFAULT');
            }
        }
    }

    /** Finishes or reverts a table swap, as the site's files will be too. */
    public static function finish(VigieConnection $link, VigieTableSwapState $stateFile, array $state): void
    {
        $swap = new VigieTableSwap($link, $state['operation'], $state['tables']);
        $link->lock(VigieTableSwap::lockName($state['operation']));
        $swap->isSwapped() ? $swap->redirectForeignKeys() : $swap->undo();
        // Without the staged tables a leftover state file would make this look like a completed swap.
        $stateFile->delete() && $swap->drop();
    }

    /** Signs of the operations that have a state file in the folders; null if a folder is unreadable. */
    private static function notedSigns(array $folders): ?array
    {
        $signs = [];
        foreach ($folders as $folder) {
            $entries = @scandir($folder);
            if ($entries === false) {
                return null;
            }
            foreach (preg_grep(self::STATE_FOLDER, $entries) as $name) {
                $operation = (new VigieTableSwapState("$folder/$name"))->operation() ?? substr($name, -36);
                $signs[VigieTableSwap::signOf($operation)] = true;
            }
        }
        return $signs;
    }

    /** Staged tables by sign, except tables that may belong to a site with such a prefix. */
    private static function stagedTables(VigieConnection $link): array
    {
        $rows = $link->query('SHOW FULL TABLES');
        $prefixes = VigieForeignTables::installationPrefixes(array_map([$link, 'foldCase'], array_column($rows, 0)));
        $staged = [];
        foreach ($rows as [$name, $kind]) {
            $isOwn = array_filter($prefixes, static function (string $prefix) use ($link, $name): bool {
                return strncmp($link->foldCase($name), $prefix, strlen($prefix)) === 0;
            }) !== [];
            if (!$isOwn && $kind === 'BASE TABLE' && preg_match(self::STAGED, $name, $match) === 1) {
                $staged[$match[1]][] = $name;
            }
        }
        return $staged;
    }

    /** For operations of other sites in the database only the age of the tables and their lock are known. */
    private static function isAbandoned(VigieConnection $link, string $sign, array $names): bool
    {
        $lock = VigieConnection::literal(VigieTableSwap::lockNameOfSign($sign));
        if ($link->query("SELECT IS_USED_LOCK($lock)")[0][0] !== null) {
            return false;
        }
        if (preg_grep(self::TEST_TABLE, $names, PREG_GREP_INVERT) === []) {
            return true;
        }
        // A renamed table may be as old as its site.
        $created = preg_grep('/^vgr/', $names);
        $list = implode(', ', array_map([VigieConnection::class, 'literal'], $created ?: ['']));
        $isOld = 'MAX(CREATE_TIME) < NOW() - INTERVAL ' . self::MAX_AGE;
        [$age] = $link->query("SELECT $isOld, COUNT(CREATE_TIME) FROM information_schema.TABLES"
            . " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ($list)");
        return $created !== [] && $age === ['1', (string) count($created)];
    }
}
