<?php
/** Checks the free space on every disk that will be written to. */
final class VigieRoom
{
    /** Bytes kept free for everybody else; the sentences name the number. */
    private const RESERVED_BYTES = 67108864;

    /** `$needs`: bytes by folder. `$tables`: the folder of the database. */
    public static function check(array $needs, ?string $tables = null): void
    {
        $disks = [];
        foreach ($needs as $folder => $bytes) {
            $disks[self::diskOf((string) $folder)][$folder] = $bytes;
        }
        foreach ($disks as $needs) {
            $folder = (string) key($needs);
            $free = self::free($folder);
            $needed = array_sum($needs);
            if ($free !== null && $needed + self::RESERVED_BYTES > $free) {
                $why = array_keys($needs) === [$tables] ? 'tables' : 'before';
                throw new VigieStop('no_room', $why, ['needed' => $needed, 'free' => $free, 'path' => $folder]);
            }
        }
    }

    public static function free(string $folder): ?int
    {
        $free = function_exists('disk_free_space') ? @disk_free_space($folder) : false;
        return $free === false ? null : (int) $free;
    }

    public static function diskOf(string $folder): string
    {
        return (string) (@stat($folder)['dev'] ?? $folder);
    }

    /** The server's data folder; null if it is on another machine or hidden. */
    public static function databaseFolder(VigieConnection $link): ?string
    {
        [$folder, $host] = $link->query('SELECT @@datadir, @@hostname')[0] ?? ['', ''];
        $isHere = $host !== '' && $host === php_uname('n') && $folder !== '' && @is_dir((string) $folder);
        return $isHere && self::free((string) $folder) !== null ? (string) $folder : null;
    }
}
