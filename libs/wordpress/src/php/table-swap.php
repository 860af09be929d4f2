<?php
/** Swaps staged tables with those of the site, and back. */
final class VigieTableSwap
{
    /** Seconds: while the rename waits for a lock, others wait for the table. */
    private const LOCK_SECONDS = 2;
    /** Seconds of all attempts together. */
    private const MAX_SECONDS = 20;
    private const LOCK_TIMEOUT = 1205;

    private $link;
    private $newPrefix;
    private $oldPrefix;
    /** Rows of: final name, staged name (null: only removed), and the name for the replaced table (null: none). */
    private $tables;

    public function __construct(VigieConnection $link, string $operation, array $tables)
    {
        $this->link = $link;
        $this->newPrefix = self::stagePrefix($operation);
        $this->oldPrefix = 'vgo' . self::signOf($operation) . '_';
        $this->tables = $tables;
    }

    /** The prefix of staged tables, short because table names may be long. */
    public static function stagePrefix(string $operation): string
    {
        return 'vgr' . self::signOf($operation) . '_';
    }

    /** Whether the operation may give a table this name; null is allowed. */
    public static function isOwnName(string $operation, $name): bool
    {
        $sign = preg_quote(self::signOf($operation), '/');
        return $name === null || (is_string($name) && preg_match("/^vg[ro]{$sign}_\\d+$/D", $name) === 1);
    }

    /** The server-side lock of an operation. */
    public static function lockName(string $operation): string
    {
        return self::lockNameOfSign(self::signOf($operation));
    }

    public static function lockNameOfSign(string $sign): string
    {
        return "vigie $sign";
    }

    /** The last digits of a UUIDv7: the first ones only tell the time. */
    public static function signOf(string $operation): string
    {
        return substr(str_replace('-', '', $operation), -12);
    }

    /** `$loaded`: staged names by final name. `$extra`: tables to remove. */
    public function plan(array $loaded, array $extra): array
    {
        $existing = array_flip($this->tableNames());
        $number = 0;
        foreach ($loaded as $name => $stage) {
            $name = $this->link->foldCase((string) $name);
            $exists = isset($existing[$name]);
            $this->tables[] = [$name, $stage, $exists ? $this->oldPrefix . $number++ : null];
        }
        foreach ($extra as $name) {
            $this->tables[] = [$name, null, $this->oldPrefix . $number++];
        }
        return $this->tables;
    }

    /** Swaps all tables in one atomic statement. Returns false if other connections lock one; nothing is done then. */
    public function swap(): bool
    {
        $renames = [];
        foreach ($this->tables as [$name, $stage, $old]) {
            $old === null || ($renames[] = [$name, $old]);
            $stage === null || ($renames[] = [$stage, $name]);
        }
        // This table's age tells when the replaced tables were renamed.
        $ageTable = VigieConnection::quoteName("{$this->newPrefix}at");
        return $this->withLockTimeout(function () use ($renames, $ageTable): void {
            $renames === [] || $this->link->execute("CREATE TABLE IF NOT EXISTS $ageTable (id INT)");
            $this->renameTables($renames);
        });
    }

    /** Returns false if other connections lock the tables for too long. */
    private function withLockTimeout(callable $work): bool
    {
        try {
            $this->link->execute('SET SESSION lock_wait_timeout = ' . self::LOCK_SECONDS);
            $work();
        } catch (VigieStop $stop) {
            if ($this->link->errorCode() !== self::LOCK_TIMEOUT) {
                throw $stop;
            }
            return false;
        } finally {
            $this->link->tryExecute('SET SESSION lock_wait_timeout = DEFAULT');
        }
        return true;
    }

    /** A server that was killed during the rename may have done a part of it. */
    public function undo(): void
    {
        $existing = array_flip($this->tableNames());
        if (!isset($existing["{$this->newPrefix}at"])) {
            // Never swapped, or tidied up since: tables of these names are the site's own.
            return;
        }
        $renames = [];
        foreach ($this->tables as [$name, $stage, $old]) {
            $isSwapped = $stage !== null && !isset($existing[$stage]) && ($old === null || isset($existing[$old]));
            if ($isSwapped && isset($existing[$name])) {
                $renames[] = [$name, $stage];
                unset($existing[$name]);
            }
            if ($old !== null && isset($existing[$old]) && !isset($existing[$name])) {
                $renames[] = [$old, $name];
            }
        }
        $until = microtime(true) + self::MAX_SECONDS;
        $rename = function () use ($renames): void {
            $this->renameTables($renames);
        };
        while (!$this->withLockTimeout($rename)) {
            if (microtime(true) >= $until) {
                throw new VigieStop('database', 'busy', ['words' => 'RENAME TABLE']);
            }
        }
    }

    private function renameTables(array $renames): void
    {
        if ($renames === []) {
            return;
        }
        $this->link->execute('SET SESSION foreign_key_checks = 0');
        $this->link->execute('RENAME TABLE ' . implode(', ', array_map(static function (array $names): string {
            return VigieConnection::quoteName($names[0]) . ' TO ' . VigieConnection::quoteName($names[1]);
        }, $renames)));
    }

    /** Drops the staged or replaced tables. Locked ones are left for a later sweep. */
    public function drop(): void
    {
        $this->link->execute('SET SESSION foreign_key_checks = 0');
        $until = microtime(true) + self::MAX_SECONDS;
        $hasLeftover = false;
        foreach ($this->link->query('SHOW FULL TABLES') as [$name, $kind]) {
            // Dropped last: its age tells the age of the others.
            $isKept = $hasLeftover && $name === "{$this->newPrefix}at";
            if (!$isKept && (strpos($name, $this->newPrefix) === 0 || strpos($name, $this->oldPrefix) === 0)) {
                $sql = 'DROP ' . ($kind === 'VIEW' ? 'VIEW' : 'TABLE') . ' IF EXISTS ' . VigieConnection::quoteName($name);
                $isGone = microtime(true) < $until && $this->withLockTimeout(function () use ($sql): void {
                    $this->link->execute($sql);
                });
                $hasLeftover = $hasLeftover || !$isGone;
            }
        }
    }

    /** Foreign keys of remaining tables point to the replaced tables: points them to the new ones. Returns failures. */
    public function redirectForeignKeys(): array
    {
        $like = VigieConnection::literal(addcslashes($this->oldPrefix, '_%\\') . '%');
        $keys = 'SELECT DISTINCT TABLE_NAME, CONSTRAINT_NAME FROM information_schema.KEY_COLUMN_USAGE'
            . " WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME LIKE $like AND TABLE_NAME NOT LIKE $like";
        $names = [];
        foreach ($this->tables as [$name, , $old]) {
            $old === null || ($names[VigieConnection::quoteName($old)] = VigieConnection::quoteName($name));
        }
        $failed = [];
        foreach ($this->link->query($keys) as [$table, $key]) {
            [$quoted, $quotedKey] = [VigieConnection::quoteName($table), VigieConnection::quoteName($key)];
            $created = (string) ($this->link->query("SHOW CREATE TABLE $quoted")[0][1] ?? '');
            $line = current((array) preg_grep('/^  CONSTRAINT ' . preg_quote($quotedKey, '/') . ' /', explode("\n", $created)));
            $sql = "ALTER TABLE $quoted ADD " . strtr(rtrim(trim((string) $line), ','), $names);
            $isRedirected = $this->link->tryExecute("ALTER TABLE $quoted DROP FOREIGN KEY $quotedKey") && $this->link->tryExecute($sql);
            $isRedirected || ($failed[] = ['name' => $key, 'words' => $this->link->errorMessage()]);
        }
        return $failed;
    }

    /** After the last chance to undo: drops replaced tables, creates keys, triggers and views. Returns failures. */
    public function complete(string $prefix, array $note, array $views): array
    {
        $failed = $this->redirectForeignKeys();
        $this->drop();
        $new = array_filter($this->tables, static function (array $table): bool {
            return $table[1] !== null;
        });
        $definitions = VigieDefinitions::createAll($this->link, $prefix, $note, $views, array_column($new, 0));
        return array_merge($failed, $definitions);
    }

    public function isSwapped(): bool
    {
        $existing = array_flip($this->tableNames());
        // A missing table proves nothing, but a staged one does: all are renamed in one statement.
        foreach ($this->tables as [, $stage]) {
            if ($stage !== null && isset($existing[$stage])) {
                return false;
            }
        }
        return $this->tables !== [];
    }

    private function tableNames(): array
    {
        return array_map([$this->link, 'foldCase'], array_column($this->link->query('SHOW FULL TABLES'), 0));
    }
}
