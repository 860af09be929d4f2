<?php
/** Adapts rows to another site: addresses, names with the table prefix, generated columns. */
final class VigieRowChange
{
    private $prefix;
    private $replace;
    private $found;
    /** Index of the column whose values may begin with the prefix. */
    private $named;
    /** Indexes of generated columns. */
    private $generated;

    public function __construct(string $prefix, VigieReplace $replace, ?int $named, array $generated)
    {
        $this->prefix = $prefix;
        $this->replace = $replace;
        $this->found = $replace->pattern();
        $this->named = $named;
        $this->generated = $generated;
    }

    /** Whether the row may need a change; false positives are harmless. */
    public function isNeeded(string $sql, int $at = 0): bool
    {
        return $this->generated !== [] || ($this->found !== null && preg_match($this->found, $sql, $match, 0, $at) === 1)
            || ($this->named !== null && strpos($sql, VigieSql::MARK, $at) !== false)
            || strpos($sql, VigieValues::NONE . ',', $at) !== false || strpos($sql, VigieValues::NONE . ')', $at) !== false;
    }

    /** Changes one value in place. */
    public function change(string &$value, int $place): void
    {
        if (in_array($place, $this->generated, true)) {
            // MySQL accepts no other value there.
            $value = 'DEFAULT';
        } elseif ($value === VigieValues::NONE) {
            $value = "''";
        } elseif ($place === $this->named && strpos($value, VigieSql::MARK) !== false) {
            VigieValues::change($value, [$this, 'own']);
        }
        if ($this->found !== null && preg_match($this->found, $value) === 1) {
            VigieValues::change($value, [$this->replace, 'value']);
        }
    }

    /** A name that WordPress looks up with the table prefix. */
    public function own(string $name): string
    {
        return strpos($name, VigieSql::MARK) === 0 ? $this->prefix . substr($name, strlen(VigieSql::MARK)) : $name;
    }
}
