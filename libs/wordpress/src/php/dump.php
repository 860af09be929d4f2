<?php
/** Dumps tables as SQL that the plugin's importer loads without loss, from one consistent snapshot. */
final class VigieDump
{
    /** A dump is longer than the data by about this factor. */
    public const GROWTH = 1.4;
    private const BUFFER = 1048576;
    private const PIECE = 262144;
    private const GROUP = 1000;
    /** Text without these characters is written unchanged; every trap below contains an underscore. */
    private const SPECIAL_CHARACTERS = "\\\0\n\r'\"\x1a_";
    /** Joins the values of a row, so that they are checked and escaped at once; escaping leaves it as it is. */
    private const SEPARATOR = "\x01\x02";
    /** Matches whatever may hold a trap. */
    private const MAYBE_TRAP = '~_(?:prefix|transient|session)_~i';
    /** Positions where the importer would take a value for its placeholder, or drop a row as a transient. */
    private const TRAPS = '~(?<=servmask)(?=_prefix_)'
        . '|(?:^|(?<=\'))_(?=(?:site_)?transient_|wc_session_|wpallimport_session_)\K~i';
    private const NUMBERS = '/^(?:tinyint|smallint|mediumint|int|bigint|decimal|float|double|bit|bool)\b/i';
    private const BINARY = '/^(?:(?:var)?binary|(?:tiny|medium|long)?blob|geometry|point|linestring|polygon'
        . '|multipoint|multilinestring|multipolygon|geomcollection|geometrycollection|vector)\b/i';
    /** Options of the migration plugin that belong to the site, not to an archive. */
    private const OWN_OPTIONS = [
        'ai1wm_status', 'ai1wm_secret_key', 'ai1wm_auth_user', 'ai1wm_auth_password', 'ai1wm_auth_header',
        'ai1wm_backups_labels', 'ai1wm_sites_links',
    ];
    private const BLANK_OPTIONS = ['active_plugins' => 'a:0:{}', 'template' => '', 'stylesheet' => ''];
    private const FIXED_NAMES = [
        'wp_force_deactivated_plugins', 'wp_page_for_privacy_policy', 'wp_rocket_settings',
        'wp_rocket_dismiss_imagify_notice', 'wp_rocket_no_licence', 'wp_rocket_rocketcdn_old_url',
        'wp_rocket_hide_deactivation_form',
    ];
    private const SHORT_NAMES = [
        'user_roles', 'capabilities', 'user_level', 'dashboard_quick_press_last_post_id', 'user-settings',
        'user-settings-time',
    ];

    public $rows = 0;
    public $longestStatement = 0;
    private $database;
    private $append;
    private $isExact;
    private $buffer = '';

    /** `$isExact`: for a rollback copy, keeps the rows that an archive leaves out or blanks. */
    public function __construct(VigieDatabase $base, callable $append, bool $isExact = false)
    {
        $this->database = $base;
        $this->append = $append;
        $this->isExact = $isExact;
    }

    /** `$excluded`: kinds of rows to leave out. */
    public function write(array $excluded): void
    {
        $this->add("-- Vigie\n-- Class: Ai1wm_Database_Mysqli\n-- Host: {$this->database->version}\n--\n\n");
        foreach ($this->database->tables as $table => $about) {
            $name = $this->database->placeholderName($table);
            $this->add("DROP TABLE IF EXISTS $name;\n\n" . $this->database->createStatement($table) . ";\n\n");
            $this->database->rowCounts[$table] = $this->writeRows($table, $excluded);
        }
        foreach ($this->database->views as $view => $sql) {
            $name = $this->database->placeholderName($view);
            $this->add("DROP VIEW IF EXISTS $name;\n\n$sql;\n\n");
        }
        $this->flush();
    }

    private function writeRows(string $table, array $excluded): int
    {
        $columns = $this->database->columns($table);
        [$select, $kinds, $names, $isPartial] = $this->planColumns($columns);
        $from = VigieConnection::quoteName($table) . $this->database->indexHint($table);
        $rows = $this->database->stream("SELECT $select FROM $from" . $this->database->whereClause($table, $excluded), $table);
        $special = $this->specialColumns($table, $names);
        if ($special !== null) {
            $kinds[$special['name']] = 'name';
        }
        $list = $isPartial ? ' (' . implode(',', array_map([VigieConnection::class, 'quoteName'], $names)) . ')' : '';
        $begin = 'INSERT INTO ' . $this->database->placeholderName($table) . "$list VALUES (";
        $format = self::statementFormat($begin, $kinds);
        $count = 0;
        while ($row = $rows->fetch_row()) {
            if ($special !== null && !$this->prepareRow($row, $special)) {
                continue;
            }
            if ($count % self::GROUP === 0) {
                $this->add(($count ? "COMMIT;\n" : '') . "START TRANSACTION;\n");
            }
            $isShort = $format !== null && array_sum((array) $rows->lengths) < self::PIECE;
            $statement = $isShort ? self::shortStatement($format, $row) : null;
            $statement === null || $this->add($statement);
            $length = $statement === null ? $this->addRow($begin, $row, $kinds) : strlen($statement);
            $this->longestStatement = max($this->longestStatement, $length);
            $count++;
        }
        $this->database->finishStream($rows, $table);
        $this->add($count ? "COMMIT;\n\n" : "\n");
        $this->rows += $count;
        return $count;
    }

    /** The expression, kind and name of each column. Generated columns are left out. */
    private function planColumns(array $columns): array
    {
        [$select, $kinds, $names, $isPartial] = [[], [], [], false];
        foreach ($columns as $column) {
            $name = VigieConnection::quoteName($column['Field']);
            if (preg_match('/\b(?:VIRTUAL|STORED|PERSISTENT)\b/i', $column['Extra']) === 1) {
                $isPartial = true;
                continue;
            }
            $isPartial = $isPartial || stripos($column['Extra'], 'INVISIBLE') !== false;
            $names[] = $column['Field'];
            // A plain SELECT of a float shows only six digits.
            $select[] = preg_match('/^float\b/i', $column['Type']) === 1 ? "$name + 0E0" : $name;
            $kinds[] = self::kindOf($column);
        }
        return [implode(',', $select), $kinds, $names, $isPartial];
    }

    private static function kindOf(array $column): string
    {
        if (preg_match(self::NUMBERS, $column['Type']) === 1) {
            return 'number';
        }
        if (preg_match(self::BINARY, $column['Type']) === 1) {
            return 'binary';
        }
        return preg_match('/^utf8/i', (string) $column['Collation']) === 1 ? 'text' : 'other text';
    }

    /** For shortStatement(); null for a table with binary columns. */
    private static function statementFormat(string $begin, array $kinds): ?string
    {
        $values = array_map(static function (string $kind): string {
            return $kind === 'number' ? '%s' : "'%s'";
        }, $kinds);
        return in_array('binary', $kinds, true) ? null : str_replace('%', '%%', $begin) . implode(',', $values) . ");\n";
    }

    /** What addRow() would write, several times as fast; null for a row that needs more than escaping. */
    private static function shortStatement(string $format, array $row): ?string
    {
        $text = implode(self::SEPARATOR, $row);
        $endsInBackslash = strpos($text . self::SEPARATOR, '\\' . self::SEPARATOR) !== false;
        if ($endsInBackslash || in_array(null, $row, true) || preg_match(self::MAYBE_TRAP, $text) === 1) {
            return null;
        }
        $values = explode(self::SEPARATOR, VigieSql::escape($text));
        return count($values) === count($row) ? vsprintf($format, $values) : null;
    }

    /** Returns the length of the statement. A long value is written in pieces, so that it is in memory only once. */
    private function addRow(string $begin, array $row, array $kinds): int
    {
        $length = 0;
        $line = $begin;
        foreach ($row as $at => $value) {
            $line .= $at === 0 ? '' : ',';
            if ($value !== null && strlen($value) > self::PIECE && self::isPlain($value, $kinds[$at])) {
                $isBinary = $kinds[$at] === 'binary';
                $this->add($line . ($isBinary ? '0x' : "'"));
                $length += strlen($line) + ($isBinary ? 2 : 1);
                for ($from = 0, $end = strlen($value); $from < $end; $from += self::PIECE) {
                    $piece = substr($value, $from, self::PIECE);
                    $piece = $isBinary ? bin2hex($piece) : VigieSql::escape($piece);
                    $this->add($piece);
                    $length += strlen($piece);
                }
                $line = $isBinary ? '' : "'";
            } elseif ($value === null) {
                $line .= 'NULL';
            } elseif ($kinds[$at] === 'number') {
                $line .= $value;
            } elseif ($kinds[$at] !== 'binary' && strcspn($value, self::SPECIAL_CHARACTERS) === strlen($value)) {
                $line .= "'$value'";
            } else {
                $line .= $this->literal($value, $kinds[$at]);
            }
        }
        $this->add("$line);\n");
        return $length + strlen($line) + 3;
    }

    private static function isPlain(string $value, string $kind): bool
    {
        if ($kind === 'number' || $kind === 'binary' || $value === '') {
            return $kind !== 'number';
        }
        return substr($value, -1) !== '\\' && ($kind === 'name' || (stripos($value, 'servmask_prefix_') === false
            && strpos($value, '_transient_') === false && strpos($value, '_session_') === false));
    }

    private function literal(string $value, string $kind): string
    {
        if ($kind === 'number') {
            return $value;
        }
        if ($value === '') {
            return "''";
        }
        if ($kind === 'binary') {
            return '0x' . bin2hex($value);
        }
        if (!self::isPlain($value, $kind)) {
            return self::concat($value, $kind);
        }
        return VigieConnection::literal($value);
    }

    private static function concat(string $value, string $kind): string
    {
        $text = rtrim($value, '\\');
        $parts = [];
        foreach ($kind === 'name' ? [$text] : (array) preg_split(self::TRAPS, $text) as $part) {
            $parts[] = VigieConnection::literal((string) $part);
        }
        if ($text !== $value) {
            // A plain hexadecimal literal would turn the whole CONCAT into bytes, which non-UTF-8 columns refuse.
            $parts[] = ($kind === 'other text' ? '_utf8mb4 0x' : '0x') . bin2hex(substr($value, strlen($text)));
        }
        return count($parts) === 1 ? $parts[0] : 'CONCAT(' . implode(',', $parts) . ')';
    }

    /** Indexes of the columns that need rewriting in the options and usermeta tables; null for other tables. */
    private function specialColumns(string $table, array $names): ?array
    {
        $rest = preg_replace('/^\d+_/', '', substr($table, strlen($this->database->prefix)));
        $key = ['options' => 'option_name', 'usermeta' => 'meta_key'][$rest] ?? null;
        $at = $key === null ? false : array_search($key, $names, true);
        if ($at === false) {
            return null;
        }
        $value = $table === $this->database->prefix . 'options' ? array_search('option_value', $names, true) : false;
        return ['name' => $at, 'value' => $value, 'is_options' => $rest === 'options'];
    }

    /** Returns false for a row that is left out. */
    private function prepareRow(array &$row, array $special): bool
    {
        $name = (string) $row[$special['name']];
        if (!$this->isExact && $special['is_options'] && in_array($name, self::OWN_OPTIONS, true)) {
            return false;
        }
        if (!$this->isExact && $special['value'] !== false && isset(self::BLANK_OPTIONS[$name])) {
            $row[$special['value']] = self::BLANK_OPTIONS[$name];
        }
        $row[$special['name']] = $this->withPlaceholder($name);
        return true;
    }

    private function withPlaceholder(string $name): string
    {
        $prefix = $this->database->prefix;
        $length = strlen($prefix);
        $rest = substr($name, $length);
        // The importer ignores case in the prefix.
        $hasOtherPrefix = $this->isExact ? strncmp($name, $prefix, $length) !== 0 : strncasecmp($name, $prefix, $length) !== 0;
        if ($hasOtherPrefix || in_array($name, self::FIXED_NAMES, true)) {
            return $name;
        }
        return $length > 1 || in_array($rest, self::SHORT_NAMES, true) ? VigieSql::PLACEHOLDER . $rest : $name;
    }

    private function add(string $text): void
    {
        $this->buffer .= $text;
        if (strlen($this->buffer) > self::BUFFER) {
            $this->flush();
        }
    }

    private function flush(): void
    {
        if ($this->buffer !== '') {
            ($this->append)($this->buffer);
        }
        $this->buffer = '';
    }
}
