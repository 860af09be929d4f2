<?php
/** What is given comes on descriptor 5; what happens is told on 3, in lines that begin with a word nobody can guess. */
final class VigieTell
{
    private const LONGEST = 60000;
    public static $part = '';
    public static $order = [];
    /** Whether plugins and theme are left out when WordPress starts. */
    public static $isSkipping = false;
    /** In bytes: what copies may take, and what is free where they lie; inodes where the site lies. */
    public static $allowance = 0;
    public static $free = 0;
    public static $inodes = null;
    /** When the operation that is undone took WordPress's lock. */
    public static $lockedAt = 0;
    /** Whether the tables of the operation that is undone may be others since. */
    public static $isOfTables = false;
    /** Whether its configuration was read without WordPress, as the way back reads it. */
    public static $isReadable = false;
    /** Whether the copy that is read was found whole by this operation. */
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

    /** What is only tried says nothing. */
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

    /** How far a step is: not more often than somebody can see. */
    public static function step(string $step, ?int $done = null, ?int $total = null): void
    {
        $now = microtime(true);
        if ($done === null || $now - self::$toldAt > 0.2) {
            self::$toldAt = $done === null ? 0.0 : $now;
            self::line(['is' => 'step', 'step' => $step, 'done' => $done, 'total' => $total]);
        }
    }

    /** What a page would show of it. */
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

/** Why something is not done, or failed: a code, and what its sentence needs. */
final class VigieStop extends Exception
{
    public $facts;

    public function __construct(string $code, string $why = '', array $facts = [])
    {
        parent::__construct("$code $why");
        $this->facts = ['code' => $code, 'why' => $why] + $facts;
    }

    /** Of whatever ended some work. */
    public static function factsOf(Throwable $error): array
    {
        if ($error instanceof self) {
            return $error->facts;
        }
        $place = basename($error->getFile()) . ':' . $error->getLine();
        return ['code' => 'died', 'words' => $error->getMessage() . " ($place)"];
    }
}
