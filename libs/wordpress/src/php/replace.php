<?php
/** Addresses and paths of one site turned into those of another, wherever they stand in its values. */
final class VigieReplace
{
    private const SERIALIZED = '~^(?:[aO]:\d++:["{]|C:\d++:"|s:\d++:"|E:\d++:")~';
    private const SCALAR = '~\G(?:N;|b:[01];|[irR]:[-+]?+\d++;|d:(?:[-+]?+[0-9.]++(?:[eE][-+]?+\d++)?+|-?INF|NAN);)~';
    private const COUNTED = '~\G([sCOEa]):(\d{1,10}):~';
    /** What a class keeps in its own way, with lengths that we do not know. */
    private const STRUCTURED = '~[A-Za-z]:\d++[:;]~';
    /** Texts within texts, and bytes that are held for all of them. */
    private const DEEPEST = 64;
    private const MOST = 134217728;
    /** A longer text is changed in pieces: PHP would need three times its room at once. */
    private const PIECE = 524288;
    private const GAPS = "\n\r\t <>,;|";

    private $pairs = [];
    private $isNeeded = false;
    private $found = '';
    private $pattern = null;
    private $depth = 0;
    private $held = 0;
    /** Signs that are in nothing that is replaced: a text may be cut there. */
    private $gaps;

    /** `$pairs`: by what is there, what shall be there. */
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
        $this->found = self::anyOf($changed);
        // Of a value as SQL writes it: quotes may be written in two ways, backslashes in one.
        $written = array_map(static function (string $old): string {
            return str_replace('\\', '\\\\', ltrim($old, '=\'"') ?: $old);
        }, $changed);
        $quotes = ["'" => "(?:\\\\'|'')", '"' => '\\\\?"'];
        $this->pattern = $this->isNeeded ? strtr(self::anyOf($written), $quotes) : null;
    }

    private static function anyOf(array $texts): string
    {
        usort($texts, static function (string $a, string $b): int {
            return strlen($a) - strlen($b);
        });
        $kept = [];
        foreach ($texts as $text) {
            foreach ($kept as $one) {
                if (strpos($text, $one) !== false) {
                    continue 2;
                }
            }
            $kept[] = $text;
        }
        return '~' . implode('|', array_map(static function (string $text): string {
            return preg_quote($text, '~');
        }, $kept)) . '~';
    }

    /** Of a site that package.json tells of, and that is put where this one is: none where it stays. `$below`: of its network. */
    public static function pairs(array $about, VigieSite $site, array $below = []): array
    {
        return VigieMoves::pairs($about, $site, $below);
    }

    public function isNeeded(): bool
    {
        return $this->isNeeded;
    }

    /** Finds what is to be looked at in a row of SQL: null where nothing is. */
    public function pattern(): ?string
    {
        return $this->pattern;
    }

    public function value(string $text): string
    {
        if (!$this->isNeeded || preg_match($this->found, $text) !== 1) {
            return $text;
        }
        if (preg_match(self::SERIALIZED, $text) !== 1) {
            return $this->loose($text, true);
        }
        $length = strlen($text);
        if ($this->depth >= self::DEEPEST || ($this->depth > 0 && $this->held + $length > self::MOST)) {
            return $text;
        }
        $this->depth++;
        $this->held += $length;
        $made = $this->serialized($text) ?? $this->loose($text, false);
        $this->depth--;
        $this->held -= $length;
        return $made;
    }

    /** All of it is what serialize() gives, value by value: null otherwise. */
    private function serialized(string $text): ?string
    {
        [$at, $end, $made, $open] = [0, strlen($text), '', []];
        while ($at < $end) {
            $level = count($open) - 1;
            if ($level >= 0 && $open[$level] === 0) {
                if ($text[$at] !== '}') {
                    return null;
                }
                array_pop($open);
                $made .= '}';
                $at++;
            } elseif (preg_match(self::SCALAR, $text, $match, 0, $at) === 1) {
                if ($level >= 0 && $open[$level] % 2 === 0 && $match[0][0] !== 'i') {
                    return null;
                }
                $this->count($open);
                $made .= $match[0];
                $at += strlen($match[0]);
            } else {
                $isKey = $level >= 0 && $open[$level] % 2 === 0;
                $read = $this->counted($text, $at, $isKey);
                if ($read === null) {
                    return null;
                }
                $this->count($open);
                [$at, $pieces, $inner] = $read;
                foreach (array_keys($pieces) as $one) {
                    // A long text is not there more often than it must be.
                    $made .= $pieces[$one];
                    unset($pieces[$one], $read);
                }
                $inner === null || $open[] = $inner * 2;
            }
            if ($open === []) {
                return $at === $end ? $made : null;
            }
        }
        return null;
    }

    private function count(array &$open): void
    {
        if ($open !== []) {
            $open[count($open) - 1]--;
        }
    }

    /** Where it ends, the pieces of what becomes of it, and how many pairs follow if it opens a list. */
    private function counted(string $text, int $at, bool $isKey): ?array
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
            $inner = $kind === 'E' ? $inner : ($isKey ? $this->key($inner) : $this->value($inner));
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
        $content = $this->content(substr($text, $after, $size));
        return [$after + $size + 1, ["$head\"$inner\":" . strlen($content) . ':{', $content, '}'], null];
    }

    /** A property that is not public has the name of its class before its own. */
    private function key(string $name): string
    {
        $own = $name !== '' && $name[0] === "\0" ? (int) strpos($name, "\0", 1) + 1 : 0;
        return substr($name, 0, $own) . $this->value((string) substr($name, $own));
    }

    /** What a class wrote itself: a text, or values among signs of its own. */
    private function content(string $text): string
    {
        return $this->loose($text, preg_match(self::STRUCTURED, $text) !== 1);
    }

    private function swapped(string $text): string
    {
        $pieces = [];
        for ($at = 0, $end = strlen($text); $at < $end; $at = $next) {
            $next = min($end, $at + self::PIECE);
            $next += $this->gaps === '' ? $end - $next : strcspn($text, $this->gaps, $next);
            $pieces[] = strtr(substr($text, $at, $next - $at), $this->pairs);
        }
        return implode('', $pieces);
    }

    /** Texts whose lengths stand before them keep these right; `$isText`: what is between them is text too. */
    private function loose(string $text, bool $isText): string
    {
        if (strpos($text, ':"') === false) {
            return $isText ? $this->swapped($text) : $text;
        }
        [$at, $done, $made] = [0, 0, ''];
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
            if ($this->depth < self::DEEPEST) {
                $this->depth++;
                $inner = $this->value($inner);
                $this->depth--;
            }
            $made .= ($isText ? $this->swapped($between) : $between) . 's:' . strlen($inner) . ":\"$inner\";";
            $at = $done = $begin + $length + 2;
        }
        $rest = (string) substr($text, $done);
        return $made . ($isText ? $this->swapped($rest) : $rest);
    }
}
