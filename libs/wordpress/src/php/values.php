<?php
/** Parses the rows of values in a dump's INSERT statements. */
final class VigieValues
{
    private const SINGLE = "'[^'\\\\]*+(?:(?:\\\\.|'')[^'\\\\]*+)*+'";
    private const TEXT = self::SINGLE . '|"[^"\\\\]*+(?:(?:\\\\.|"")[^"\\\\]*+)*+"';
    /** A hexadecimal literal; for an empty value, the plugin writes no digits. */
    public const EMPTY_HEX = '0x';
    private const HEX = '0x[0-9A-Fa-f]*+|[xX]\'(?:[0-9A-Fa-f]{2})*+\'';
    private const PIECE = '(?:' . self::TEXT . '|' . self::HEX . '|_[a-z0-9]++\s*+(?:' . self::TEXT . '|' . self::HEX . '))';
    private const JOINED = 'CONCAT\(\s*+' . self::PIECE . '(?:\s*+,\s*+' . self::PIECE . ')*+\s*+\)';
    private const NUMBER = '[-+]?+(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?+\d++)?+';
    private const VALUE = '(?:' . self::SINGLE . '|' . self::HEX . '|' . self::NUMBER . '|NULL|' . self::PIECE . '|'
        . self::JOINED . "|DEFAULT|[bB]'[01]*+')";
    /** Matches empty at the end of a row. */
    private const ROW = '~\G\(\s*+' . self::VALUE . '(?:\s*+,\s*+' . self::VALUE . ')*+\s*+\)\K~s';
    /** Bytes of a text that are processed at once. */
    private const PIECE_BYTES = 262144;
    private const NEXT_VALUE = '~\G\s*+[(,]\s*+\K' . self::VALUE . '~s';
    /** A backslash before any other character is dropped. */
    private const ESCAPES = [
        '\\0' => "\0", '\\n' => "\n", '\\r' => "\r", '\\t' => "\t", '\\b' => "\x08", '\\Z' => "\x1a", '\\\\' => '\\',
        "\\'" => "'", '\\"' => '"', '\\%' => '\\%', '\\_' => '\\_', '\\' => '',
    ];
    /** Character sets in which we read a text as the server does. */
    private const READABLE_CHARSETS = '/^_(?:binary|utf8(?:mb[34])?|ascii|latin1)$/i';

    /** The length of the row at this offset, without copying it; null if there is none. */
    public static function rowLength(string $sql, int $at): ?int
    {
        return preg_match(self::ROW, $sql, $match, PREG_OFFSET_CAPTURE, $at) === 1 ? $match[0][1] - $at : null;
    }

    public static function splitRow(string $sql, int $at = 0, int $end = PHP_INT_MAX): array
    {
        $values = [];
        while ($at < $end && preg_match(self::NEXT_VALUE, $sql, $match, PREG_OFFSET_CAPTURE, $at) === 1) {
            [$values[], $from] = $match[0];
            $at = $from + strlen(end($values));
        }
        return $values;
    }

    /** Changes the text of a value in place; other values stay. A long text is never in memory three times. */
    public static function change(string &$value, callable $change): void
    {
        $first = $value[0] ?? '';
        if ($first === "'" || $first === '"') {
            self::changeText($value, $change);
        } elseif ($first === '_') {
            $length = 1 + strspn($value, 'abcdefghijklmnopqrstuvwxyz0123456789', 1);
            [$charset, $text] = [substr($value, 0, $length), ltrim(substr($value, $length))];
            if (strpos('\'"', $text[0]) !== false && preg_match(self::READABLE_CHARSETS, $charset) === 1) {
                self::changeText($text, $change);
                $value = "$charset $text";
            }
        } elseif (strncmp($value, 'CONCAT(', 7) === 0) {
            $value = self::changeConcat($value, $change);
        }
    }

    private static function changeText(string &$value, callable $change): void
    {
        $text = self::decode($value);
        $value = '';
        $changed = $change($text);
        unset($text);
        $pieces = str_split($changed, self::PIECE_BYTES);
        unset($changed);
        $pieces = array_merge(["'"], array_map([VigieSql::class, 'escape'], $pieces), ["'"]);
        $value = implode('', $pieces);
    }

    /** Joins the pieces of a CONCAT, changes the text, and writes it as one. */
    private static function changeConcat(string $value, callable $change): string
    {
        preg_match_all('~' . self::PIECE . '~s', substr($value, 7), $match);
        $text = '';
        foreach ($match[0] as $piece) {
            if (preg_match('/^_(?:utf8(?:mb[34])?|binary)\s*+/', $piece, $charset) === 1) {
                $piece = substr($piece, strlen($charset[0]));
            } elseif ($piece[0] === '_') {
                return $value;
            }
            $text .= strpos('\'"', $piece[0]) !== false ? self::decode($piece) : self::hexBytes($piece);
        }
        return VigieConnection::literal($change($text));
    }

    private static function hexBytes(string $hex): string
    {
        $digits = $hex[0] === '0' ? substr($hex, 2) : substr($hex, 2, -1);
        return (string) hex2bin(strlen($digits) % 2 === 0 ? $digits : "0$digits");
    }

    /** Decodes a written string, freeing it first. */
    private static function decode(string &$literal): string
    {
        $quote = $literal[0];
        $inner = substr($literal, 1, -1);
        $literal = '';
        $special = "\\$quote";
        if (strcspn($inner, $special) === strlen($inner)) {
            return $inner;
        }
        $escapes = self::ESCAPES + [$quote . $quote => $quote];
        $pieces = [];
        for ($at = 0, $end = strlen($inner); $at < $end; $at = $next) {
            for ($next = min($end, $at + self::PIECE_BYTES); $next < $end && strpos($special, $inner[$next - 1]) !== false;) {
                // Never cuts between the two characters of an escape.
                $next++;
            }
            $pieces[] = strtr(substr($inner, $at, $next - $at), $escapes);
        }
        unset($inner);
        return implode('', $pieces);
    }
}
