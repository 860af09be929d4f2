<?php
/** Reads a site's database in one consistent snapshot, without blocking writers. */
final class VigieDatabase
{
    /** Server error for a missing table. */
    public const ABSENT = 1146;
    public $prefix;
    public $version = '';
    /** Bytes by table. */
    public $tables = [];
    /** CREATE VIEW by name, dependencies first. */
    public $views = [];
    /** Bytes on disk of all tables, indexes included. */
    public $stored = 0;
    public $foreignKeys = [];
    public $triggers = [];
    public $viewDefinitions = [];
    /** Broken views, and triggers that this user may not see; whether there are such triggers. */
    public $unread = [];
    public $hidesTriggers = false;
    /** Sequences, which no archive can hold. */
    public $sequences = [];
    /** Rows written, by table. */
    public $counts = [];
    private $link;
    private $names = [];
    private $clustered = [];

    public function __construct(string $prefix)
    {
        $this->prefix = $prefix;
        $this->link = new VigieLink();
        $this->version = $this->link->version;
        $this->link->run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        $this->link->run('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    }

    /** Foreign keys, triggers and views, in the form of our note in package.json. */
    public function definitions(): array
    {
        return ['ForeignKeys' => $this->foreignKeys, 'Triggers' => $this->triggers, 'Views' => $this->viewDefinitions];
    }

    /** The table's name in a dump, with the placeholder instead of the prefix. */
    public function placed(string $table): string
    {
        $isOurs = $this->has($table);
        return VigieLink::quoted($isOurs ? VigieSql::MARK . substr($table, strlen($this->prefix)) : $table);
    }

    private function has(string $table): bool
    {
        return strncasecmp($table, $this->prefix, strlen($this->prefix)) === 0;
    }

    /** Lists the tables, views, keys and triggers of the site, except the given ones. */
    public function survey(array $without): void
    {
        $views = [];
        foreach ($this->ask('SHOW FULL TABLES') as [$name, $kind]) {
            if (in_array($name, $without, true) || !($this->has($name) || preg_match(VigieSql::OTHERS, $name) === 1)) {
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
        foreach ($this->ask('SHOW TABLE STATUS') as $row) {
            if (isset($this->tables[$row[0]])) {
                $this->tables[$row[0]] = (int) $row[6];
                $this->stored += (int) $row[6] + (int) $row[8];
                if ($row[1] === 'InnoDB') {
                    $this->clustered[] = (string) $row[0];
                }
            }
        }
        $this->names = $this->tables + array_flip($views);
        foreach (array_keys($this->tables) as $table) {
            $this->takeForeignKeys((string) $table);
        }
        $this->takeViews($views);
        $this->takeTriggers();
    }

    /** Excludes views and triggers that a restore would refuse, and returns their names. */
    public function leaveOutReaching(): array
    {
        $left = [];
        foreach (['viewDefinitions', 'triggers'] as $kind) {
            $this->$kind = array_values(array_filter($this->$kind, function (array $one) use (&$left): bool {
                $isLeft = $this->link->reachesOut($one['Sql']);
                $isLeft && ($left[] = $one['Name']);
                return !$isLeft;
            }));
        }
        $this->views = array_filter($this->views, function ($view) use ($left): bool {
            return !in_array(trim($this->placed((string) $view), '`'), $left, true);
        }, ARRAY_FILTER_USE_KEY);
        return $left;
    }

    /** Without foreign keys, and without options that only one kind of server knows. */
    public function creation(string $table): string
    {
        $sql = $this->createTable($table);
        $lines = array_values(array_filter(explode("\n", $sql), static function (string $line): bool {
            return !self::isForeignKey($line);
        }));
        $sql = (string) preg_replace('/,\n\)/', "\n)", implode("\n", $lines));
        $sql = VigieSql::outside($sql, static function (string $text): string {
            $text = (string) preg_replace('/\bENGINE=Aria\b/i', 'ENGINE=MyISAM', $text);
            return (string) preg_replace(
                '/ (?:TRANSACTIONAL|PAGE_CHECKSUM|TABLE_CHECKSUM)=\w+| ROW_FORMAT=(?:PAGE|FIXED|DYNAMIC)\b/i',
                '',
                $text
            );
        });
        return 'CREATE TABLE ' . $this->placed($table) . substr($sql, strlen('CREATE TABLE ' . VigieLink::quoted($table)));
    }

    private function createTable(string $table): string
    {
        $sql = (string) ($this->ask('SHOW CREATE TABLE ' . VigieLink::quoted($table), $table)[0][1] ?? '');
        if (strpos($sql, 'CREATE TABLE ' . VigieLink::quoted($table)) !== 0) {
            throw new VigieStop('database', 'table', ['path' => $table, 'words' => substr($sql, 0, 200)]);
        }
        return $sql;
    }

    private static function isForeignKey(string $line): bool
    {
        return preg_match('/^  CONSTRAINT ' . VigieSql::NAME . ' FOREIGN KEY \(/', $line) === 1;
    }

    private function takeForeignKeys(string $table): void
    {
        foreach (explode("\n", $this->createTable($table)) as $line) {
            if (self::isForeignKey($line)) {
                $sql = $this->renamed(rtrim(trim($line), ','), false);
                $name = preg_match('/`((?:[^`]++|``)*+)`/', $line, $match) === 1 ? $match[1] : '';
                $this->foreignKeys[] = [
                    'Name' => str_replace('``', '`', $name),
                    'Table' => trim($this->placed($table), '`'),
                    'Sql' => 'ALTER TABLE ' . $this->placed($table) . " ADD $sql",
                ];
            }
        }
    }

    private function takeViews(array $names): void
    {
        $made = [];
        foreach ($names as $name) {
            try {
                $made[$name] = (string) ($this->ask('SHOW CREATE VIEW ' . VigieLink::quoted($name), $name)[0][1] ?? '');
            } catch (VigieStop $stop) {
                // A view holds no data.
                $this->unread[] = $name;
            }
        }
        while ($made !== []) {
            foreach ($made as $name => $sql) {
                $others = array_diff(array_keys($made), [$name]);
                $isReady = array_filter($others, static function ($other) use ($sql): bool {
                    return strpos($sql, VigieLink::quoted((string) $other)) !== false;
                }) === [];
                if ($isReady || $name === array_keys($made)[count($made) - 1]) {
                    $this->takeView((string) $name, $sql);
                    unset($made[$name]);
                    break;
                }
            }
        }
    }

    private function takeView(string $name, string $sql): void
    {
        $sql = $this->renamed(str_replace(VigieLink::quoted(DB_NAME) . '.', '', $sql), false);
        $this->viewDefinitions[] = ['Name' => trim($this->placed($name), '`'), 'Table' => '', 'Sql' => $sql];
        $user = VigieSql::NAME . '@' . VigieSql::NAME;
        $head = "~^CREATE (?:ALGORITHM=\\w+ )?(?:DEFINER=$user )?(?:SQL SECURITY \\w+ )?VIEW ~";
        $this->views[$name] = (string) preg_replace($head, 'CREATE VIEW ', $sql);
    }

    private function takeTriggers(): void
    {
        foreach ($this->ask('SHOW TRIGGERS') as [$name, $event, $table, $statement, $timing]) {
            if (isset($this->tables[$table]) && $statement === null) {
                $this->unread[] = $name;
                $this->hidesTriggers = true;
            } elseif (isset($this->tables[$table])) {
                $head = 'CREATE TRIGGER ' . VigieLink::quoted($name) . " $timing $event ON " . $this->placed($table);
                $this->triggers[] = [
                    'Name' => $name,
                    'Table' => trim($this->placed($table), '`'),
                    'Sql' => "$head FOR EACH ROW " . $this->renamed($statement, true),
                ];
            }
        }
    }

    /** Puts the placeholder into table names; `$isBare`: also into unquoted names. */
    private function renamed(string $sql, bool $isBare): string
    {
        $bare = $isBare ? '|[\w$\x80-\xff]++' : '';
        $pattern = '~' . VigieSql::STRING . '|' . VigieSql::NAME . "$bare~s";
        return (string) preg_replace_callback($pattern, function (array $match): string {
            $name = $match[0][0] === '`' ? str_replace('``', '`', substr($match[0], 1, -1)) : $match[0];
            return isset($this->names[$name]) ? $this->placed($name) : $match[0];
        }, $sql);
    }

    public function columns(string $table): array
    {
        $columns = [];
        foreach ($this->ask('SHOW FULL COLUMNS FROM ' . VigieLink::quoted($table), $table) as $row) {
            $columns[] = ['Field' => $row[0], 'Type' => $row[1], 'Collation' => $row[2], 'Extra' => (string) $row[6]];
        }
        return $columns;
    }

    /** Reads in the order of the primary key: loading is fastest that way. */
    public function order(string $table): string
    {
        if (!in_array($table, $this->clustered, true)) {
            return '';
        }
        $keys = $this->ask('SHOW KEYS FROM ' . VigieLink::quoted($table) . " WHERE Key_name = 'PRIMARY'", $table);
        return $keys === [] ? '' : ' FORCE INDEX (PRIMARY)';
    }

    /** The WHERE clause that leaves out spam and revisions. */
    public function condition(string $table, array $left): string
    {
        $short = substr($table, strlen($this->prefix));
        $blog = preg_match('/^\d+_/', $short, $match) === 1 ? $match[0] : '';
        $posts = VigieLink::quoted($this->prefix . $blog . 'posts');
        $comments = VigieLink::quoted($this->prefix . $blog . 'comments');
        $kinds = [
            'comments' => ['spam', "comment_approved <> 'spam'"],
            'commentmeta' => [
                'spam',
                "comment_id NOT IN (SELECT comment_ID FROM $comments WHERE comment_approved = 'spam')",
            ],
            'posts' => ['revisions', "post_type <> 'revision'"],
            'postmeta' => ['revisions', "post_id NOT IN (SELECT ID FROM $posts WHERE post_type = 'revision')"],
        ];
        [$kind, $sql] = $kinds[substr($short, strlen($blog))] ?? ['', ''];
        return $kind !== '' && !empty($left[$kind]) ? " WHERE $sql" : '';
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

    public function finished(mysqli_result $rows, string $table): void
    {
        $this->link->finished($rows, $table);
    }

    public function ask(string $sql, string $table = ''): array
    {
        return $this->link->ask($sql, $table);
    }

    /** Whether the options table is missing: only a restore can help such a site. */
    public function isLost(): bool
    {
        $table = VigieLink::quoted("{$this->prefix}options");
        return !$this->link->attempt("SELECT 1 FROM $table LIMIT 0") && $this->link->code() === self::ABSENT;
    }

    /** For a network's table that may be missing: returns no rows then. */
    public function askIfThere(string $sql): array
    {
        try {
            return $this->ask($sql);
        } catch (VigieStop $stop) {
            if ($this->link->code() !== self::ABSENT) {
                throw $stop;
            }
            return [];
        }
    }

    public function options(array $names): array
    {
        return array_column($this->ask($this->optionsQuery($names), 'options'), 1, 0);
    }

    /** `$blog`: the number of a network's site with its underscore, which follows the prefix. */
    public function optionsQuery(array $names, string $blog = ''): string
    {
        $list = "'" . implode("','", $names) . "'";
        $table = VigieLink::quoted($this->prefix . $blog . 'options');
        return "SELECT option_name, option_value FROM $table WHERE option_name IN ($list)";
    }

    public function close(): void
    {
        $this->link->close();
    }
}
