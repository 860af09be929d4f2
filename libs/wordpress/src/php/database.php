<?php
/** Reads a site's database in one consistent snapshot, without blocking writers. */
final class VigieDatabase
{
    public const NO_SUCH_TABLE = 1146;
    public $prefix;
    public $version = '';
    /** Bytes by table. */
    public $tables = [];
    /** CREATE VIEW by name, dependencies first. */
    public $views = [];
    /** Bytes on disk of all tables, indexes included. */
    public $storedBytes = 0;
    public $foreignKeys = [];
    public $triggers = [];
    public $viewDefinitions = [];
    /** Broken views, and triggers that this user may not see; whether there are such triggers. */
    public $unreadable = [];
    public $hidesTriggers = false;
    /** Sequences, which no archive can hold. */
    public $sequences = [];
    /** Rows written, by table. */
    public $rowCounts = [];
    private $link;
    private $names = [];
    private $clustered = [];

    public function __construct(string $prefix)
    {
        $this->prefix = $prefix;
        $this->link = new VigieConnection();
        $this->version = $this->link->version;
        $this->link->execute('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        $this->link->execute('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    }

    /** Foreign keys, triggers and views, in the form of our note in package.json. */
    public function definitions(): array
    {
        return ['ForeignKeys' => $this->foreignKeys, 'Triggers' => $this->triggers, 'Views' => $this->viewDefinitions];
    }

    /** The table's name in a dump, with the placeholder instead of the prefix. */
    public function placeholderName(string $table): string
    {
        $hasPrefix = $this->hasPrefix($table);
        return VigieConnection::quoteName($hasPrefix ? VigieSql::PLACEHOLDER . substr($table, strlen($this->prefix)) : $table);
    }

    private function hasPrefix(string $table): bool
    {
        return strncasecmp($table, $this->prefix, strlen($this->prefix)) === 0;
    }

    /** Lists the tables, views, keys and triggers of the site, except the given ones. */
    public function readSchema(array $without): void
    {
        $views = [];
        foreach ($this->query('SHOW FULL TABLES') as [$name, $kind]) {
            if (in_array($name, $without, true) || !($this->hasPrefix($name) || preg_match(VigieSql::UNPREFIXED, $name) === 1)) {
                continue;
            }
            if ($kind === 'VIEW') {
                $views[] = $name;
            } elseif ($kind === 'SEQUENCE') {
                $this->sequences[] = $name;
            } else {
                $this->tables[$name] = 0;
            }
        }
        foreach ($this->query('SHOW TABLE STATUS') as $row) {
            if (isset($this->tables[$row[0]])) {
                $this->tables[$row[0]] = (int) $row[6];
                $this->storedBytes += (int) $row[6] + (int) $row[8];
                if ($row[1] === 'InnoDB') {
                    $this->clustered[] = (string) $row[0];
                }
            }
        }
        $this->names = $this->tables + array_flip($views);
        foreach (array_keys($this->tables) as $table) {
            $this->readForeignKeys((string) $table);
        }
        $this->readViews($views);
        $this->readTriggers();
    }

    /** Excludes views and triggers that a restore would refuse, and returns their names. */
    public function excludeCrossDatabase(): array
    {
        $excluded = [];
        foreach (['viewDefinitions', 'triggers'] as $kind) {
            $this->$kind = array_values(array_filter($this->$kind, function (array $definition) use (&$excluded): bool {
                $isExcluded = $this->link->isCrossDatabase($definition['Sql']);
                $isExcluded && ($excluded[] = $definition['Name']);
                return !$isExcluded;
            }));
        }
        $this->views = array_filter($this->views, function ($view) use ($excluded): bool {
            return !in_array(trim($this->placeholderName((string) $view), '`'), $excluded, true);
        }, ARRAY_FILTER_USE_KEY);
        return $excluded;
    }

    /** Without foreign keys, and without options that only one kind of server knows. */
    public function createStatement(string $table): string
    {
        $sql = $this->showCreateTable($table);
        $lines = array_values(array_filter(explode("\n", $sql), static function (string $line): bool {
            return !self::isForeignKey($line);
        }));
        $sql = (string) preg_replace('/,\n\)/', "\n)", implode("\n", $lines));
        $sql = VigieSql::replaceOutside($sql, static function (string $text): string {
            $text = (string) preg_replace('/\bENGINE=Aria\b/i', 'ENGINE=MyISAM', $text);
            return (string) preg_replace(
                '/ (?:TRANSACTIONAL|PAGE_CHECKSUM|TABLE_CHECKSUM)=\w+| ROW_FORMAT=(?:PAGE|FIXED|DYNAMIC)\b/i',
                '',
                $text
            );
        });
        return 'CREATE TABLE ' . $this->placeholderName($table) . substr($sql, strlen('CREATE TABLE ' . VigieConnection::quoteName($table)));
    }

    private function showCreateTable(string $table): string
    {
        $sql = (string) ($this->query('SHOW CREATE TABLE ' . VigieConnection::quoteName($table), $table)[0][1] ?? '');
        if (strpos($sql, 'CREATE TABLE ' . VigieConnection::quoteName($table)) !== 0) {
            throw new VigieStop('database', 'table', ['path' => $table, 'words' => substr($sql, 0, 200)]);
        }
        return $sql;
    }

    private static function isForeignKey(string $line): bool
    {
        return preg_match('/^  CONSTRAINT ' . VigieSql::NAME . ' FOREIGN KEY \(/', $line) === 1;
    }

    private function readForeignKeys(string $table): void
    {
        foreach (explode("\n", $this->showCreateTable($table)) as $line) {
            if (self::isForeignKey($line)) {
                $sql = $this->withPlaceholders(rtrim(trim($line), ','), false);
                $name = preg_match('/`((?:[^`]++|``)*+)`/', $line, $match) === 1 ? $match[1] : '';
                $this->foreignKeys[] = [
                    'Name' => str_replace('``', '`', $name),
                    'Table' => trim($this->placeholderName($table), '`'),
                    'Sql' => 'ALTER TABLE ' . $this->placeholderName($table) . " ADD $sql",
                ];
            }
        }
    }

    private function readViews(array $names): void
    {
        $statements = [];
        foreach ($names as $name) {
            try {
                $statements[$name] = (string) ($this->query('SHOW CREATE VIEW ' . VigieConnection::quoteName($name), $name)[0][1] ?? '');
            } catch (VigieStop $stop) {
                // A view holds no data.
                $this->unreadable[] = $name;
            }
        }
        while ($statements !== []) {
            foreach ($statements as $name => $sql) {
                $others = array_diff(array_keys($statements), [$name]);
                $isReady = array_filter($others, static function ($other) use ($sql): bool {
                    return strpos($sql, VigieConnection::quoteName((string) $other)) !== false;
                }) === [];
                if ($isReady || $name === array_keys($statements)[count($statements) - 1]) {
                    $this->addView((string) $name, $sql);
                    unset($statements[$name]);
                    break;
                }
            }
        }
    }

    private function addView(string $name, string $sql): void
    {
        $sql = $this->withPlaceholders(str_replace(VigieConnection::quoteName(DB_NAME) . '.', '', $sql), false);
        $this->viewDefinitions[] = ['Name' => trim($this->placeholderName($name), '`'), 'Table' => '', 'Sql' => $sql];
        $user = VigieSql::NAME . '@' . VigieSql::NAME;
        $head = "~^CREATE (?:ALGORITHM=\\w+ )?(?:DEFINER=$user )?(?:SQL SECURITY \\w+ )?VIEW ~";
        $this->views[$name] = (string) preg_replace($head, 'CREATE VIEW ', $sql);
    }

    private function readTriggers(): void
    {
        foreach ($this->query('SHOW TRIGGERS') as [$name, $event, $table, $statement, $timing]) {
            if (isset($this->tables[$table]) && $statement === null) {
                $this->unreadable[] = $name;
                $this->hidesTriggers = true;
            } elseif (isset($this->tables[$table])) {
                $head = 'CREATE TRIGGER ' . VigieConnection::quoteName($name) . " $timing $event ON " . $this->placeholderName($table);
                $this->triggers[] = [
                    'Name' => $name,
                    'Table' => trim($this->placeholderName($table), '`'),
                    'Sql' => "$head FOR EACH ROW " . $this->withPlaceholders($statement, true),
                ];
            }
        }
    }

    /** Puts the placeholder into table names; `$isBare`: also into unquoted names. */
    private function withPlaceholders(string $sql, bool $isBare): string
    {
        $bare = $isBare ? '|[\w$\x80-\xff]++' : '';
        $pattern = '~' . VigieSql::STRING . '|' . VigieSql::NAME . "$bare~s";
        return (string) preg_replace_callback($pattern, function (array $match): string {
            $name = $match[0][0] === '`' ? str_replace('``', '`', substr($match[0], 1, -1)) : $match[0];
            return isset($this->names[$name]) ? $this->placeholderName($name) : $match[0];
        }, $sql);
    }

    public function columns(string $table): array
    {
        $columns = [];
        foreach ($this->query('SHOW FULL COLUMNS FROM ' . VigieConnection::quoteName($table), $table) as $row) {
            $columns[] = ['Field' => $row[0], 'Type' => $row[1], 'Collation' => $row[2], 'Extra' => (string) $row[6]];
        }
        return $columns;
    }

    /** Reads in the order of the primary key: loading is fastest that way. */
    public function indexHint(string $table): string
    {
        if (!in_array($table, $this->clustered, true)) {
            return '';
        }
        $keys = $this->query('SHOW KEYS FROM ' . VigieConnection::quoteName($table) . " WHERE Key_name = 'PRIMARY'", $table);
        return $keys === [] ? '' : ' FORCE INDEX (PRIMARY)';
    }

    /** The WHERE clause that leaves out spam and revisions. */
    public function whereClause(string $table, array $excluded): string
    {
        $short = substr($table, strlen($this->prefix));
        $blog = preg_match('/^\d+_/', $short, $match) === 1 ? $match[0] : '';
        $posts = VigieConnection::quoteName($this->prefix . $blog . 'posts');
        $comments = VigieConnection::quoteName($this->prefix . $blog . 'comments');
        $rules = [
            'comments' => ['spam', "comment_approved <> 'spam'"],
            'commentmeta' => [
                'spam',
                "comment_id NOT IN (SELECT comment_ID FROM $comments WHERE comment_approved = 'spam')",
            ],
            'posts' => ['revisions', "post_type <> 'revision'"],
            'postmeta' => ['revisions', "post_id NOT IN (SELECT ID FROM $posts WHERE post_type = 'revision')"],
        ];
        [$kind, $sql] = $rules[substr($short, strlen($blog))] ?? ['', ''];
        return $kind !== '' && !empty($excluded[$kind]) ? " WHERE $sql" : '';
    }

    /** Reads timestamps in UTC, whatever the time zone of the session that loads them. */
    public function useUtc(): void
    {
        $this->link->useUtc();
    }

    public function stream(string $sql, string $table): mysqli_result
    {
        return $this->link->stream($sql, $table);
    }

    public function finishStream(mysqli_result $rows, string $table): void
    {
        $this->link->finishStream($rows, $table);
    }

    public function query(string $sql, string $table = ''): array
    {
        return $this->link->query($sql, $table);
    }

    /** Whether the options table is missing: only a restore can help such a site. */
    public function hasLostOptions(): bool
    {
        $table = VigieConnection::quoteName("{$this->prefix}options");
        return !$this->link->tryExecute("SELECT 1 FROM $table LIMIT 0") && $this->link->errorCode() === self::NO_SUCH_TABLE;
    }

    /** For a network's table that may be missing: returns no rows then. */
    public function queryIfExists(string $sql): array
    {
        try {
            return $this->query($sql);
        } catch (VigieStop $stop) {
            if ($this->link->errorCode() !== self::NO_SUCH_TABLE) {
                throw $stop;
            }
            return [];
        }
    }

    public function options(array $names): array
    {
        return array_column($this->query($this->optionsQuery($names), 'options'), 1, 0);
    }

    /** `$blog`: the number of a network's site with its underscore, which follows the prefix. */
    public function optionsQuery(array $names, string $blog = ''): string
    {
        $list = "'" . implode("','", $names) . "'";
        $table = VigieConnection::quoteName($this->prefix . $blog . 'options');
        return "SELECT option_name, option_value FROM $table WHERE option_name IN ($list)";
    }

    public function close(): void
    {
        $this->link->close();
    }
}
