<?php
/** Input (descriptor 5) and progress lines (descriptor 3) of an operation; a secret word begins each line. */
final class VigieOperation
{
    private const MAX_BYTES = 60000;
    public static $part = '';
    public static $order = [];
    /** Whether WordPress starts without plugins and theme. */
    public static $skipsPlugins = false;
    /** Bytes that rollback copies may take and that are free on their disk; inodes free on the site's disk. */
    public static $allowance = 0;
    public static $free = 0;
    public static $inodes = null;
    /** When the operation to undo took WordPress's lock. */
    public static $lockedAt = 0;
    /** Whether the operation to undo may have changed tables. */
    public static $hasChangedTables = false;
    /** Whether a rollback can read the configuration without WordPress. */
    public static $isConfigReadable = false;
    /** Whether this operation has already verified the copy. */
    public static $isCopyVerified = false;
    /** The operation of the item that is being updated, where one process updates several. */
    public static $itemOperation = null;
    private static $secret = '';
    private static $out;
    private static $reportedAt = 0.0;

    public static function open(): void
    {
        self::$out = fopen('php://fd/3', 'ab');
        $stream = fopen('php://fd/5', 'rb');
        $lines = explode("\n", (string) stream_get_contents($stream));
        fclose($stream);
        $order = json_decode((string) base64_decode($lines[4] ?? ''), true, 8);
        if (!self::$out || !is_array($order)) {
            exit(98);
        }
        [self::$secret, self::$part] = $lines;
        self::$skipsPlugins = $lines[2] === 'skip';
        [$allowance, $free, $inodes, $locked, $tables, $whole] = explode(' ', $lines[3]) + ['0', '0', '-', '0', '-', '-'];
        self::$isCopyVerified = $whole === 'whole';
        self::$hasChangedTables = $tables === 'tables';
        self::$isConfigReadable = $tables === 'readable';
        self::$lockedAt = (int) $locked;
        self::$allowance = (int) $allowance * 1024;
        self::$free = (int) $free * 1024;
        self::$inodes = $inodes === '-' ? null : (int) $inodes;
        self::$order = $order;
    }

    /** Discards all reports, for a trial. */
    public static function mute(): void
    {
        self::$out = fopen('php://memory', 'wb');
    }

    public static function report(array $data): void
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE;
        $data += self::$itemOperation === null ? [] : ['of' => self::$itemOperation];
        $json = json_encode($data, $flags, 8);
        if ($json !== false && strlen($json) < self::MAX_BYTES) {
            fwrite(self::$out, self::$secret . " $json\n");
            fflush(self::$out);
        }
    }

    /** Reports progress, at most five times a second. */
    public static function reportStep(string $step, ?int $done = null, ?int $total = null): void
    {
        $now = microtime(true);
        if ($done === null || $now - self::$reportedAt > 0.2) {
            self::$reportedAt = $done === null ? 0.0 : $now;
            self::report(['is' => 'step', 'step' => $step, 'done' => $done, 'total' => $total]);
        }
    }

    public static function plainText($text): string
    {
        $spaced = (string) preg_replace('~</(?:h\d|p|div|li)>|<br[^>]*>~i', '$0 ', (string) $text);
        return trim(html_entity_decode(strip_tags($spaced), ENT_QUOTES | ENT_HTML5, 'UTF-8'));
    }

    public static function log($text): void
    {
        $text = self::plainText($text);
        if ($text !== '') {
            self::report(['is' => 'said', 'text' => substr($text, 0, 2000)]);
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
        $location = basename($error->getFile()) . ':' . $error->getLine();
        return ['code' => 'died', 'words' => $error->getMessage() . " ($location)"];
    }
}
