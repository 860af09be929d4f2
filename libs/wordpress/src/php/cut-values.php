<?php
/** Columns whose server took only a part of a value: one that an address made longer, as a rule. */
final class VigieCutValues
{
    /** What a server says of a value that it cut, or changed. */
    private const CODES = [1264, 1265, 1366, 1406];
    private const MOST_TOLD = 20;

    /** With the tables that they are of. */
    public $columns = [];
    private $link;

    public function __construct(VigieLink $link)
    {
        $this->link = $link;
    }

    /** Right after rows were written. `$table`: its name once it is in its place; `$stage`: its name until then. */
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
        // Of a choice that is not in its list a server keeps what was there, and warns all the same.
        if (preg_match('~^(?:enum|set)\b~i', $type) === 0) {
            $this->columns[] = "$table.$column";
        }
    }
}
