<?php
/** Creates foreign keys, triggers and views once the tables have their final names. */
final class VigieDefinitions
{
    private const LIST = '\((?:%1$s)(?:, ?%1$s)*\)';
    private const KEY = '~^ALTER TABLE (?<table>%1$s) ADD CONSTRAINT (?<name>%1$s) FOREIGN KEY %2$s REFERENCES %1$s %2$s'
        . '(?: ON (?:DELETE|UPDATE) (?:RESTRICT|CASCADE|SET NULL|SET DEFAULT|NO ACTION)){0,2}$~D';
    private const TRIGGER = '~^CREATE TRIGGER (?<name>%1$s) (?:BEFORE|AFTER) (?:INSERT|UPDATE|DELETE) ON (?<table>%1$s)'
        . ' FOR EACH ROW \S~';

    private $link;
    private $prefix;
    private $tables;
    private $failed = [];

    private function __construct(VigieLink $link, string $prefix, array $tables)
    {
        $this->tables = $tables;
        $this->link = $link;
        $this->prefix = $prefix;
    }

    /**
     * Creates what does not exist yet, and returns what failed; may be called again. `$note`: our part of package.json;
     * `$views`: those of the dump; `$tables`: the only tables that may get keys and triggers.
     */
    public static function apply(VigieLink $link, string $prefix, array $note, array $views, array $tables): array
    {
        $all = new self($link, $prefix, $tables);
        $link->attempt("SET SESSION sql_mode = '', foreign_key_checks = 0");
        $made = is_array($note['Database'] ?? null) ? $note['Database'] : [];
        $all->addKeys(self::read($made, 'ForeignKeys'));
        $all->addViews(self::read($made, 'Views'), $views);
        // Triggers are created last, so that they only fire from now on.
        $all->addTriggers(self::read($made, 'Triggers'));
        $link->attempt('SET SESSION foreign_key_checks = 1');
        return $all->failed;
    }

    private static function read(array $made, string $kind): array
    {
        $texts = [];
        foreach (is_array($made[$kind] ?? null) ? $made[$kind] : [] as $one) {
            if (is_string($one['Sql'] ?? null)) {
                $texts[] = $one['Sql'];
            }
        }
        return $texts;
    }

    private function fail(string $kind, string $name, string $words): void
    {
        $this->failed[] = ['kind' => $kind, 'name' => substr($name, 0, 200), 'words' => substr($words, 0, 400)];
    }

    /** The name and the table of a definition; null where the statement does not match. */
    private function head(string $pattern, string $sql): ?array
    {
        $list = sprintf(self::LIST, VigieSql::NAME);
        if (preg_match(sprintf($pattern, VigieSql::NAME, $list), $sql, $match) !== 1) {
            return null;
        }
        $table = VigieSql::final(VigieSql::plain($match['table']), $this->prefix);
        return $table === null ? null : [VigieSql::plain($match['name']), $this->link->folded($table)];
    }

    private function addKeys(array $texts): void
    {
        foreach ($texts as $sql) {
            $head = $this->head(self::KEY, $sql);
            if ($head === null) {
                $this->fail('foreign_key', $sql, 'forbidden');
                continue;
            }
            if (!in_array($head[1], $this->tables, true)) {
                continue;
            }
            [$name, $table] = array_map([VigieLink::class, 'text'], $head);
            $there = 'SELECT 1 FROM information_schema.TABLE_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()'
                . " AND CONSTRAINT_TYPE = 'FOREIGN KEY' AND CONSTRAINT_NAME = $name AND TABLE_NAME = $table";
            $this->make('foreign_key', $head[0], $there, $sql);
        }
    }

    private function addTriggers(array $texts): void
    {
        foreach ($texts as $sql) {
            $head = $this->head(self::TRIGGER, $sql);
            if ($head === null) {
                $this->fail('trigger', $sql, 'forbidden');
                continue;
            }
            if (!in_array($head[1], $this->tables, true)) {
                continue;
            }
            [$name, $table] = array_map([VigieLink::class, 'text'], $head);
            $there = 'SELECT 1 FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()'
                . " AND TRIGGER_NAME = $name AND EVENT_OBJECT_TABLE = $table";
            $this->make('trigger', $head[0], $there, $sql);
        }
    }

    private function make(string $kind, string $name, string $there, string $sql): void
    {
        $isThere = $this->link->attempt("$there LIMIT 1") && $this->link->ask("$there LIMIT 1") !== [];
        if (!$isThere && !$this->link->attempt(VigieSql::named($sql, $this->prefix))) {
            $this->fail($kind, $name, $this->link->words());
        }
    }

    /** Creates views in rounds, until their dependencies exist or nothing succeeds any more. */
    private function addViews(array $texts, array $views): void
    {
        $waiting = [];
        foreach ($texts as $sql) {
            [$name, $made] = VigieSql::view($sql) ?? ['', ''];
            $final = VigieSql::final($name, $this->prefix);
            if ($final === null) {
                $this->fail('view', $sql, 'forbidden');
            } elseif (isset($views[$final])) {
                // A view that was not in the dump may miss its tables.
                $waiting[$final] = VigieSql::named("CREATE OR REPLACE $made", $this->prefix);
            }
        }
        foreach ($views as $name => $sql) {
            $waiting += [$name => (string) preg_replace('~^CREATE ~', 'CREATE OR REPLACE ', $sql)];
        }
        do {
            $words = [];
            foreach ($waiting as $name => $sql) {
                if (!$this->link->attempt($sql)) {
                    $words[$name] = $this->link->words();
                }
            }
            $isOver = $words === [] || count($words) === count($waiting);
            $waiting = array_intersect_key($waiting, $words);
        } while (!$isOver);
        foreach ($words as $name => $why) {
            $this->fail('view', (string) $name, $why);
        }
    }
}
