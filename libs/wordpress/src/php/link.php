<?php
/** The connection to a site's database, by its configuration. */
final class VigieLink
{
    private const SOCKETS = ['/run/mysqld/mysqld.sock', '/var/lib/mysql/mysql.sock', '/tmp/mysql.sock'];

    public $version = '';
    public $isMariaDb = false;
    private $link;
    /** Whether the server ignores case in table names; null until asked. */
    private $foldsCase = null;
    /** The server's other databases; null until asked. */
    private $others = null;
    /** Whether the answer to send() is still to come. */
    private $isWaiting = false;

    public function __construct()
    {
        mysqli_report(MYSQLI_REPORT_OFF);
        $this->connect();
        $this->ask("SET SESSION sql_mode = ''");
        $optional = [
            'net_write_timeout = 3600', 'net_read_timeout = 3600', 'wait_timeout = 28800', 'sql_quote_show_create = 1',
            'max_statement_time = 0', 'max_execution_time = 0',
        ];
        foreach ($optional as $setting) {
            $this->attempt("SET SESSION $setting");
        }
        $version = (string) mysqli_get_server_info($this->link);
        $this->isMariaDb = stripos($version, 'mariadb') !== false;
        $this->version = (string) preg_replace('/^5\.5\.5-/', '', $version);
    }

    private function connect(): void
    {
        [$host, $port, $socket] = VigieTables::place((string) DB_HOST);
        $sockets = [$socket];
        // The command line may have another default socket than the web server.
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

    /** A quoted SQL string. */
    public static function text(string $value): string
    {
        return "'" . VigieSql::escaped($value) . "'";
    }

    /** The table name in the case in which the server compares it. */
    public function folded(string $name): string
    {
        $this->foldsCase = $this->foldsCase ?? $this->ask('SELECT @@lower_case_table_names')[0][0] !== '0';
        return $this->foldsCase ? strtolower($name) : $name;
    }

    public function ask(string $sql, string $table = ''): array
    {
        $this->isWaiting && $this->hear();
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

    public function run(string $sql): void
    {
        $this->ask($sql);
    }

    /** Whether the server executed it; `code` and `words` give the error. */
    public function attempt(string $sql): bool
    {
        $this->isWaiting && $this->hear();
        return @mysqli_query($this->link, $sql) !== false;
    }

    /** Sends a statement without waiting for the answer, which `hear` fetches. */
    public function send(string $sql): bool
    {
        if (!function_exists('mysqli_reap_async_query')) {
            return $this->attempt($sql);
        }
        $this->isWaiting && $this->hear();
        $this->isWaiting = @mysqli_query($this->link, $sql, MYSQLI_ASYNC) !== false;
        return $this->isWaiting;
    }

    /** Whether the server executed the sent statement; `code`, `words` and `written` describe it. */
    public function hear(): bool
    {
        if (!$this->isWaiting) {
            return $this->code() === 0;
        }
        $this->isWaiting = false;
        return @mysqli_reap_async_query($this->link) !== false;
    }

    public function code(): int
    {
        return (int) mysqli_errno($this->link);
    }

    public function words(): string
    {
        return (string) mysqli_error($this->link);
    }

    public function written(): int
    {
        return (int) mysqli_affected_rows($this->link);
    }

    public function hasWarned(): bool
    {
        return mysqli_warning_count($this->link) > 0;
    }

    /** Row by row, unbuffered. */
    public function stream(string $sql, string $table): mysqli_result
    {
        $rows = @mysqli_query($this->link, $sql, MYSQLI_USE_RESULT);
        if (!$rows instanceof mysqli_result) {
            throw $this->failure($table);
        }
        return $rows;
    }

    /** An aborted connection also ends the rows. */
    public function finished(mysqli_result $rows, string $table): void
    {
        $hasFailed = $this->code() !== 0;
        $rows->free();
        if ($hasFailed || $this->code() !== 0) {
            throw $this->failure($table);
        }
    }

    private function failure(string $table): VigieStop
    {
        // 1412: the table was altered after the snapshot began.
        $why = $this->code() === 1412 ? 'altered' : ($table === '' ? 'query' : 'table');
        return new VigieStop('database', $why, ['path' => $table, 'words' => $this->words()]);
    }

    /** max_allowed_packet of the session. */
    public function packet(): int
    {
        return (int) $this->ask('SELECT @@SESSION.max_allowed_packet')[0][0];
    }

    public function collations(): array
    {
        $names = array_column($this->ask('SELECT COLLATION_NAME FROM information_schema.COLLATIONS'), 0);
        // Since MariaDB 10.10 some collations are listed without their character set.
        $full = 'SELECT FULL_COLLATION_NAME FROM information_schema.COLLATION_CHARACTER_SET_APPLICABILITY';
        return $this->attempt("$full LIMIT 0") ? array_merge($names, array_column($this->ask($full), 0)) : $names;
    }

    /** Whether SQL names another visible database, a system database, or a file of the server. */
    public function reachesOut(string $sql): bool
    {
        if ($this->others === null) {
            $seen = $this->ask('SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE BINARY SCHEMA_NAME <> BINARY DATABASE()');
            $this->others = array_map([$this, 'folded'], array_merge(array_column($seen, 0), ['mysql', 'performance_schema', 'sys']));
        }
        return VigieSql::reachesOut($sql, $this->others, [$this, 'folded']);
    }

    /** Engines that can store tables. */
    public function engines(): array
    {
        $rows = $this->ask("SELECT ENGINE FROM information_schema.ENGINES WHERE SUPPORT IN ('YES', 'DEFAULT')");
        return array_column($rows, 0);
    }

    /** In local time, the hour that repeats in autumn would be ambiguous. */
    public function useUtc(): void
    {
        $this->run("SET SESSION time_zone = '+00:00'");
    }

    /** Takes a server-side lock, which also waits for a statement of a killed process. */
    public function hold(string $name): void
    {
        if (($this->ask("SELECT GET_LOCK('" . mysqli_real_escape_string($this->link, $name) . "', 60)")[0][0] ?? '') !== '1') {
            throw new VigieStop('database', 'busy', ['words' => $name]);
        }
    }

    public function close(): void
    {
        mysqli_close($this->link);
    }
}
