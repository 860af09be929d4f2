<?php
/** Reads a copy, whole and as it was written or not at all, and puts it where it was. */
final class VigieRestore
{
    private const CHUNK = 262144;
    private const STALE = 600;
    /** Of taking the place of tables that others hold: for each of them they are asked for some seconds long. */
    private const TRIES = 3;
    private $in;
    private $roots = [];
    private $hash = null;
    public $about = [];

    private function __construct($in)
    {
        $this->in = $in;
    }

    /** Of what lies on a descriptor; null for what is not complete, or was changed. */
    public static function open(int $descriptor): ?self
    {
        $in = @fopen("php://fd/$descriptor", 'rb');
        $copy = $in ? new self($in) : null;
        return $copy && $copy->isWhole() ? $copy : null;
    }

    private function isWhole(): bool
    {
        $this->hash = hash_init('sha256');
        $count = 0;
        foreach ($this->entries() as [$entry, $read]) {
            if ($entry['name'] === 'vigie.json' && $this->about === []) {
                $about = json_decode($read(), true, 12);
                if (!is_array($about) || ($about['format'] ?? 0) !== 1) {
                    return false;
                }
                $this->about = $about;
                $this->roots = array_map('strval', (array) $about['roots']);
            } elseif ($entry['name'] === 'vigie.end') {
                $said = json_decode($read(), true, 3);
                return is_array($said) && ($said['count'] ?? null) === $count && ($said['sha256'] ?? '') === $entry['digest'];
            } elseif (!$this->isOurs($entry) && !$this->isOfTables($entry)) {
                return false;
            } else {
                $read(null);
                $count++;
            }
        }
        return false;
    }

    private function isOurs(array $entry): bool
    {
        $name = rtrim($entry['name'], '/');
        $parts = explode('/', $name);
        $isPlain = $parts[0] === 'files' && count($parts) > 1 && in_array($parts[1], $this->roots, true);
        if (!$isPlain || array_intersect($parts, ['', '.', '..']) !== [] || strpos($name, "\0") !== false) {
            return false;
        }
        return $entry['type'] !== '2' || self::staysInside(array_slice($parts, 1, -1), $entry['link']);
    }

    private function isOfTables(array $entry): bool
    {
        $isNamed = preg_match('~^tables/\d{6,9}\.sql\z~', $entry['name']) === 1;
        return $isNamed && $entry['type'] === '0' && is_array($this->about['tables'] ?? null);
    }

    /** What makes them, in the order in which it was written. */
    private function tables(): Generator
    {
        foreach ($this->checked() as [$entry, $read]) {
            if ($this->isOfTables($entry)) {
                yield (string) $read();
            }
        }
    }

    /** Read once more, it is what it was: what ends before its end would be tables and files that nobody has. */
    private function checked(): Generator
    {
        $this->hash = hash_init('sha256');
        foreach ($this->entries() as [$entry, $read]) {
            if ($entry['name'] === 'vigie.end') {
                $this->hash = null;
                $said = json_decode((string) $read(), true, 3);
                if (hash_equals((string) ($said['sha256'] ?? ''), $entry['digest'])) {
                    return;
                }
                break;
            }
            yield [$entry, $read];
        }
        throw new VigieStop('not_rolled_back', 'copy');
    }

    /** Whether what a link in this folder of an item says is within the item. */
    public static function staysInside(array $folder, string $target): bool
    {
        if ($target === '' || $target[0] === '/' || $folder === []) {
            return false;
        }
        foreach (explode('/', $target) as $part) {
            if ($part === '..') {
                array_pop($folder);
            } elseif ($part !== '' && $part !== '.') {
                $folder[] = $part;
            }
            if ($folder === []) {
                return false;
            }
        }
        return true;
    }

    /** Each with what reads its content: as text, or to an open file, or to nowhere. */
    private function entries(): Generator
    {
        rewind($this->in);
        $long = [];
        while (true) {
            $digest = $this->hash ? hash_final(hash_copy($this->hash)) : '';
            $block = $this->take(512);
            $entry = $block === null ? null : self::parse($block);
            if ($entry === null) {
                return;
            }
            $isRead = false;
            $read = function ($to = '') use (&$isRead, &$entry) {
                $isRead = true;
                return $this->content($entry['size'], $to);
            };
            if ($entry['type'] === 'x') {
                $long = self::records((string) $read());
                continue;
            }
            $entry = ['digest' => $digest] + $long + $entry;
            $entry['size'] = (int) $entry['size'];
            $long = [];
            yield [$entry, $read];
            if (!$isRead) {
                $read(null);
            }
        }
    }

    private static function parse(string $block): ?array
    {
        $sum = array_sum(array_map('ord', str_split(substr_replace($block, '        ', 148, 8))));
        if (substr($block, 257, 5) !== 'ustar' || octdec(trim(substr($block, 148, 8), "\0 ")) !== $sum) {
            return null;
        }
        $number = static function (int $at, int $length) use ($block): int {
            return (int) octdec(trim(substr($block, $at, $length), "\0 "));
        };
        return [
            'name' => rtrim(substr($block, 0, 100), "\0"),
            'mode' => $number(100, 8) & 07777,
            'gid' => $number(116, 8),
            'size' => $number(124, 12),
            'mtime' => $number(136, 12),
            'type' => $block[156],
            'link' => rtrim(substr($block, 157, 100), "\0"),
        ];
    }

    private static function records(string $text): array
    {
        $found = [];
        $names = ['path' => 'name', 'linkpath' => 'link', 'size' => 'size'];
        while ($text !== '' && preg_match('/^(\d+) ([a-z]+)=/', $text, $match) === 1 && (int) $match[1] > 0) {
            $value = substr($text, strlen($match[0]), (int) $match[1] - strlen($match[0]) - 1);
            if (isset($names[$match[2]])) {
                $found[$names[$match[2]]] = $value;
            }
            $text = (string) substr($text, (int) $match[1]);
        }
        return $found;
    }

    private function take(int $size): ?string
    {
        $bytes = '';
        while (strlen($bytes) < $size) {
            $more = fread($this->in, $size - strlen($bytes));
            if ($more === false || $more === '') {
                return null;
            }
            $bytes .= $more;
        }
        if ($this->hash) {
            hash_update($this->hash, $bytes);
        }
        return $bytes;
    }

    /** `''`: as text. A size that lies ends the reading, and nothing is allocated by it. */
    private function content(int $size, $to)
    {
        $text = '';
        for ($left = $size; $left > 0; $left -= strlen($bytes)) {
            $bytes = $this->take((int) min(self::CHUNK, $left));
            if ($bytes === null) {
                return false;
            }
            if (is_resource($to)) {
                if (@fwrite($to, $bytes) !== strlen($bytes)) {
                    return false;
                }
            } elseif ($to === '') {
                $text .= $bytes;
            }
        }
        if ($size % 512 !== 0 && $this->take(512 - $size % 512) === null) {
            return false;
        }
        return $to === '' ? $text : true;
    }

    /**
     * To a folder beside its place, and from there by renames; what it interrupted itself is begun again. `$isOver`: what
     * is there is half of something, and worth nothing. `$tables`: what comes back together with the files.
     */
    public function putBack(bool $isOver, ?VigieTablesBack $tables): void
    {
        $base = (string) $this->about['base'];
        $staging = "$base/.vigie-" . $this->about['operation'];
        $isCore = $this->about['kind'] === 'core';
        $maintenance = "$base/.maintenance";
        $tables === null || $tables->recover($staging);
        VigieItem::remove($staging);
        try {
            $this->must(@mkdir($staging, 0755) && @mkdir("$staging/new") && @mkdir("$staging/old"), $staging);
            $tables === null || $tables->load($this->tables());
            $this->unpackOver("$staging/new", $isOver && !$isCore);
            if ($isCore) {
                $text = '<?php $upgrading = ' . time() . ';';
                $this->must(@file_put_contents($maintenance, $text) === strlen($text), $maintenance);
            }
            for ($left = self::TRIES; !$this->swap($base, $staging, $tables); $left--) {
                if ($left === 1) {
                    throw new VigieStop('not_rolled_back', 'held');
                }
            }
            $tables === null || $tables->complete($this->about['operation']);
            VigieItem::remove("$staging/old");
        } finally {
            $tables === null || $tables->drop();
            if ($isCore) {
                @unlink($maintenance);
            }
            // Whatever could not go back lies there.
            if (array_diff(@scandir("$staging/old") ?: [], ['.', '..']) === []) {
                VigieItem::remove($staging);
            }
        }
    }

    /** All of them, or as if nothing had been done: false where others hold a table. */
    private function swap(string $base, string $staging, ?VigieTablesBack $tables): bool
    {
        $done = [];
        try {
            foreach ($this->about['targets'] as $root) {
                $steps = [["$base/$root", "$staging/old/$root"], ["$staging/new/$root", "$base/$root"]];
                foreach ($steps as [$from, $to]) {
                    if (@lstat($from) !== false) {
                        $this->must(@rename($from, $to), "$base/$root");
                        $done[] = [$to, $from];
                    }
                }
            }
            if ($tables === null || $tables->exchange()) {
                return true;
            }
            self::moveBack($done);
            return false;
        } catch (VigieStop $stop) {
            self::moveBack($done);
            throw $stop;
        }
    }

    private static function moveBack(array $done): void
    {
        foreach (array_reverse($done) as [$from, $to]) {
            @rename($from, $to);
        }
    }

    /** Of what was killed while it put something back: what it had taken away and not replaced goes back itself. */
    public static function sweep(string $base): void
    {
        foreach (scandir($base) ?: [] as $name) {
            $staging = "$base/$name";
            if (preg_match('/^\.vigie-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\z/', $name) !== 1 || is_link($staging)
                // Another site with the same folder may be at it.
                || filemtime($staging) > time() - self::STALE) {
                continue;
            }
            foreach (array_diff(@scandir("$staging/old") ?: [], ['.', '..']) as $root) {
                if (@lstat("$base/$root") === false) {
                    @rename("$staging/old/$root", "$base/$root");
                }
            }
            VigieItem::remove($staging);
        }
    }

    private function must(bool $isDone, string $path): void
    {
        if (!$isDone) {
            throw new VigieStop('not_rolled_back', 'place', ['path' => $path]);
        }
    }

    private function unpackOver(string $folder, bool $isOver): void
    {
        try {
            $this->unpack($folder);
        } catch (VigieStop $stop) {
            // There may be no room for both; of what cannot be read nothing takes the place.
            if (!$isOver || $stop->facts['why'] === 'copy') {
                throw $stop;
            }
            foreach ($this->about['targets'] as $root) {
                VigieItem::remove($this->about['base'] . "/$root");
            }
            VigieItem::remove($folder);
            $this->must(@mkdir($folder), $folder);
            $this->unpack($folder);
        }
    }

    private function unpack(string $folder): void
    {
        $folders = [];
        $done = 0;
        foreach ($this->checked() as [$entry, $read]) {
            if (!$this->isOurs($entry)) {
                continue;
            }
            $done += 1024 + $entry['size'];
            VigieTell::step('back', min($done, $this->about['bytes']), $this->about['bytes']);
            $path = $folder . substr(rtrim($entry['name'], '/'), strlen('files'));
            $parent = dirname($path);
            $this->must($parent === $folder || (is_dir($parent) && !is_link($parent)), $path);
            if ($entry['type'] === '5') {
                $this->must(@mkdir($path, 0700), $path);
                $folders[$path] = $entry;
            } elseif ($entry['type'] === '2') {
                $this->must(@symlink($entry['link'], $path), $path);
            } else {
                $this->must($this->write($path, $entry, $read), $path);
            }
        }
        foreach (array_reverse($folders, true) as $path => $entry) {
            $path = (string) $path;
            self::giveGroup($path, $entry['gid']);
            $this->must(@chmod($path, $entry['mode']), $path);
            @touch($path, $entry['mtime']);
        }
    }

    /** A web server may read them by their group alone; where the owner may not give it, it stays as it is. */
    private static function giveGroup(string $path, int $group): void
    {
        if (function_exists('chgrp')) {
            @chgrp($path, $group);
        }
    }

    private function write(string $path, array $entry, callable $read): bool
    {
        $file = @fopen($path, 'xb');
        $isDone = $file && $read($file) === true && fflush($file);
        if ($file) {
            fclose($file);
        }
        self::giveGroup($path, $entry['gid']);
        return $isDone && @chmod($path, $entry['mode']) && @touch($path, $entry['mtime']);
    }
}
