<?php
/** Rows of values as a dump writes them: nothing else stands between their parentheses. */
final class VigieValues
{
    private const SINGLE = "'[^'\\\\]*+(?:(?:\\\\.|'')[^'\\\\]*+)*+'";
    private const TEXT = self::SINGLE . '|"[^"\\\\]*+(?:(?:\\\\.|"")[^"\\\\]*+)*+"';
    /** Bytes; of none, the plugin leaves the digits out. */
    public const NONE = '0x';
    private const HEX = '0x[0-9A-Fa-f]*+|[xX]\'(?:[0-9A-Fa-f]{2})*+\'';
    private const PIECE = '(?:' . self::TEXT . '|' . self::HEX . '|_[a-z0-9]++\s*+(?:' . self::TEXT . '|' . self::HEX . '))';
    private const JOINED = 'CONCAT\(\s*+' . self::PIECE . '(?:\s*+,\s*+' . self::PIECE . ')*+\s*+\)';
    private const NUMBER = '[-+]?+(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?+\d++)?+';
    private const VALUE = '(?:' . self::SINGLE . '|' . self::HEX . '|' . self::NUMBER . '|NULL|' . self::PIECE . '|'
        . self::JOINED . "|DEFAULT|[bB]'[01]*+')";
    private const ROW = '~\G\(\s*+' . self::VALUE . '(?:\s*+,\s*+' . self::VALUE . ')*+\s*+\)~s';
    private const EACH = '~\G\s*+[(,]\s*+\K' . self::VALUE . '~s';
    /** A backslash before any other sign is nothing. */
    private const READ = [
        '\\0' => "\0", '\\n' => "\n", '\\r' => "\r", '\\t' => "\t", '\\b' => "\x08", '\\Z' => "\x1a", '\\\\' => '\\',
        "\\'" => "'", '\\"' => '"', '\\%' => '\\%', '\\_' => '\\_', '\\' => '',
    ];
    /** In these, what we read of a text is what the server reads. */
    private const SETS = '/^_(?:binary|utf8(?:mb[34])?|ascii|latin1)$/i';

    /** The row that begins there: null where there is something else. */
    public static function row(string $sql, int $at): ?string
    {
        return preg_match(self::ROW, $sql, $match, 0, $at) === 1 ? $match[0] : null;
    }

    public static function split(string $row): array
    {
        preg_match_all(self::EACH, $row, $match);
        return $match[0] ?? [];
    }

    /** A value with its text changed; what is no text stays. */
    public static function changed(string $value, callable $change): string
    {
        $first = $value[0] ?? '';
        if ($first === "'" || $first === '"') {
            return VigieLink::text($change(self::read($value)));
        }
        if ($first === '_') {
            $length = 1 + strspn($value, 'abcdefghijklmnopqrstuvwxyz0123456789', 1);
            $text = ltrim(substr($value, $length));
            $isKnown = strpos('\'"', $text[0]) !== false && preg_match(self::SETS, substr($value, 0, $length)) === 1;
            return $isKnown ? substr($value, 0, $length) . ' ' . VigieLink::text($change(self::read($text))) : $value;
        }
        return strncmp($value, 'CONCAT(', 7) === 0 ? self::changedPieces($value, $change) : $value;
    }

    /** They are one text, which was cut where the plugin's importer stumbles. */
    private static function changedPieces(string $value, callable $change): string
    {
        preg_match_all('~' . self::PIECE . '~s', substr($value, 7), $match);
        $whole = '';
        foreach ($match[0] as $piece) {
            if (preg_match('/^_(?:utf8(?:mb[34])?|binary)\s*+/', $piece, $set) === 1) {
                $piece = substr($piece, strlen($set[0]));
            } elseif ($piece[0] === '_') {
                return $value;
            }
            $whole .= strpos('\'"', $piece[0]) !== false ? self::read($piece) : self::bytes($piece);
        }
        return VigieLink::text($change($whole));
    }

    private static function bytes(string $hex): string
    {
        $digits = $hex[0] === '0' ? substr($hex, 2) : substr($hex, 2, -1);
        return (string) hex2bin(strlen($digits) % 2 === 0 ? $digits : "0$digits");
    }

    private static function read(string $text): string
    {
        $quote = $text[0];
        $inner = substr($text, 1, -1);
        if (strpbrk($inner, "\\$quote") === false) {
            return $inner;
        }
        return strtr($inner, self::READ + [$quote . $quote => $quote]);
    }
}
