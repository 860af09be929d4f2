<?php
/** Columns whose values the server truncated, usually because an address became longer. */
final class VigieCutValues
{
    /** Server warnings about truncated or changed values. */
    private const CODES = [1264, 1265, 1366, 1406];
    private const MOST_TOLD = 20;

    /** As table.column. */
    public $columns = [];
    private $link;

    public function __construct(VigieLink $link)
    {
        $this->link = $link;
    }

    /** Call right after an INSERT. `$table`: the final name; `$stage`: the staged name. */
    public function take(string $table, string $stage): void
    {
        foreach ($this->link->hasWarned() ? $this->link->ask('SHOW WARNINGS') : [] as [, $code, $words]) {
            $isNamed = preg_match("~column (?:'([^']+)'|(?:`[^`]*`\\.)*`([^`]+)`)~", $words, $match) === 1;
            if ($isNamed && in_array((int) $code, self::CODES, true)) {
                $this->add($table, $stage, (string) end($match));
            }
        }
    }

    private function add(string $table, string $stage, string $column): void
    {
        if (in_array("$table.$column", $this->columns, true) || count($this->columns) >= self::MOST_TOLD) {
            return;
        }
        $like = VigieLink::text(addcslashes($column, '\\%_'));
        $type = (string) ($this->link->ask('SHOW COLUMNS FROM ' . VigieLink::quoted($stage) . " LIKE $like", $table)[0][1] ?? '');
        // Servers keep an invalid enum value as it was, but warn all the same.
        if (preg_match('~^(?:enum|set)\b~i', $type) === 0) {
            $this->columns[] = "$table.$column";
        }
    }
}
