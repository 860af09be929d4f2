<?php
/** Input (descriptor 5) and progress lines (descriptor 3) of an operation; a secret word begins each line. */
final class VigieTell
{
    private const LONGEST = 60000;
    public static $part = '';
    public static $order = [];
    /** Whether WordPress starts without plugins and theme. */
    public static $isSkipping = false;
    /** Bytes that rollback copies may take and that are free on their disk; inodes free on the site's disk. */
    public static $allowance = 0;
    public static $free = 0;
    public static $inodes = null;
    /** When the operation to undo took WordPress's lock. */
    public static $lockedAt = 0;
    /** Whether the operation to undo may have changed tables. */
    public static $isOfTables = false;
    /** Whether a rollback can read the configuration without WordPress. */
    public static $isReadable = false;
    /** Whether this operation has already verified the copy. */
    public static $isWhole = false;
    private static $word = '';
    private static $out;
    private static $toldAt = 0.0;

    public static function open(): void
    {
        self::$out = fopen('php://fd/3', 'ab');
        $given = fopen('php://fd/5', 'rb');
        $lines = explode("\n", (string) stream_get_contents($given));
        fclose($given);
        $order = json_decode((string) base64_decode($lines[4] ?? ''), true, 8);
        if (!self::$out || !is_array($order)) {
            exit(98);
        }
        [self::$word, self::$part] = $lines;
        self::$isSkipping = $lines[2] === 'skip';
        [$allowance, $free, $inodes, $locked, $tables, $whole] = explode(' ', $lines[3]) + ['0', '0', '-', '0', '-', '-'];
        self::$isWhole = $whole === 'whole';
        self::$isOfTables = $tables === 'tables';
        self::$isReadable = $tables === 'readable';
        self::$lockedAt = (int) $locked;
        self::$allowance = (int) $allowance * 1024;
        self::$free = (int) $free * 1024;
        self::$inodes = $inodes === '-' ? null : (int) $inodes;
        self::$order = $order;
    }

    /** Discards all reports, for a trial. */
    public static function hush(): void
    {
        self::$out = fopen('php://memory', 'wb');
    }

    public static function line(array $what): void
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE;
        $json = json_encode($what, $flags, 8);
        if ($json !== false && strlen($json) < self::LONGEST) {
            fwrite(self::$out, self::$word . " $json\n");
            fflush(self::$out);
        }
    }

    /** Reports progress, at most five times a second. */
    public static function step(string $step, ?int $done = null, ?int $total = null): void
    {
        $now = microtime(true);
        if ($done === null || $now - self::$toldAt > 0.2) {
            self::$toldAt = $done === null ? 0.0 : $now;
            self::line(['is' => 'step', 'step' => $step, 'done' => $done, 'total' => $total]);
        }
    }

    /** HTML as plain text. */
    public static function plain($text): string
    {
        $apart = (string) preg_replace('~</(?:h\d|p|div|li)>|<br[^>]*>~i', '$0 ', (string) $text);
        return trim(html_entity_decode(strip_tags($apart), ENT_QUOTES | ENT_HTML5, 'UTF-8'));
    }

    public static function said($text): void
    {
        $text = self::plain($text);
        if ($text !== '') {
            self::line(['is' => 'said', 'text' => substr($text, 0, 2000)]);
        }
    }
}

/** Why something was refused or failed: a code, and the fields of its sentence. */
final class VigieStop extends Exception
{
    public $facts;

    public function __construct(string $code, string $why = '', array $facts = [])
    {
        parent::__construct("$code $why");
        $this->facts = ['code' => $code, 'why' => $why] + $facts;
    }

    public static function factsOf(Throwable $error): array
    {
        if ($error instanceof self) {
            return $error->facts;
        }
        $place = basename($error->getFile()) . ':' . $error->getLine();
        return ['code' => 'died', 'words' => $error->getMessage() . " ($place)"];
    }
}
