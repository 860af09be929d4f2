<?php
/** Reads the literal settings of wp-config.php without running it. Computed settings are only noticed. */
final class VigieConfig
{
    private const NAMES = [
        'DB_NAME', 'DB_USER', 'DB_PASSWORD', 'DB_HOST', 'DB_CHARSET', 'WP_CONTENT_DIR', 'WP_PLUGIN_DIR',
        'WPMU_PLUGIN_DIR', 'MULTISITE', 'WP_HOME', 'WP_SITEURL', 'DISALLOW_FILE_MODS',
    ];
    /** Tokens of an include that are read; a longer one counts as computed. */
    private const MAX_TOKENS = 50;
    private const INCLUDES = [T_INCLUDE, T_INCLUDE_ONCE, T_REQUIRE, T_REQUIRE_ONCE];

    public $values = [];
    public $isComputed = false;
    private $tokens = [];
    private $depth = 0;

    public static function parse(string $code): self
    {
        $config = new self();
        foreach (@token_get_all($code) as $token) {
            $isBlank = is_array($token) && in_array($token[0], [T_WHITESPACE, T_COMMENT, T_DOC_COMMENT], true);
            if (!$isBlank) {
                $config->tokens[] = is_array($token) ? [$token[0], $token[1]] : [$token, $token];
            }
        }
        foreach ($config->tokens as $at => $token) {
            if ($at % 1000 === 0 && VigieFiles::isLate()) {
                $config->isComputed = true;
                break;
            }
            $config->readToken($at, $token[0]);
        }
        $config->tokens = [];
        return $config;
    }

    public function text(string $name): ?string
    {
        return isset($this->values[$name]) ? (string) $this->values[$name] : null;
    }

    public function isOn(string $name): bool
    {
        return (bool) ($this->values[$name] ?? false);
    }

    private function readToken(int $at, $kind): void
    {
        if (in_array($kind, ['{', T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES], true)) {
            $this->depth++;
        } elseif ($kind === '}') {
            $this->depth--;
        } elseif (in_array($kind, self::INCLUDES, true)) {
            $this->readInclude($at);
        } elseif ($kind === T_EVAL) {
            $this->isComputed = true;
        } elseif ($kind === T_VARIABLE && $this->tokenText($at) === '$table_prefix' && $this->tokenText($at + 1) === '=') {
            $this->keepSetting($at, 'table_prefix', $at + 2, [';', '?>']);
        } elseif ($kind === T_CONST && $this->tokenText($at + 2) === '=') {
            $this->keepSetting($at, $this->tokenText($at + 1), $at + 3, [';', ',', '?>']);
        } elseif ($this->isDefine($at)) {
            $this->readDefine($at);
        }
    }

    private function isDefine(int $at): bool
    {
        return in_array(strtolower($this->tokenText($at)), ['define', '\\define'], true) && $this->tokenText($at + 1) === '(';
    }

    private function readDefine(int $at): void
    {
        $name = $this->literalValue($at + 2);
        if (is_string($name) && $this->tokenText($at + 3) === ',') {
            $this->keepSetting($at, $name, $at + 4, [')', ',']);
        } else {
            $this->isComputed = true;
        }
    }

    /** The first definition of a constant counts, as in PHP. */
    private function keepSetting(int $at, string $name, int $valueAt, array $ends): void
    {
        if ($name !== 'table_prefix' && !in_array($name, self::NAMES, true)) {
            return;
        }
        $value = $this->literalValue($valueAt);
        $isLiteral = $value !== null && in_array(trim($this->tokenText($valueAt + 1)), $ends, true);
        if (!$isLiteral || $this->isConditional($at, $name)) {
            $this->isComputed = true;
        }
        if ($isLiteral && (!isset($this->values[$name]) || $name === 'table_prefix')) {
            $this->values[$name] = $value;
        }
    }

    private function isConditional(int $at, string $name): bool
    {
        // Before PHP 8 the backslash of \define is a token of its own.
        $at -= $at > 0 && $this->tokens[$at - 1][0] === T_NS_SEPARATOR ? 1 : 0;
        $before = $at > 0 ? $this->tokens[$at - 1][0] : T_OPEN_TAG;
        if ($this->depth === 0 && in_array($before, [';', '}', T_OPEN_TAG, '@'], true)) {
            return false;
        }
        for ($back = $at - 1; $back >= 0 && $back > $at - 9; $back--) {
            if ($this->tokenText($back) === 'defined' && $this->literalValue($back + 2) === $name) {
                return false;
            }
        }
        return true;
    }

    private function readInclude(int $at): void
    {
        $last = null;
        $ends = [';', T_CLOSE_TAG, ...self::INCLUDES];
        for ($to = $at + self::MAX_TOKENS; isset($this->tokens[++$at]) && $at < $to; ) {
            if (in_array($this->tokens[$at][0], $ends, true)) {
                break;
            }
            $last = $this->literalValue($at) ?? $last;
        }
        if (!is_string($last) || substr($last, -15) !== 'wp-settings.php') {
            $this->isComputed = true;
        }
    }

    private function tokenText(int $at): string
    {
        return (string) ($this->tokens[$at][1] ?? '');
    }

    /** The value of a string, integer or boolean token; null for anything else. */
    private function literalValue(int $at)
    {
        [$kind, $text] = $this->tokens[$at] ?? [null, ''];
        if ($kind === T_CONSTANT_ENCAPSED_STRING) {
            $inner = substr($text, 1, -1);
            return $text[0] === "'" ? strtr($inner, ['\\\\' => '\\', "\\'" => "'"]) : stripcslashes($inner);
        }
        if ($kind === T_LNUMBER) {
            return (int) $text;
        }
        $words = ['true' => true, 'false' => false, '\\true' => true, '\\false' => false];
        return is_string($kind) ? null : ($words[strtolower($text)] ?? null);
    }
}
