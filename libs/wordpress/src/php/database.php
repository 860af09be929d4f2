<?php
/** The database of a site as it was at one moment: whatever is written to it meanwhile, nobody waits and nothing is seen. */
final class VigieDatabase
{
    private const SOCKETS = ['/run/mysqld/mysqld.sock', '/var/lib/mysql/mysql.sock', '/tmp/mysql.sock'];
    private const STRING = '\'(?:[^\'\\\\]++|\\\\.|\'\')*+\'|"(?:[^"\\\\]++|\\\\.|"")*+"';
    private const QUOTED = '`(?:[^`]++|``)*+`';
    private const OTHERS = '/^(?:wbk_|civicrm_)/';
    private const MARK = 'SERVMASK_PREFIX_';

    public $prefix;
    public $version = '';
    /** By name: bytes of each table. */
    public $tables = [];
    /** By name: how each view is made, those first that others are made of. */
    public $views = [];
    public $foreignKeys = [];
    public $triggers = [];
    public $viewDefinitions = [];
    /** Views that are broken, or nobody may look at. */
    public $unread = [];
    /** By name: rows that were written. */
    public $counts = [];
    private $link;
    private $names = [];
    private $clustered = [];

    public function __construct(string $prefix)
    {
        $this->prefix = $prefix;
        mysqli_report(MYSQLI_REPORT_OFF);
        $this->connect();
        $this->ask("SET SESSION sql_mode = ''");
        $optional = [
            'SET SESSION net_write_timeout = 3600', 'SET SESSION wait_timeout = 28800',
            'SET SESSION sql_quote_show_create = 1', 'SET SESSION max_statement_time = 0',
            'SET SESSION max_execution_time = 0',
        ];
        foreach ($optional as $sql) {
            @mysqli_query($this->link, $sql);
        }
        $this->ask('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        $this->ask('START TRANSACTION WITH CONSISTENT SNAPSHOT');
        $this->version = (string) preg_replace('/^5\.5\.5-/', '', (string) mysqli_get_server_info($this->link));
    }

    private function connect(): void
    {
        [$host, $port, $socket] = VigieTables::place((string) DB_HOST);
        $sockets = [$socket];
        // The command line may have another default than the web server.
        if ($host === 'localhost' && $socket === null && $port === 0) {
            $sockets = array_merge($sockets, array_filter(self::SOCKETS, 'file_exists'));
        }
        $flags = defined('MYSQL_CLIENT_FLAGS') ? (int) MYSQL_CLIENT_FLAGS : 0;
        foreach ($sockets as $one) {
            $this->link = mysqli_init();
            mysqli_options($this->link, MYSQLI_OPT_CONNECT_TIMEOUT, 20);
            mysqli_options($this->link, MYSQLI_OPT_LOCAL_INFILE, 0);
            if (@mysqli_real_connect($this->link, $host, DB_USER, DB_PASSWORD, DB_NAME, $port, $one, $flags)) {
                mysqli_set_charset($this->link, 'utf8mb4');
                return;
            }
        }
        throw new VigieStop('database', 'connect', ['words' => (string) mysqli_connect_error()]);
    }

    public static function quoted(string $name): string
    {
        return '`' . str_replace('`', '``', $name) . '`';
    }

    /** A name as a dump has it: the importer knows its own prefix. */
    public function placed(string $table): string
    {
        $isOurs = $this->has($table);
        return self::quoted($isOurs ? self::MARK . substr($table, strlen($this->prefix)) : $table);
    }

    private function has(string $table): bool
    {
        return strncasecmp($table, $this->prefix, strlen($this->prefix)) === 0;
    }

    /** All that belongs to the site, but what is to be left out. */
    public function survey(array $without): void
    {
        $views = [];
        foreach ($this->ask('SHOW FULL TABLES') as [$name, $kind]) {
            if (in_array($name, $without, true) || !($this->has($name) || preg_match(self::OTHERS, $name) === 1)) {
                continue;
            }
            if ($kind === 'VIEW') {
                $views[] = $name;
            } elseif ($kind !== 'SEQUENCE') {
                $this->tables[$name] = 0;
            }
        }
        foreach ($this->ask('SHOW TABLE STATUS') as $row) {
            if (isset($this->tables[$row[0]])) {
                $this->tables[$row[0]] = (int) $row[6];
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

    /** Without what refers to other tables, and what only one kind of server knows. */
    public function creation(string $table): string
    {
        $sql = $this->createTable($table);
        $lines = array_values(array_filter(explode("\n", $sql), static function (string $line): bool {
            return !self::isForeignKey($line);
        }));
        $sql = (string) preg_replace('/,\n\)/', "\n)", implode("\n", $lines));
        $sql = self::outside($sql, static function (string $text): string {
            $text = (string) preg_replace('/\bENGINE=Aria\b/i', 'ENGINE=MyISAM', $text);
            return (string) preg_replace(
                '/ (?:TRANSACTIONAL|PAGE_CHECKSUM|TABLE_CHECKSUM)=\w+| ROW_FORMAT=(?:PAGE|FIXED|DYNAMIC)\b/i',
                '',
                $text
            );
        });
        return 'CREATE TABLE ' . $this->placed($table) . substr($sql, strlen('CREATE TABLE ' . self::quoted($table)));
    }

    private function createTable(string $table): string
    {
        $sql = (string) ($this->ask('SHOW CREATE TABLE ' . self::quoted($table), $table)[0][1] ?? '');
        if (strpos($sql, 'CREATE TABLE ' . self::quoted($table)) !== 0) {
            throw new VigieStop('database', 'table', ['path' => $table, 'words' => substr($sql, 0, 200)]);
        }
        return $sql;
    }

    private static function isForeignKey(string $line): bool
    {
        return preg_match('/^  CONSTRAINT ' . self::QUOTED . ' FOREIGN KEY \(/', $line) === 1;
    }

    /** Changes what is neither text nor a name, and drops comments. */
    private static function outside(string $sql, callable $change): string
    {
        $pattern = '~(' . self::STRING . '|' . self::QUOTED . ')|/\*.*?\*/~s';
        $whole = '';
        foreach ((array) preg_split($pattern, $sql, -1, PREG_SPLIT_DELIM_CAPTURE | PREG_SPLIT_NO_EMPTY) as $text) {
            $whole .= strpos('\'"`', $text[0]) === false ? $change((string) $text) : $text;
        }
        return $whole;
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
                $made[$name] = (string) ($this->ask('SHOW CREATE VIEW ' . self::quoted($name), $name)[0][1] ?? '');
            } catch (VigieStop $stop) {
                // It holds nothing of its own.
                $this->unread[] = $name;
            }
        }
        while ($made !== []) {
            foreach ($made as $name => $sql) {
                $others = array_diff(array_keys($made), [$name]);
                $isReady = array_filter($others, static function ($other) use ($sql): bool {
                    return strpos($sql, self::quoted((string) $other)) !== false;
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
        $sql = $this->renamed(str_replace(self::quoted(DB_NAME) . '.', '', $sql), false);
        $this->viewDefinitions[] = ['Name' => trim($this->placed($name), '`'), 'Table' => '', 'Sql' => $sql];
        $user = self::QUOTED . '@' . self::QUOTED;
        $head = "~^CREATE (?:ALGORITHM=\\w+ )?(?:DEFINER=$user )?(?:SQL SECURITY \\w+ )?VIEW ~";
        $this->views[$name] = (string) preg_replace($head, 'CREATE VIEW ', $sql);
    }

    private function takeTriggers(): void
    {
        foreach ($this->ask('SHOW TRIGGERS') as [$name, $event, $table, $statement, $timing]) {
            if (isset($this->tables[$table])) {
                $head = 'CREATE TRIGGER ' . self::quoted($name) . " $timing $event ON " . $this->placed($table);
                $this->triggers[] = [
                    'Name' => $name,
                    'Table' => trim($this->placed($table), '`'),
                    'Sql' => "$head FOR EACH ROW " . $this->renamed($statement, true),
                ];
            }
        }
    }

    /** With the placeholder in the names of tables; `$isBare`: where somebody may have written them without quotes. */
    private function renamed(string $sql, bool $isBare): string
    {
        $bare = $isBare ? '|[\w$\x80-\xff]++' : '';
        $pattern = '~' . self::STRING . '|' . self::QUOTED . "$bare~s";
        return (string) preg_replace_callback($pattern, function (array $match): string {
            $name = $match[0][0] === '`' ? str_replace('``', '`', substr($match[0], 1, -1)) : $match[0];
            return isset($this->names[$name]) ? $this->placed($name) : $match[0];
        }, $sql);
    }

    public function columns(string $table): array
    {
        $columns = [];
        foreach ($this->ask('SHOW FULL COLUMNS FROM ' . self::quoted($table), $table) as $row) {
            $columns[] = ['Field' => $row[0], 'Type' => $row[1], 'Collation' => $row[2], 'Extra' => (string) $row[6]];
        }
        return $columns;
    }

    /** By the key that its rows lie in: they are written into another one fastest so. */
    public function order(string $table): string
    {
        if (!in_array($table, $this->clustered, true)) {
            return '';
        }
        $keys = $this->ask('SHOW KEYS FROM ' . self::quoted($table) . " WHERE Key_name = 'PRIMARY'", $table);
        return $keys === [] ? '' : ' FORCE INDEX (PRIMARY)';
    }

    /** What is left out of a table, as a condition of what is read. */
    public function condition(string $table, array $left): string
    {
        $short = substr($table, strlen($this->prefix));
        $blog = preg_match('/^\d+_/', $short, $match) === 1 ? $match[0] : '';
        $posts = self::quoted($this->prefix . $blog . 'posts');
        $comments = self::quoted($this->prefix . $blog . 'comments');
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

    /** Row by row: what is not read yet stays on the server. */
    public function stream(string $sql, string $table): mysqli_result
    {
        $rows = @mysqli_query($this->link, $sql, MYSQLI_USE_RESULT);
        if (!$rows instanceof mysqli_result) {
            throw $this->failure($table);
        }
        return $rows;
    }

    /** The end of the rows may be the end of the connection. */
    public function finished(mysqli_result $rows, string $table): void
    {
        $hasFailed = mysqli_errno($this->link) !== 0;
        $rows->free();
        if ($hasFailed || mysqli_errno($this->link) !== 0) {
            throw $this->failure($table);
        }
    }

    public function ask(string $sql, string $table = ''): array
    {
        $rows = @mysqli_query($this->link, $sql);
        if ($rows === false) {
            throw $this->failure($table);
        }
        if ($rows === true) {
            return [];
        }
        $all = $rows->fetch_all(MYSQLI_NUM);
        $rows->free();
        return $all;
    }

    private function failure(string $table): VigieStop
    {
        // A table that was changed since the snapshot began is not there as it was.
        $why = mysqli_errno($this->link) === 1412 ? 'altered' : ($table === '' ? 'query' : 'table');
        return new VigieStop('database', $why, ['path' => $table, 'words' => (string) mysqli_error($this->link)]);
    }

    /** `$blog`: of a network, what stands between the prefix and the name of a table. */
    public function options(array $names, string $blog = ''): array
    {
        $list = "'" . implode("','", $names) . "'";
        $table = self::quoted($this->prefix . $blog . 'options');
        $rows = $this->ask("SELECT option_name, option_value FROM $table WHERE option_name IN ($list)", 'options');
        return array_column($rows, 1, 0);
    }

    public function close(): void
    {
        mysqli_close($this->link);
    }
}
