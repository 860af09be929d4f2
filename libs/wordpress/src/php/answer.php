<?php
/** Reads the input from descriptor 3, and prints answers between a secret word. */
final class VigieAnswer
{
    private const MAX_BYTES = 990000;
    private static $secret = '';
    private static $out;
    private static $received = '';

    public static function readInput(): array
    {
        self::$out = fopen('php://stdout', 'wb');
        $stream = fopen('php://fd/3', 'rb');
        $data = json_decode((string) base64_decode((string) stream_get_contents($stream)), true, 8);
        fclose($stream);
        if (!is_array($data) || !isset($data['word'])) {
            exit(98);
        }
        self::$secret = (string) $data['word'];
        unset($data['word']);
        return $data;
    }

    /** Sends to another process from now on, which passes it on. */
    public static function sendTo($stream): void
    {
        self::$out = $stream;
    }

    /** Passes on whole answers of another process only: one of this process may come next. */
    public static function passOn($stream): void
    {
        self::$received .= fread($stream, 65536);
        $length = (int) strrpos(self::$received, "\n") + 1;
        if ($length > 1) {
            fwrite(self::$out, substr(self::$received, 0, $length));
            fflush(self::$out);
            self::$received = substr(self::$received, $length);
        }
    }

    /** Returns false for an answer that is too long to be read. */
    public static function send(array $data): bool
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR;
        $json = json_encode($data, $flags, 12);
        if (strlen($json) > self::MAX_BYTES) {
            return false;
        }
        if (!fwrite(self::$out, "\n" . self::$secret . $json . self::$secret . "\n")) {
            // Nobody listens any more.
            exit(97);
        }
        fflush(self::$out);
        return true;
    }

    /** An offer that is not newer than the installed version is outdated. */
    public static function newerVersion($offer, $version): ?string
    {
        $offer = self::text($offer, 60);
        return $offer !== null && version_compare($offer, (string) $version, '>') ? $offer : null;
    }

    /** Decodes text that WordPress stores as HTML. */
    public static function plainText($value): ?string
    {
        $text = self::text($value);
        return $text === null ? null : html_entity_decode($text, ENT_QUOTES | ENT_HTML5, 'UTF-8');
    }

    /** Text of limited length; null for anything else. */
    public static function text($value, int $max = 1200): ?string
    {
        return is_scalar($value) && !is_bool($value) ? substr((string) $value, 0, $max) : null;
    }
}
