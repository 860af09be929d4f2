<?php
/** Deletes staged tables that killed operations left and nobody will use again. */
final class VigieLeftTables
{
    private const NAME = '/^vg[ro]([0-9a-f]{12})_(\d+|new|there|at)$/D';
    private const NOTED = '/^\.vigie-(?:swap-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/D';
    /** Test tables are never needed again. */
    private const TRIED = '/_(?:new|there)$/D';
    /** As long as the host's journal keeps an operation, somebody may continue it. */
    private const KNOWN = '7 DAY';

    /** `$folders`: those of the site, its root first; no other operation may run on it now. */
    public static function clear(VigieLink $link, array $folders, string $prefix, bool $isNetwork): void
    {
        foreach (VigieFiles::leftBeside($folders[0]) as $operation => $folder) {
            $note = new VigieTableNote($folder);
            $facts = $note->read($link, (string) $operation, $prefix, $isNetwork);
            $facts === null || self::finish($link, $note, $facts);
        }
        self::sweep($link, $folders);
    }

    /** Safe at any time: keeps the tables of every operation that has a state file in these folders. */
    public static function sweep(VigieLink $link, array $folders): void
    {
        $noted = self::noted($folders);
        foreach (array_diff_key(self::staged($link), $noted ?? []) as $sign => $names) {
            $names = $noted === null ? preg_grep(self::TRIED, $names) : $names;
            if ($names !== [] && self::isLeft($link, (string) $sign, $names)) {
                $link->attempt('SET SESSION foreign_key_checks = 0, lock_wait_timeout = 2');
                $list = implode(', ', array_map([VigieLink::class, 'quoted'], $names));
                $link->attempt("DROP TABLE IF EXISTS $list");
                $link->attempt('SET SESSION foreign_key_checks = 1, lock_wait_timeout = DEFAULT');
            }
        }
    }

    /** Finishes or reverts a table swap, as the site's files will be too. */
    public static function finish(VigieLink $link, VigieTableNote $note, array $facts): void
    {
        $swap = new VigieTableSwap($link, $facts['operation'], $facts['tables']);
        $link->hold(VigieTableSwap::lockOf($facts['operation']));
        $swap->isExchanged() ? $swap->lead() : $swap->undo();
        // Without the staged tables a leftover state file would make this look like a completed swap.
        $note->forget() && $swap->drop();
    }

    /** Signs of the operations that have a state file in the folders; null if a folder is unreadable. */
    private static function noted(array $folders): ?array
    {
        $signs = [];
        foreach ($folders as $folder) {
            $there = @scandir($folder);
            if ($there === false) {
                return null;
            }
            foreach (preg_grep(self::NOTED, $there) as $name) {
                $operation = (new VigieTableNote("$folder/$name"))->writer() ?? substr($name, -36);
                $signs[VigieTableSwap::signOf($operation)] = true;
            }
        }
        return $signs;
    }

    /** Staged tables by sign, except tables that may belong to a site with such a prefix. */
    private static function staged(VigieLink $link): array
    {
        $rows = $link->ask('SHOW FULL TABLES');
        $own = VigieNeighbours::prefixes(array_map([$link, 'folded'], array_column($rows, 0)));
        $staged = [];
        foreach ($rows as [$name, $kind]) {
            $isOwn = array_filter($own, static function (string $prefix) use ($link, $name): bool {
                return strncmp($link->folded($name), $prefix, strlen($prefix)) === 0;
            }) !== [];
            if (!$isOwn && $kind === 'BASE TABLE' && preg_match(self::NAME, $name, $match) === 1) {
                $staged[$match[1]][] = $name;
            }
        }
        return $staged;
    }

    /** For operations of other sites in the database only the age of the tables and their lock are known. */
    private static function isLeft(VigieLink $link, string $sign, array $names): bool
    {
        $lock = VigieLink::text(VigieTableSwap::lockOfSign($sign));
        if ($link->ask("SELECT IS_USED_LOCK($lock)")[0][0] !== null) {
            return false;
        }
        if (preg_grep(self::TRIED, $names, PREG_GREP_INVERT) === []) {
            return true;
        }
        // A renamed table may be as old as its site.
        $made = preg_grep('/^vgr/', $names);
        $list = implode(', ', array_map([VigieLink::class, 'text'], $made ?: ['']));
        $isOld = 'MAX(CREATE_TIME) < NOW() - INTERVAL ' . self::KNOWN;
        [$known] = $link->ask("SELECT $isOld, COUNT(CREATE_TIME) FROM information_schema.TABLES"
            . " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ($list)");
        return $made !== [] && $known === ['1', (string) count($made)];
    }
}
