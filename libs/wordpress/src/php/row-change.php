<?php
/** What changes in the rows of a table when they come to another site: addresses, names with its prefix, computed columns. */
final class VigieRowChange
{
    private $prefix;
    private $replace;
    private $found;
    /** The place of the column whose values may be named with the prefix of the site. */
    private $named;
    /** Places of the columns that compute themselves. */
    private $generated;

    public function __construct(string $prefix, VigieReplace $replace, ?int $named, array $generated)
    {
        $this->prefix = $prefix;
        $this->replace = $replace;
        $this->found = $replace->pattern();
        $this->named = $named;
        $this->generated = $generated;
    }

    /** Whether the row that stands there may have to change; what follows it may say so too. */
    public function isNeeded(string $sql, int $at = 0): bool
    {
        return $this->generated !== [] || ($this->found !== null && preg_match($this->found, $sql, $match, 0, $at) === 1)
            || ($this->named !== null && strpos($sql, VigieSql::MARK, $at) !== false)
            || strpos($sql, VigieValues::NONE . ',', $at) !== false || strpos($sql, VigieValues::NONE . ')', $at) !== false;
    }

    /** One value of a row, where it stands. */
    public function change(string &$value, int $place): void
    {
        if (in_array($place, $this->generated, true)) {
            // MySQL takes no other value there.
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

    /** A name that WordPress looks for with the prefix of its tables. */
    public function own(string $name): string
    {
        return strpos($name, VigieSql::MARK) === 0 ? $this->prefix . substr($name, strlen(VigieSql::MARK)) : $name;
    }
}
