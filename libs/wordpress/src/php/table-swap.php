<?php
/** The tables of a restore under the names that they have until they take the place of others, and in the end. */
final class VigieTableSwap
{
    /** Seconds: as long as it waits for a table that others hold, whoever asks for that table waits for it. */
    private const PATIENCE = 2;
    /** In seconds, of all tries together: whoever comes next goes on with it. */
    private const LONGEST = 20;
    /** What a server says of one that they held for longer. */
    private const HELD = 1205;

    private $link;
    private $stage;
    private $aside;
    /** Each: its name, what it is called until then or null where it only goes, and where what has its name goes or null. */
    private $tables;

    public function __construct(VigieLink $link, string $operation, array $tables)
    {
        $this->link = $link;
        $this->stage = self::stageOf($operation);
        $this->aside = 'vgo' . self::signOf($operation) . '_';
        $this->tables = $tables;
    }

    /** What tables are called until they are in their place: short, so that any name may be long. */
    public static function stageOf(string $operation): string
    {
        return 'vgr' . self::signOf($operation) . '_';
    }

    /** Whether that is what the operation may call a table meanwhile, or nothing. */
    public static function isOwn(string $operation, $name): bool
    {
        $sign = preg_quote(self::signOf($operation), '/');
        return $name === null || (is_string($name) && preg_match("/^vg[ro]{$sign}_\\d+$/D", $name) === 1);
    }

    /** What whoever works on them holds on their server. */
    public static function lockOf(string $operation): string
    {
        return self::lockOfSign(self::signOf($operation));
    }

    public static function lockOfSign(string $sign): string
    {
        return "vigie $sign";
    }

    /** What ids of one minute have in common is their beginning. */
    public static function signOf(string $operation): string
    {
        return substr(str_replace('-', '', $operation), -12);
    }

    /** `$loaded`: by name, what each is called now. `$extra`: what goes without being replaced. */
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

    /** One statement, which a server does whole or not at all. False where others hold a table: nothing is done then. */
    public function exchange(): bool
    {
        $renames = [];
        foreach ($this->tables as [$name, $stage, $aside]) {
            $aside === null || ($renames[] = [$name, $aside]);
            $stage === null || ($renames[] = [$stage, $name]);
        }
        // Of those that were there nobody can see otherwise since when they go by other names.
        $at = VigieLink::quoted("{$this->stage}at");
        return $this->patiently(function () use ($renames, $at): void {
            $renames === [] || $this->link->run("CREATE TABLE IF NOT EXISTS $at (id INT)");
            $this->rename($renames);
        });
    }

    /** False where others hold what it is about for too long. */
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

    /** A server that was stopped in its middle may have done a part of it. */
    public function undo(): void
    {
        $there = array_flip($this->names());
        if (!isset($there["{$this->stage}at"])) {
            // Never begun, or tidied up since: what has those names by now is the site's own.
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

    /** Removes what has no place of its own: what never came to it, or what was there. What others hold is swept one day. */
    public function drop(): void
    {
        $this->link->run('SET SESSION foreign_key_checks = 0');
        $until = microtime(true) + self::LONGEST;
        $isLeft = false;
        foreach ($this->link->ask('SHOW FULL TABLES') as [$name, $kind]) {
            // The last of them by its name: it says how old the others are.
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

    /** Keys of tables that stay lead to what had the name before, and would to nothing. Gives what could not be mended. */
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

    /** Once nobody goes back: without what was there, and with what goes by names of its own. Gives what could not be made. */
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

    /** Whether all of them are in their place already. */
    public function isExchanged(): bool
    {
        $there = array_flip($this->names());
        // A table that somebody took away since proves nothing: what is staged takes its place in one statement.
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
