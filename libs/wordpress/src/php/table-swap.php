<?php
/** Swaps staged tables with those of the site, and back. */
final class VigieTableSwap
{
    /** Seconds: while the rename waits for a lock, others wait for the table. */
    private const PATIENCE = 2;
    /** Seconds of all attempts together. */
    private const LONGEST = 20;
    /** Server error for a lock wait timeout. */
    private const HELD = 1205;

    private $link;
    private $stage;
    private $aside;
    /** Rows of: final name, staged name (null: only removed), and the name for the replaced table (null: none). */
    private $tables;

    public function __construct(VigieLink $link, string $operation, array $tables)
    {
        $this->link = $link;
        $this->stage = self::stageOf($operation);
        $this->aside = 'vgo' . self::signOf($operation) . '_';
        $this->tables = $tables;
    }

    /** The prefix of staged tables, short because table names may be long. */
    public static function stageOf(string $operation): string
    {
        return 'vgr' . self::signOf($operation) . '_';
    }

    /** Whether the operation may give a table this name; null is allowed. */
    public static function isOwn(string $operation, $name): bool
    {
        $sign = preg_quote(self::signOf($operation), '/');
        return $name === null || (is_string($name) && preg_match("/^vg[ro]{$sign}_\\d+$/D", $name) === 1);
    }

    /** The server-side lock of an operation. */
    public static function lockOf(string $operation): string
    {
        return self::lockOfSign(self::signOf($operation));
    }

    public static function lockOfSign(string $sign): string
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
        $there = array_flip($this->names());
        $number = 0;
        foreach ($loaded as $name => $stage) {
            $name = $this->link->folded((string) $name);
            $isThere = isset($there[$name]);
            $this->tables[] = [$name, $stage, $isThere ? $this->aside . $number++ : null];
        }
        foreach ($extra as $name) {
            $this->tables[] = [$name, null, $this->aside . $number++];
        }
        return $this->tables;
    }

    /** Swaps all tables in one atomic statement. Returns false if other connections lock one; nothing is done then. */
    public function exchange(): bool
    {
        $renames = [];
        foreach ($this->tables as [$name, $stage, $aside]) {
            $aside === null || ($renames[] = [$name, $aside]);
            $stage === null || ($renames[] = [$stage, $name]);
        }
        // This table's age tells when the replaced tables were renamed.
        $at = VigieLink::quoted("{$this->stage}at");
        return $this->patiently(function () use ($renames, $at): void {
            $renames === [] || $this->link->run("CREATE TABLE IF NOT EXISTS $at (id INT)");
            $this->rename($renames);
        });
    }

    /** Returns false if other connections lock the tables for too long. */
    private function patiently(callable $work): bool
    {
        try {
            $this->link->run('SET SESSION lock_wait_timeout = ' . self::PATIENCE);
            $work();
        } catch (VigieStop $stop) {
            if ($this->link->code() !== self::HELD) {
                throw $stop;
            }
            return false;
        } finally {
            $this->link->attempt('SET SESSION lock_wait_timeout = DEFAULT');
        }
        return true;
    }

    /** A server that was killed during the rename may have done a part of it. */
    public function undo(): void
    {
        $there = array_flip($this->names());
        if (!isset($there["{$this->stage}at"])) {
            // Never swapped, or tidied up since: tables of these names are the site's own.
            return;
        }
        $renames = [];
        foreach ($this->tables as [$name, $stage, $aside]) {
            $isIn = $stage !== null && !isset($there[$stage]) && ($aside === null || isset($there[$aside]));
            if ($isIn && isset($there[$name])) {
                $renames[] = [$name, $stage];
                unset($there[$name]);
            }
            if ($aside !== null && isset($there[$aside]) && !isset($there[$name])) {
                $renames[] = [$aside, $name];
            }
        }
        $until = microtime(true) + self::LONGEST;
        $rename = function () use ($renames): void {
            $this->rename($renames);
        };
        while (!$this->patiently($rename)) {
            if (microtime(true) >= $until) {
                throw new VigieStop('database', 'busy', ['words' => 'RENAME TABLE']);
            }
        }
    }

    private function rename(array $renames): void
    {
        if ($renames === []) {
            return;
        }
        $this->link->run('SET SESSION foreign_key_checks = 0');
        $this->link->run('RENAME TABLE ' . implode(', ', array_map(static function (array $names): string {
            return VigieLink::quoted($names[0]) . ' TO ' . VigieLink::quoted($names[1]);
        }, $renames)));
    }

    /** Drops the staged or replaced tables. Locked ones are left for a later sweep. */
    public function drop(): void
    {
        $this->link->run('SET SESSION foreign_key_checks = 0');
        $until = microtime(true) + self::LONGEST;
        $isLeft = false;
        foreach ($this->link->ask('SHOW FULL TABLES') as [$name, $kind]) {
            // Dropped last: its age tells the age of the others.
            $isKept = $isLeft && $name === "{$this->stage}at";
            if (!$isKept && (strpos($name, $this->stage) === 0 || strpos($name, $this->aside) === 0)) {
                $sql = 'DROP ' . ($kind === 'VIEW' ? 'VIEW' : 'TABLE') . ' IF EXISTS ' . VigieLink::quoted($name);
                $isGone = microtime(true) < $until && $this->patiently(function () use ($sql): void {
                    $this->link->run($sql);
                });
                $isLeft = $isLeft || !$isGone;
            }
        }
    }

    /** Foreign keys of remaining tables point to the replaced tables: points them to the new ones. Returns failures. */
    public function lead(): array
    {
        $like = VigieLink::text(addcslashes($this->aside, '_%\\') . '%');
        $keys = 'SELECT DISTINCT TABLE_NAME, CONSTRAINT_NAME FROM information_schema.KEY_COLUMN_USAGE'
            . " WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME LIKE $like AND TABLE_NAME NOT LIKE $like";
        $names = [];
        foreach ($this->tables as [$name, , $aside]) {
            $aside === null || ($names[VigieLink::quoted($aside)] = VigieLink::quoted($name));
        }
        $failed = [];
        foreach ($this->link->ask($keys) as [$table, $key]) {
            [$quoted, $own] = [VigieLink::quoted($table), VigieLink::quoted($key)];
            $made = (string) ($this->link->ask("SHOW CREATE TABLE $quoted")[0][1] ?? '');
            $line = current((array) preg_grep('/^  CONSTRAINT ' . preg_quote($own, '/') . ' /', explode("\n", $made)));
            $sql = "ALTER TABLE $quoted ADD " . strtr(rtrim(trim((string) $line), ','), $names);
            $isLed = $this->link->attempt("ALTER TABLE $quoted DROP FOREIGN KEY $own") && $this->link->attempt($sql);
            $isLed || ($failed[] = ['name' => $key, 'words' => $this->link->words()]);
        }
        return $failed;
    }

    /** After the last chance to undo: drops replaced tables, creates keys, triggers and views. Returns failures. */
    public function complete(string $prefix, array $note, array $views): array
    {
        $failed = $this->lead();
        $this->drop();
        $made = array_filter($this->tables, static function (array $table): bool {
            return $table[1] !== null;
        });
        $definitions = VigieDefinitions::apply($this->link, $prefix, $note, $views, array_column($made, 0));
        return array_merge($failed, $definitions);
    }

    /** Whether all tables are in place. */
    public function isExchanged(): bool
    {
        $there = array_flip($this->names());
        // A missing table proves nothing, but a staged one does: all are renamed in one statement.
        foreach ($this->tables as [, $stage]) {
            if ($stage !== null && isset($there[$stage])) {
                return false;
            }
        }
        return $this->tables !== [];
    }

    private function names(): array
    {
        return array_map([$this->link, 'folded'], array_column($this->link->ask('SHOW FULL TABLES'), 0));
    }
}
