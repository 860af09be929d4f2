<?php
/** Columns whose values the server truncated, usually because an address became longer. */
final class VigieTruncatedValues
{
    /** Server warnings about truncated or changed values. */
    private const CODES = [1264, 1265, 1366, 1406];
    private const MAX_REPORTED = 20;

    /** Columns, as table.column. */
    public $columns = [];
    private $link;

    public function __construct(VigieConnection $link)
    {
        $this->link = $link;
    }

    /** Call right after an INSERT. `$table`: the final name; `$stage`: the staged name. */
    public function noteWarnings(string $table, string $stage): void
    {
        foreach ($this->link->hasWarnings() ? $this->link->query('SHOW WARNINGS') : [] as [, $code, $message]) {
            $isNamed = preg_match("~column (?:'([^']+)'|(?:`[^`]*`\\.)*`([^`]+)`)~", $message, $match) === 1;
            if ($isNamed && in_array((int) $code, self::CODES, true)) {
                $this->add($table, $stage, (string) end($match));
            }
        }
    }

    private function add(string $table, string $stage, string $column): void
    {
        if (in_array("$table.$column", $this->columns, true) || count($this->columns) >= self::MAX_REPORTED) {
            return;
        }
        $like = VigieConnection::literal(addcslashes($column, '\\%_'));
        $sql = 'SHOW COLUMNS FROM ' . VigieConnection::quoteName($stage) . " LIKE $like";
        $type = (string) ($this->link->query($sql, $table)[0][1] ?? '');
        // Servers keep an invalid enum value as it was, but warn all the same.
        if (preg_match('~^(?:enum|set)\b~i', $type) === 0) {
            $this->columns[] = "$table.$column";
        }
    }
}
