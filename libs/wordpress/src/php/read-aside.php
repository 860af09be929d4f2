<?php
/** Reads a rollback copy: complete and unmodified, or not at all. */
class VigieReadAside
{
    private const CHUNK = 262144;
    public $about = [];
    private $in;
    private $roots = [];
    private $hash = null;
    /** Device, inode, size and time of the file when it was verified. */
    private $seen = [];

    final private function __construct($in)
    {
        $this->in = $in;
    }

    /** Opens the copy on a descriptor; null if it is incomplete or modified. */
    public static function open(int $descriptor): ?self
    {
        $in = @fopen("php://fd/$descriptor", 'rb');
        $copy = $in ? new static($in) : null;
        $isWhole = $copy && (VigieTell::$isWhole ? $copy->isKnown() : $copy->isWhole());
        if (!$isWhole) {
            return null;
        }
        $copy->hash = null;
        $copy->seen = $copy->look();
        return $copy;
    }

    /** Reads only the description at the beginning of the copy. */
    public static function about(int $descriptor): array
    {
        $in = @fopen("php://fd/$descriptor", 'rb');
        $copy = $in ? new static($in) : null;
        return $copy && $copy->isKnown() ? $copy->about : [];
    }

    private function isKnown(): bool
    {
        foreach ($this->entries() as [$entry, $read]) {
            return $entry['name'] === 'vigie.json' && $this->takeAbout($read());
        }
        return false;
    }

    private function takeAbout($text): bool
    {
        $about = json_decode((string) $text, true, 12);
        if (!is_array($about) || ($about['format'] ?? 0) !== 1) {
            return false;
        }
        $this->about = $about;
        $this->roots = array_map('strval', (array) $about['roots']);
        return true;
    }

    private function look(): array
    {
        $seen = fstat($this->in) ?: [];
        return [$seen['dev'] ?? 0, $seen['ino'] ?? 0, $seen['size'] ?? 0, $seen['mtime'] ?? 0];
    }

    private function isWhole(): bool
    {
        $this->hash = hash_init('sha256');
        $count = 0;
        foreach ($this->entries() as [$entry, $read]) {
            if ($entry['name'] === 'vigie.json' && $this->about === []) {
                if (!$this->takeAbout($read())) {
                    return false;
                }
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

    protected function isOurs(array $entry): bool
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

    /** The pieces of the SQL dump, in order. */
    protected function tables(): Generator
    {
        foreach ($this->checked() as [$entry, $read]) {
            if ($this->isOfTables($entry)) {
                yield (string) $read();
            }
        }
    }

    /** Entries of a copy that was verified before: an early end throws, since files or tables would be missing. */
    protected function checked(): Generator
    {
        foreach ($this->entries() as [$entry, $read]) {
            if ($entry['name'] !== 'vigie.end') {
                yield [$entry, $read];
            } elseif ($this->look() === $this->seen) {
                return;
            } else {
                break;
            }
        }
        throw new VigieStop('not_rolled_back', 'copy');
    }

    /** Whether the target of a link in this folder stays within the item. */
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

    /** Each entry with a function that reads its content: as text, into a file, or skipping it. */
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

    /** `''`: as text. A wrong size ends the reading; nothing is allocated by it. */
    private function content(int $size, $to)
    {
        if ($to === null && $this->hash === null) {
            return fseek($this->in, $size + (512 - $size % 512) % 512, SEEK_CUR) === 0;
        }
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
}
