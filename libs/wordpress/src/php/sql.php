<?php
/** Parses SQL text: names, strings, and the rest. */
final class VigieSql
{
    /** The placeholder for the table prefix in a dump. */
    public const PLACEHOLDER = 'SERVMASK_PREFIX_';
    /** Tables without the prefix that belong to a site all the same. */
    public const UNPREFIXED = '/^(?:wbk_|civicrm_)/';
    public const STRING = '\'(?:[^\'\\\\]++|\\\\.|\'\')*+\'|"(?:[^"\\\\]++|\\\\.|"")*+"';
    public const NAME = '`(?:[^`]++|``)++`';
    private const VIEW = '~^CREATE (?:OR REPLACE )?(ALGORITHM=\w+ )?(?:DEFINER=(?:%1$s@%1$s|\w+) )?'
        . '(SQL SECURITY \w+ )?VIEW (%1$s) (AS .*)$~s';
    private const FILES = ['outfile', 'dumpfile', 'load_file'];
    /** The backslash comes first, so that no escape is escaped again. */
    private const SIGNS = ['\\', "\0", "\n", "\r", "'", '"', "\x1a"];
    private const ESCAPED = ['\\\\', '\\0', '\\n', '\\r', "\\'", '\\"', '\\Z'];

    public static function escape(string $value): string
    {
        return str_replace(self::SIGNS, self::ESCAPED, $value);
    }

    public static function unquoted(string $name): string
    {
        return str_replace('``', '`', substr($name, 1, -1));
    }

    /** Changes what is neither string nor name, and drops comments. */
    public static function replaceOutside(string $sql, callable $change): string
    {
        $pattern = '~(' . self::STRING . '|' . self::NAME . ')|/\*.*?\*/~s';
        $result = '';
        foreach ((array) preg_split($pattern, $sql, -1, PREG_SPLIT_DELIM_CAPTURE | PREG_SPLIT_NO_EMPTY) as $text) {
            $result .= strpos('\'"`', $text[0]) === false ? $change((string) $text) : $text;
        }
        return $result;
    }

    /** The statement with empty strings and names; null if a server might parse it differently. */
    public static function skeleton(string $sql): ?string
    {
        $quotedParts = '~(?:' . self::STRING . ')|(?:' . self::NAME . ')~s';
        $bare = preg_replace_callback($quotedParts, static function (array $match): string {
            return $match[0][0] === '`' ? '``' : "''";
        }, $sql);
        if ($bare === null || preg_match('~--|[#;@\\\\]|/\*|\*/~', $bare) === 1) {
            return null;
        }
        return preg_match('~[\'"`]~', str_replace(["''", '``'], '', $bare)) === 1 ? null : $bare;
    }

    /**
     * Whether SQL names another database or a file of the server. `$others`: database names in the case of `$folded`.
     * Comments are searched too, since servers differ in which of them they execute.
     */
    public static function isCrossDatabase(string $sql, array $others, callable $folded): bool
    {
        $comment = '/\*.*?\*/|(?:--|\#)[^\n]*+';
        $texts = self::STRING . '|(' . self::NAME . ')|(?<comment>/\*.*?(?:\*/|\z)|(?:--|\#)[^\n]*+)';
        $hasComments = preg_match_all("~$texts~s", $sql, $found);
        // A quote in a comment may hide what follows, from us or from the server.
        if ($hasComments === false || preg_match('~[\'"`]~', implode('', $found['comment'])) === 1) {
            return true;
        }
        $word = '(' . self::NAME . '|[\w$\x80-\xff]++)';
        $pattern = '~(?:' . self::STRING . ")(*SKIP)(*F)|$word(?=(?:\\s++|$comment)*+(\\.?))~s";
        if (preg_match_all($pattern, $sql, $found, PREG_SET_ORDER) === false) {
            return true;
        }
        $others = array_flip($others);
        foreach ($found as [, $word, $dot]) {
            $name = $word[0] === '`' ? self::unquoted($word) : $word;
            $isOther = isset($others[$folded($name)]) || strtolower($name) === 'information_schema';
            if ($dot === '.' ? $isOther : in_array(strtolower($name), self::FILES, true)) {
                return true;
            }
        }
        return false;
    }

    public static function withPrefix(string $sql, string $prefix): string
    {
        $pattern = '~' . self::STRING . '|' . self::NAME . '~s';
        return (string) preg_replace_callback($pattern, static function (array $match) use ($prefix): string {
            $hasPlaceholder = strpos($match[0], '`' . self::PLACEHOLDER) === 0;
            return $hasPlaceholder ? '`' . str_replace('`', '``', $prefix) . substr($match[0], strlen(self::PLACEHOLDER) + 1) : $match[0];
        }, $sql);
    }

    /** The name of a dump's table on the site; null if it belongs to no site. */
    public static function finalName(string $name, string $prefix): ?string
    {
        if (strpos($name, self::PLACEHOLDER) === 0) {
            return $prefix . substr($name, strlen(self::PLACEHOLDER));
        }
        return preg_match(self::UNPREFIXED, $name) === 1 ? $name : null;
    }

    /** The name of a view and its statement without a definer; null if it is no view or does more. */
    public static function parseView(string $sql): ?array
    {
        if (preg_match(sprintf(self::VIEW, self::NAME), $sql, $match) !== 1) {
            return null;
        }
        $bare = self::skeleton($match[4]);
        if ($bare === null || preg_match('~^AS [\s(]*(?:SELECT|WITH)\b~i', $bare) !== 1) {
            return null;
        }
        $writesFile = preg_match('~\b(?:INTO|OUTFILE|DUMPFILE|LOAD_FILE)\b~i', $bare) === 1;
        return $writesFile ? null : [self::unquoted($match[3]), "$match[1]$match[2]VIEW $match[3] $match[4]"];
    }
}
