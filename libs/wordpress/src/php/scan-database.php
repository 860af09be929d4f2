<?php
/** Reads the options that a scan needs from a site's database, which may be far, slow or hostile. */
final class VigieScanDatabase
{
    private const SECONDS = 2;
    private const MAX_VALUE_BYTES = 1500000;
    private const OPTIONS = [
        'active_plugins', 'template', 'stylesheet', 'siteurl', 'home', 'blogname', 'WPLANG',
        '_site_transient_update_core', '_site_transient_update_plugins', '_site_transient_update_themes',
    ];
    private const NOBODY = 65534;
    private const SOCKETS = ['/run/mysqld/mysqld.sock', '/var/lib/mysql/mysql.sock', '/tmp/mysql.sock'];
    /** Unreachable servers: other sites on them do not wait again. */
    private static $unreachable = [];

    public $options = [];
    public $kind = null;
    public $version = null;
    public $error = null;

    public static function read(VigieConfig $config): self
    {
        $tables = new self();
        $prefix = $config->text('table_prefix');
        if ($prefix === null || preg_match('/^\w{1,60}$/', $prefix) !== 1 || $config->text('DB_NAME') === null) {
            $tables->error = 'no literal DB_NAME or $table_prefix';
            return $tables;
        }
        if (!extension_loaded('mysqli')) {
            $tables->error = 'the mysqli extension is missing';
            return $tables;
        }
        mysqli_report(MYSQLI_REPORT_OFF);
        try {
            $link = $tables->connect($config);
            if ($link) {
                $tables->readOptions($link, $config, $prefix);
                if ($tables->error === null) {
                    mysqli_close($link);
                }
            }
        } catch (Throwable $error) {
            $tables->error = $error->getMessage();
        }
        return $tables;
    }

    /** `host`, `host:port`, `host:/socket`, `[v6]:port`, as WordPress accepts them. */
    public static function parseHost(string $host): array
    {
        $host = preg_replace('/^p:/', '', $host);
        $socket = null;
        $at = strpos($host, ':/');
        if ($at !== false) {
            $socket = substr($host, $at + 1);
            $host = substr($host, 0, $at);
        }
        $isIpv6 = substr_count($host, ':') > 1;
        $pattern = $isIpv6 ? '#^(?:\[)?([0-9a-fA-F:]+)(?:\]:(\d+))?\]?$#' : '#^([^:/]*)(?::(\d+))?$#';
        if (preg_match($pattern, $host, $match) !== 1) {
            return [$host, 0, $socket];
        }
        $name = $isIpv6 ? "[$match[1]]" : $match[1];
        return [$name === '' ? 'localhost' : $name, (int) ($match[2] ?? 0), $socket];
    }

    private function connect(VigieConfig $config)
    {
        [$host, $port, $socket] = self::parseHost((string) ($config->text('DB_HOST') ?? 'localhost'));
        $sockets = [$socket];
        // The command line may have another default socket than the web server.
        if ($host === 'localhost' && $socket === null && $port === 0) {
            $sockets = array_merge($sockets, array_filter(self::SOCKETS, 'file_exists'));
        }
        foreach ($sockets as $candidate) {
            $key = "$host $port $candidate";
            if (isset(self::$unreachable[$key])) {
                $this->error = self::$unreachable[$key];
                continue;
            }
            $link = mysqli_init();
            mysqli_options($link, MYSQLI_OPT_CONNECT_TIMEOUT, self::SECONDS);
            mysqli_options($link, MYSQLI_OPT_READ_TIMEOUT, self::SECONDS);
            mysqli_options($link, MYSQLI_OPT_LOCAL_INFILE, 0);
            [$user, $password] = [(string) $config->text('DB_USER'), (string) $config->text('DB_PASSWORD')];
            $call = [$link, $host, $user, $password, $config->text('DB_NAME'), $port, $candidate];
            if (self::asNobody(static function () use ($call) {
                return @mysqli_real_connect(...$call);
            })) {
                $this->error = null;
                return $link;
            }
            $this->error = mysqli_connect_errno() . ' ' . mysqli_connect_error();
            if (mysqli_connect_errno() >= 2000) {
                self::$unreachable[$key] = $this->error;
            } else {
                return null;
            }
        }
        return null;
    }

    /** Socket authentication would log root in as the server's root, so the connection is made as nobody. */
    private static function asNobody(callable $work)
    {
        if (!function_exists('posix_seteuid') || posix_geteuid() !== 0) {
            return $work();
        }
        posix_seteuid(self::NOBODY);
        try {
            if (posix_geteuid() === 0) {
                throw new RuntimeException('the database is not queried as root');
            }
            return $work();
        } finally {
            posix_seteuid(0);
        }
    }

    private function readOptions($link, VigieConfig $config, string $prefix): void
    {
        $charset = (string) $config->text('DB_CHARSET');
        if (!preg_match('/^[a-z0-9]{1,20}$/', $charset) || !@mysqli_set_charset($link, $charset)) {
            @mysqli_set_charset($link, 'utf8mb4');
        }
        $version = (string) mysqli_get_server_info($link);
        $this->kind = stripos($version, 'mariadb') !== false ? 'mariadb' : 'mysql';
        $this->version = preg_replace('/^5\.5\.5-/', '', $version);
        $names = "'" . implode("','", self::OPTIONS) . "'";
        $maxBytes = self::MAX_VALUE_BYTES;
        $rows = @mysqli_query(
            $link,
            "SELECT option_name, option_value FROM `{$prefix}options`"
                . " WHERE option_name IN ($names) AND LENGTH(option_value) <= $maxBytes LIMIT 50",
            MYSQLI_USE_RESULT
        );
        if (!$rows) {
            $this->error = mysqli_errno($link) . ' ' . mysqli_error($link);
            return;
        }
        while ($row = mysqli_fetch_row($rows)) {
            $this->options[(string) $row[0]] = (string) $row[1];
            if (VigieFiles::isLate() || count($this->options) > count(self::OPTIONS)) {
                $this->error = 'too much data, or too slow';
                // Freeing the result would read the rest of it.
                mysqli_close($link);
                return;
            }
        }
        mysqli_free_result($rows);
    }

    /** Unserializes an option, without objects of other classes. */
    public function unserialized(string $name)
    {
        $text = $this->options[$name] ?? '';
        return @unserialize($text, ['allowed_classes' => ['stdClass'], 'max_depth' => 24]);
    }
}
