<?php
/** Whether there is room for what is going to be written, wherever that lies. */
final class VigieRoom
{
    /** What others need to go on meanwhile; told sentences name it themselves. */
    private const KEPT = 67108864;

    /** `$needs`: bytes, by folder. `$tables`: the one of them that is the database's. */
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
            if ($free !== null && $needed + self::KEPT > $free) {
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

    /** Where the server keeps its tables: null for one that is on another machine, or hides them. */
    public static function ofTables(VigieLink $link): ?string
    {
        [$folder, $host] = $link->ask('SELECT @@datadir, @@hostname')[0] ?? ['', ''];
        $isHere = $host !== '' && $host === php_uname('n') && $folder !== '' && @is_dir((string) $folder);
        return $isHere && self::free((string) $folder) !== null ? (string) $folder : null;
    }
}
