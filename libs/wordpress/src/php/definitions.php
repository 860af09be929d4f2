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

    private function __construct(VigieConnection $link, string $prefix, array $tables)
    {
        $this->tables = $tables;
        $this->link = $link;
        $this->prefix = $prefix;
    }

    /**
     * Creates what does not exist yet, and returns what failed; may be called again. `$note`: our part of package.json;
     * `$views`: those of the dump; `$tables`: the only tables that may get keys and triggers.
     */
    public static function createAll(VigieConnection $link, string $prefix, array $note, array $views, array $tables): array
    {
        $creator = new self($link, $prefix, $tables);
        $link->tryExecute("SET SESSION sql_mode = '', foreign_key_checks = 0");
        $definitions = is_array($note['Database'] ?? null) ? $note['Database'] : [];
        $creator->addKeys(self::statementsOf($definitions, 'ForeignKeys'));
        $creator->addViews(self::statementsOf($definitions, 'Views'), $views);
        // Triggers are created last, so that they only fire from now on.
        $creator->addTriggers(self::statementsOf($definitions, 'Triggers'));
        $link->tryExecute('SET SESSION foreign_key_checks = 1');
        return $creator->failed;
    }

    private static function statementsOf(array $definitions, string $kind): array
    {
        $statements = [];
        foreach (is_array($definitions[$kind] ?? null) ? $definitions[$kind] : [] as $definition) {
            if (is_string($definition['Sql'] ?? null)) {
                $statements[] = $definition['Sql'];
            }
        }
        return $statements;
    }

    private function addFailure(string $kind, string $name, string $message): void
    {
        $this->failed[] = ['kind' => $kind, 'name' => substr($name, 0, 200), 'words' => substr($message, 0, 400)];
    }

    /** The name and the table of a definition; null where the statement does not match. */
    private function nameAndTable(string $pattern, string $sql): ?array
    {
        $list = sprintf(self::LIST, VigieSql::NAME);
        if (preg_match(sprintf($pattern, VigieSql::NAME, $list), $sql, $match) !== 1) {
            return null;
        }
        $table = VigieSql::finalName(VigieSql::unquoted($match['table']), $this->prefix);
        return $table === null ? null : [VigieSql::unquoted($match['name']), $this->link->foldCase($table)];
    }

    private function addKeys(array $statements): void
    {
        foreach ($statements as $sql) {
            $head = $this->nameAndTable(self::KEY, $sql);
            if ($head === null) {
                $this->addFailure('foreign_key', $sql, 'forbidden');
                continue;
            }
            if (!in_array($head[1], $this->tables, true)) {
                continue;
            }
            [$name, $table] = array_map([VigieConnection::class, 'literal'], $head);
            $query = 'SELECT 1 FROM information_schema.TABLE_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()'
                . " AND CONSTRAINT_TYPE = 'FOREIGN KEY' AND CONSTRAINT_NAME = $name AND TABLE_NAME = $table";
            $this->create('foreign_key', $head[0], $query, $sql);
        }
    }

    private function addTriggers(array $statements): void
    {
        foreach ($statements as $sql) {
            $head = $this->nameAndTable(self::TRIGGER, $sql);
            if ($head === null) {
                $this->addFailure('trigger', $sql, 'forbidden');
                continue;
            }
            if (!in_array($head[1], $this->tables, true)) {
                continue;
            }
            [$name, $table] = array_map([VigieConnection::class, 'literal'], $head);
            $query = 'SELECT 1 FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()'
                . " AND TRIGGER_NAME = $name AND EVENT_OBJECT_TABLE = $table";
            $this->create('trigger', $head[0], $query, $sql);
        }
    }

    private function create(string $kind, string $name, string $query, string $sql): void
    {
        $exists = $this->link->tryExecute("$query LIMIT 1") && $this->link->query("$query LIMIT 1") !== [];
        if (!$exists && !$this->link->tryExecute(VigieSql::withPrefix($sql, $this->prefix))) {
            $this->addFailure($kind, $name, $this->link->errorMessage());
        }
    }

    /** Creates views in rounds, until their dependencies exist or nothing succeeds any more. */
    private function addViews(array $statements, array $views): void
    {
        $pending = [];
        foreach ($statements as $sql) {
            [$name, $statement] = VigieSql::parseView($sql) ?? ['', ''];
            $final = VigieSql::finalName($name, $this->prefix);
            if ($final === null) {
                $this->addFailure('view', $sql, 'forbidden');
            } elseif (isset($views[$final])) {
                // A view that was not in the dump may miss its tables.
                $pending[$final] = VigieSql::withPrefix("CREATE OR REPLACE $statement", $this->prefix);
            }
        }
        foreach ($views as $name => $sql) {
            $pending += [$name => (string) preg_replace('~^CREATE ~', 'CREATE OR REPLACE ', $sql)];
        }
        do {
            $errors = [];
            foreach ($pending as $name => $sql) {
                if (!$this->link->tryExecute($sql)) {
                    $errors[$name] = $this->link->errorMessage();
                }
            }
            $isFinished = $errors === [] || count($errors) === count($pending);
            $pending = array_intersect_key($pending, $errors);
        } while (!$isFinished);
        foreach ($errors as $name => $why) {
            $this->addFailure('view', (string) $name, $why);
        }
    }
}
