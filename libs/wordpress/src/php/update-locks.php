<?php
/** WordPress's own locks of its updates. */
final class VigieUpdateLocks
{
    private const LOCK = 'auto_updater';
    private static $isLocked = false;

    public static function check(): void
    {
        self::checkOne('core_updater', 900);
        self::checkOne(self::LOCK, HOUR_IN_SECONDS);
    }

    private static function checkOne(string $name, int $seconds): void
    {
        $lockedAt = get_option("$name.lock");
        if ($lockedAt && (int) $lockedAt > time() - $seconds) {
            throw new VigieStop('wordpress_busy', 'lock');
        }
    }

    /**
     * WordPress's own lock stores its second. The time is noted first, so that no other lock is released. `$index`: lines
     * that must be on the disk before anything changes.
     */
    public static function take(string $index = ''): void
    {
        $note = fopen('php://fd/8', 'wb');
        $text = time() . "\n$index";
        $isWritten = fwrite($note, $text) === strlen($text) && ($index === '' || fsync($note));
        $size = fstat($note)['size'] ?? 0;
        fclose($note);
        if (!$isWritten || $size !== strlen($text)) {
            // The shell wrote a stop request first.
            throw new VigieStop($isWritten ? 'stopped' : 'no_room', 'write');
        }
        if (!WP_Upgrader::create_lock(self::LOCK)) {
            throw new VigieStop('wordpress_busy', 'lock');
        }
        self::$isLocked = true;
    }

    public static function release(): void
    {
        if (self::$isLocked) {
            self::$isLocked = false;
            WP_Upgrader::release_lock(self::LOCK);
        }
    }
}
