<?php
/** Adapts rows to another site: addresses, names with the table prefix, generated columns. */
final class VigieRowChange
{
    private $prefix;
    private $replace;
    private $pattern;
    /** Index of the column whose values may begin with the prefix. */
    private $prefixedColumn;
    /** Indexes of generated columns. */
    private $generatedColumns;

    public function __construct(string $prefix, VigieReplace $replace, ?int $prefixedColumn, array $generatedColumns)
    {
        $this->prefix = $prefix;
        $this->replace = $replace;
        $this->pattern = $replace->rowPattern();
        $this->prefixedColumn = $prefixedColumn;
        $this->generatedColumns = $generatedColumns;
    }

    /** Whether the row may need a change; false positives are harmless. */
    public function isNeeded(string $sql, int $at = 0): bool
    {
        return $this->generatedColumns !== [] || ($this->pattern !== null && preg_match($this->pattern, $sql, $match, 0, $at) === 1)
            || ($this->prefixedColumn !== null && strpos($sql, VigieSql::PLACEHOLDER, $at) !== false)
            || strpos($sql, VigieValues::EMPTY_HEX . ',', $at) !== false || strpos($sql, VigieValues::EMPTY_HEX . ')', $at) !== false;
    }

    /** Changes one value in place. */
    public function change(string &$value, int $column): void
    {
        if (in_array($column, $this->generatedColumns, true)) {
            // MySQL accepts no other value there.
            $value = 'DEFAULT';
        } elseif ($value === VigieValues::EMPTY_HEX) {
            $value = "''";
        } elseif ($column === $this->prefixedColumn && strpos($value, VigieSql::PLACEHOLDER) !== false) {
            VigieValues::change($value, [$this, 'withPrefix']);
        }
        if ($this->pattern !== null && preg_match($this->pattern, $value) === 1) {
            VigieValues::change($value, [$this->replace, 'value']);
        }
    }

    /** A name that WordPress looks up with the table prefix. */
    public function withPrefix(string $name): string
    {
        return strpos($name, VigieSql::PLACEHOLDER) === 0 ? $this->prefix . substr($name, strlen(VigieSql::PLACEHOLDER)) : $name;
    }
}
