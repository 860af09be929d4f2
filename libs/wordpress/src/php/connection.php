<?php
/** The connection to a site's database, by its configuration. */
final class VigieConnection
{
    private const SOCKETS = ['/run/mysqld/mysqld.sock', '/var/lib/mysql/mysql.sock', '/tmp/mysql.sock'];

    public $version = '';
    public $isMariaDb = false;
    private $mysqli;
    /** Whether the server ignores case in table names; null until asked. */
    private $foldsCase = null;
    /** The server's other databases; null until asked. */
    private $otherDatabases = null;
    /** Whether the answer to send() is still to come. */
    private $isWaiting = false;

    public function __construct()
    {
        mysqli_report(MYSQLI_REPORT_OFF);
        $this->connect();
        $this->query("SET SESSION sql_mode = ''");
        $optional = [
            'net_write_timeout = 3600', 'net_read_timeout = 3600', 'wait_timeout = 28800', 'sql_quote_show_create = 1',
            'max_statement_time = 0', 'max_execution_time = 0',
        ];
        foreach ($optional as $setting) {
            $this->tryExecute("SET SESSION $setting");
        }
        $version = (string) mysqli_get_server_info($this->mysqli);
        $this->isMariaDb = stripos($version, 'mariadb') !== false;
        $this->version = (string) preg_replace('/^5\.5\.5-/', '', $version);
    }

    private function connect(): void
    {
        [$host, $port, $socket] = VigieScanDatabase::parseHost((string) DB_HOST);
        $sockets = [$socket];
        // The command line may have another default socket than the web server.
        if ($host === 'localhost' && $socket === null && $port === 0) {
            $sockets = array_merge($sockets, array_filter(self::SOCKETS, 'file_exists'));
        }
        $flags = defined('MYSQL_CLIENT_FLAGS') ? (int) MYSQL_CLIENT_FLAGS : 0;
        foreach ($sockets as $candidate) {
            $this->mysqli = mysqli_init();
            mysqli_options($this->mysqli, MYSQLI_OPT_CONNECT_TIMEOUT, 20);
            mysqli_options($this->mysqli, MYSQLI_OPT_LOCAL_INFILE, 0);
            if (@mysqli_real_connect($this->mysqli, $host, DB_USER, DB_PASSWORD, DB_NAME, $port, $candidate, $flags)) {
                mysqli_set_charset($this->mysqli, 'utf8mb4');
                return;
            }
        }
        throw new VigieStop('database', 'connect', ['words' => (string) mysqli_connect_error()]);
    }

    public static function quoteName(string $name): string
    {
        return '`' . str_replace('`', '``', $name) . '`';
    }

    /** A quoted SQL string. */
    public static function literal(string $value): string
    {
        return "'" . VigieSql::escape($value) . "'";
    }

    /** The table name in the case in which the server compares it. */
    public function foldCase(string $name): string
    {
        $this->foldsCase = $this->foldsCase ?? $this->query('SELECT @@lower_case_table_names')[0][0] !== '0';
        return $this->foldsCase ? strtolower($name) : $name;
    }

    public function query(string $sql, string $table = ''): array
    {
        $this->isWaiting && $this->receive();
        $rows = @mysqli_query($this->mysqli, $sql);
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

    public function execute(string $sql): void
    {
        $this->query($sql);
    }

    /** Whether the server executed it; `errorCode` and `errorMessage` say why not. */
    public function tryExecute(string $sql): bool
    {
        $this->isWaiting && $this->receive();
        return @mysqli_query($this->mysqli, $sql) !== false;
    }

    /** Sends a statement without waiting for the answer, which `receive` fetches. */
    public function sendAsync(string $sql): bool
    {
        if (!function_exists('mysqli_reap_async_query')) {
            return $this->tryExecute($sql);
        }
        $this->isWaiting && $this->receive();
        $this->isWaiting = @mysqli_query($this->mysqli, $sql, MYSQLI_ASYNC) !== false;
        return $this->isWaiting;
    }

    /** Whether receive() would not have to wait. */
    public function hasAnswer(): bool
    {
        $links = $errors = $others = [$this->mysqli];
        return !$this->isWaiting || @mysqli_poll($links, $errors, $others, 0) !== 0;
    }

    /** Whether the server executed the sent statement; `errorCode` and `affectedRows` describe it. */
    public function receive(): bool
    {
        if (!$this->isWaiting) {
            return $this->errorCode() === 0;
        }
        $this->isWaiting = false;
        return @mysqli_reap_async_query($this->mysqli) !== false;
    }

    public function errorCode(): int
    {
        return (int) mysqli_errno($this->mysqli);
    }

    public function errorMessage(): string
    {
        return (string) mysqli_error($this->mysqli);
    }

    public function affectedRows(): int
    {
        return (int) mysqli_affected_rows($this->mysqli);
    }

    public function hasWarnings(): bool
    {
        return mysqli_warning_count($this->mysqli) > 0;
    }

    public function stream(string $sql, string $table): mysqli_result
    {
        $rows = @mysqli_query($this->mysqli, $sql, MYSQLI_USE_RESULT);
        if (!$rows instanceof mysqli_result) {
            throw $this->failure($table);
        }
        return $rows;
    }

    /** An aborted connection also ends the rows. */
    public function finishStream(mysqli_result $rows, string $table): void
    {
        $hasFailed = $this->errorCode() !== 0;
        $rows->free();
        if ($hasFailed || $this->errorCode() !== 0) {
            throw $this->failure($table);
        }
    }

    private function failure(string $table): VigieStop
    {
        // 1412: the table was altered after the snapshot began.
        $why = $this->errorCode() === 1412 ? 'altered' : ($table === '' ? 'query' : 'table');
        return new VigieStop('database', $why, ['path' => $table, 'words' => $this->errorMessage()]);
    }

    public function maxPacket(): int
    {
        return (int) $this->query('SELECT @@SESSION.max_allowed_packet')[0][0];
    }

    public function collations(): array
    {
        $names = array_column($this->query('SELECT COLLATION_NAME FROM information_schema.COLLATIONS'), 0);
        // Since MariaDB 10.10 some collations are listed without their character set.
        $full = 'SELECT FULL_COLLATION_NAME FROM information_schema.COLLATION_CHARACTER_SET_APPLICABILITY';
        return $this->tryExecute("$full LIMIT 0") ? array_merge($names, array_column($this->query($full), 0)) : $names;
    }

    /** Whether SQL names another visible database, a system database, or a file of the server. */
    public function isCrossDatabase(string $sql): bool
    {
        if ($this->otherDatabases === null) {
            $all = 'SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE BINARY SCHEMA_NAME <> BINARY DATABASE()';
            $others = array_merge(array_column($this->query($all), 0), ['mysql', 'performance_schema', 'sys']);
            $this->otherDatabases = array_map([$this, 'foldCase'], $others);
        }
        return VigieSql::isCrossDatabase($sql, $this->otherDatabases, [$this, 'foldCase']);
    }

    public function engines(): array
    {
        $rows = $this->query("SELECT ENGINE FROM information_schema.ENGINES WHERE SUPPORT IN ('YES', 'DEFAULT')");
        return array_column($rows, 0);
    }

    /** In local time, the hour that repeats in autumn would be ambiguous. */
    public function useUtc(): void
    {
        $this->execute("SET SESSION time_zone = '+00:00'");
    }

    /** Takes a server-side lock, which also waits for a statement of a killed process. */
    public function lock(string $name): void
    {
        $escaped = mysqli_real_escape_string($this->mysqli, $name);
        if (($this->query("SELECT GET_LOCK('$escaped', 60)")[0][0] ?? '') !== '1') {
            throw new VigieStop('database', 'busy', ['words' => $name]);
        }
    }

    public function close(): void
    {
        mysqli_close($this->mysqli);
    }
}
