<?php
/** Replaces addresses and paths in the values of a site, in serialized data too. */
final class VigieReplace
{
    private const SERIALIZED = '~^(?:[aO]:\d++:["{]|C:\d++:"|s:\d++:"|E:\d++:")~';
    private const SCALAR = '~\G(?:N;|b:[01];|[irR]:[-+]?+\d++;|d:(?:[-+]?+[0-9.]++(?:[eE][-+]?+\d++)?+|-?INF|NAN);)~';
    private const COUNTED = '~\G([sCOEa]):(\d{1,10}):~';
    /** A class's own serialization, with lengths that we do not know. */
    private const STRUCTURED = '~[A-Za-z]:\d++[:;]~';
    /** Levels of nested texts, and bytes held by them. */
    private const MAX_DEPTH = 64;
    private const MAX_HELD = 134217728;
    /** Longer texts are replaced in pieces: strtr() takes three times their size. */
    private const PIECE_BYTES = 524288;
    private const GAPS = "\n\r\t <>,;|";

    private $pairs = [];
    private $isNeeded = false;
    private $searchPattern = '';
    private $rowPattern = null;
    private $depth = 0;
    private $heldBytes = 0;
    /** Characters that no search string contains, where a text may be cut. */
    private $gaps;

    /** `$pairs`: replacements by search string. */
    public function __construct(array $pairs)
    {
        unset($pairs['']);
        $this->pairs = array_map('strval', $pairs);
        $changed = [];
        foreach ($this->pairs as $old => $new) {
            if ((string) $old !== $new) {
                $changed[] = (string) $old;
            }
        }
        $this->isNeeded = $changed !== [];
        $this->gaps = implode('', array_diff(str_split(self::GAPS), str_split(implode('', array_keys($this->pairs)) ?: ' ')));
        $this->searchPattern = self::anyOf($changed);
        // SQL writes quotes in two ways, and backslashes in one.
        $inSql = array_map(static function (string $old): string {
            return str_replace('\\', '\\\\', ltrim($old, '=\'"') ?: $old);
        }, $changed);
        $quotes = ["'" => "(?:\\\\'|'')", '"' => '\\\\?"'];
        $this->rowPattern = $this->isNeeded ? strtr(self::anyOf($inSql), $quotes) : null;
    }

    private static function anyOf(array $texts): string
    {
        usort($texts, static function (string $a, string $b): int {
            return strlen($a) - strlen($b);
        });
        $shortest = [];
        foreach ($texts as $text) {
            foreach ($shortest as $one) {
                if (strpos($text, $one) !== false) {
                    continue 2;
                }
            }
            $shortest[] = $text;
        }
        return '~' . implode('|', array_map(static function (string $text): string {
            return preg_quote($text, '~');
        }, $shortest)) . '~';
    }

    /** Replacements from the site in package.json to this one; none if it stays. `$below`: addresses of its network. */
    public static function pairs(array $about, VigieSite $site, array $below = []): array
    {
        return VigieReplacements::pairs($about, $site, $below);
    }

    public function isNeeded(): bool
    {
        return $this->isNeeded;
    }

    /** Matches rows of SQL that may need a replacement; null if none can. */
    public function rowPattern(): ?string
    {
        return $this->rowPattern;
    }

    public function value(string $text): string
    {
        if (!$this->isNeeded || preg_match($this->searchPattern, $text) !== 1) {
            return $text;
        }
        if (preg_match(self::SERIALIZED, $text) !== 1) {
            return $this->replaceLoose($text, true);
        }
        $length = strlen($text);
        if ($this->depth >= self::MAX_DEPTH || ($this->depth > 0 && $this->heldBytes + $length > self::MAX_HELD)) {
            return $text;
        }
        $this->depth++;
        $this->heldBytes += $length;
        $result = $this->replaceSerialized($text) ?? $this->replaceLoose($text, false);
        $this->depth--;
        $this->heldBytes -= $length;
        return $result;
    }

    /** Replaces in a complete result of serialize(); null if it is not one. */
    private function replaceSerialized(string $text): ?string
    {
        [$at, $end, $result, $open] = [0, strlen($text), '', []];
        while ($at < $end) {
            $level = count($open) - 1;
            if ($level >= 0 && $open[$level] === 0) {
                if ($text[$at] !== '}') {
                    return null;
                }
                array_pop($open);
                $result .= '}';
                $at++;
            } elseif (preg_match(self::SCALAR, $text, $match, 0, $at) === 1) {
                if ($level >= 0 && $open[$level] % 2 === 0 && $match[0][0] !== 'i') {
                    return null;
                }
                $this->countDown($open);
                $result .= $match[0];
                $at += strlen($match[0]);
            } else {
                $isKey = $level >= 0 && $open[$level] % 2 === 0;
                $counted = $this->replaceCounted($text, $at, $isKey);
                if ($counted === null) {
                    return null;
                }
                $this->countDown($open);
                [$at, $pieces, $inner] = $counted;
                foreach (array_keys($pieces) as $index) {
                    // Frees each piece: a long text must not be in memory twice.
                    $result .= $pieces[$index];
                    unset($pieces[$index], $counted);
                }
                $inner === null || $open[] = $inner * 2;
            }
            if ($open === []) {
                return $at === $end ? $result : null;
            }
        }
        return null;
    }

    private function countDown(array &$open): void
    {
        if ($open !== []) {
            $open[count($open) - 1]--;
        }
    }

    /** The next offset, the pieces of the new text, and the number of pairs if a list opens. */
    private function replaceCounted(string $text, int $at, bool $isKey): ?array
    {
        if (preg_match(self::COUNTED, $text, $match, 0, $at) !== 1) {
            return null;
        }
        [$head, $kind, $length] = [$match[0], $match[1], (int) $match[2]];
        $from = $at + strlen($head);
        if ($kind === 'a') {
            return ($text[$from] ?? '') === '{' && !$isKey ? [$from + 1, [$head . '{'], $length] : null;
        }
        $next = $from + $length + 1;
        if (($text[$from] ?? '') !== '"' || ($text[$next] ?? '') !== '"' || ($isKey && $kind !== 's')) {
            return null;
        }
        $inner = substr($text, $from + 1, $length);
        if ($kind === 's' || $kind === 'E') {
            $inner = $kind === 'E' ? $inner : ($isKey ? $this->replaceKey($inner) : $this->value($inner));
            $isEnded = ($text[$next + 1] ?? '') === ';';
            return $isEnded ? [$next + 2, ["$kind:" . strlen($inner) . ':"', $inner, '";'], null] : null;
        }
        if (preg_match('~\G:(\d{1,10}):\{~', $text, $match, 0, $next + 1) !== 1) {
            return null;
        }
        $after = $next + 1 + strlen($match[0]);
        if ($kind === 'O') {
            return [$after, [$head, "\"$inner\"", $match[0]], (int) $match[1]];
        }
        $size = (int) $match[1];
        if (($text[$after + $size] ?? '') !== '}') {
            return null;
        }
        $content = $this->replaceCustom(substr($text, $after, $size));
        return [$after + $size + 1, ["$head\"$inner\":" . strlen($content) . ':{', $content, '}'], null];
    }

    /** The name of a private property begins with its class. */
    private function replaceKey(string $name): string
    {
        $own = $name !== '' && $name[0] === "\0" ? (int) strpos($name, "\0", 1) + 1 : 0;
        return substr($name, 0, $own) . $this->value((string) substr($name, $own));
    }

    /** The content of a class with its own serialization. */
    private function replaceCustom(string $text): string
    {
        return $this->replaceLoose($text, preg_match(self::STRUCTURED, $text) !== 1);
    }

    private function replaceText(string $text): string
    {
        $pieces = [];
        for ($at = 0, $end = strlen($text); $at < $end; $at = $next) {
            $next = min($end, $at + self::PIECE_BYTES);
            $next += $this->gaps === '' ? $end - $next : strcspn($text, $this->gaps, $next);
            $pieces[] = strtr(substr($text, $at, $next - $at), $this->pairs);
        }
        return implode('', $pieces);
    }

    /** Corrects the lengths before texts; `$isText`: also replaces between them. */
    private function replaceLoose(string $text, bool $isText): string
    {
        if (strpos($text, ':"') === false) {
            return $isText ? $this->replaceText($text) : $text;
        }
        [$at, $done, $result] = [0, 0, ''];
        while (preg_match('~s:(\d{1,10}):"~', $text, $match, PREG_OFFSET_CAPTURE, $at) === 1) {
            [$head, $from] = $match[0];
            $begin = $from + strlen($head);
            $length = (int) $match[1][0];
            if (substr($text, $begin + $length, 2) !== '";') {
                $at = $begin;
                continue;
            }
            $between = substr($text, $done, $from - $done);
            $inner = substr($text, $begin, $length);
            if ($this->depth < self::MAX_DEPTH) {
                $this->depth++;
                $inner = $this->value($inner);
                $this->depth--;
            }
            $result .= ($isText ? $this->replaceText($between) : $between) . 's:' . strlen($inner) . ":\"$inner\";";
            $at = $done = $begin + $length + 2;
        }
        $rest = (string) substr($text, $done);
        return $result . ($isText ? $this->replaceText($rest) : $rest);
    }
}
