<?php
/** Reads a rollback copy: complete and unmodified, or not at all. */
class VigieReadRollbackCopy
{
    private const CHUNK = 262144;
    public $about = [];
    private $in;
    private $roots = [];
    private $hash = null;
    /** Device, inode, size and time of the file when it was verified. */
    private $identity = [];

    final private function __construct($in)
    {
        $this->in = $in;
    }

    /** Opens the copy on a descriptor; null if it is incomplete or modified. */
    public static function open(int $descriptor): ?self
    {
        $in = @fopen("php://fd/$descriptor", 'rb');
        $copy = $in ? new static($in) : null;
        $isWhole = $copy && (VigieOperation::$isCopyVerified ? $copy->hasDescription() : $copy->isComplete());
        if (!$isWhole) {
            return null;
        }
        $copy->hash = null;
        $copy->identity = $copy->fileIdentity();
        return $copy;
    }

    /** Reads only the description at the beginning of the copy. */
    public static function descriptionOf(int $descriptor): array
    {
        $in = @fopen("php://fd/$descriptor", 'rb');
        $copy = $in ? new static($in) : null;
        return $copy && $copy->hasDescription() ? $copy->about : [];
    }

    private function hasDescription(): bool
    {
        foreach ($this->entries() as [$entry, $read]) {
            return $entry['name'] === 'vigie.json' && $this->takeDescription($read());
        }
        return false;
    }

    private function takeDescription($text): bool
    {
        $about = json_decode((string) $text, true, 12);
        if (!is_array($about) || ($about['format'] ?? 0) !== 1) {
            return false;
        }
        $this->about = $about;
        $this->roots = array_map('strval', (array) $about['roots']);
        return true;
    }

    private function fileIdentity(): array
    {
        $stat = fstat($this->in) ?: [];
        return [$stat['dev'] ?? 0, $stat['ino'] ?? 0, $stat['size'] ?? 0, $stat['mtime'] ?? 0];
    }

    private function isComplete(): bool
    {
        $this->hash = hash_init('sha256');
        $count = 0;
        foreach ($this->entries() as [$entry, $read]) {
            if ($entry['name'] === 'vigie.json' && $this->about === []) {
                if (!$this->takeDescription($read())) {
                    return false;
                }
            } elseif ($entry['name'] === 'vigie.end') {
                $ending = json_decode($read(), true, 3);
                return is_array($ending) && ($ending['count'] ?? null) === $count && ($ending['sha256'] ?? '') === $entry['digest'];
            } elseif (!$this->isItemFile($entry) && !$this->isTableDump($entry)) {
                return false;
            } else {
                $read(null);
                $count++;
            }
        }
        return false;
    }

    protected function isItemFile(array $entry): bool
    {
        $name = rtrim($entry['name'], '/');
        $parts = explode('/', $name);
        $isBelowRoot = $parts[0] === 'files' && count($parts) > 1 && in_array($parts[1], $this->roots, true);
        if (!$isBelowRoot || array_intersect($parts, ['', '.', '..']) !== [] || strpos($name, "\0") !== false) {
            return false;
        }
        return $entry['type'] !== '2' || self::staysInside(array_slice($parts, 1, -1), $entry['link']);
    }

    private function isTableDump(array $entry): bool
    {
        $isNamed = preg_match('~^tables/\d{6,9}\.sql\z~', $entry['name']) === 1;
        return $isNamed && $entry['type'] === '0' && is_array($this->about['tables'] ?? null);
    }

    /** The pieces of the SQL dump, in order. */
    protected function tableDump(): Generator
    {
        foreach ($this->verifiedEntries() as [$entry, $read]) {
            if ($this->isTableDump($entry)) {
                yield (string) $read();
            }
        }
    }

    /** Entries of a copy that was verified before: an early end throws, since files or tables would be missing. */
    protected function verifiedEntries(): Generator
    {
        foreach ($this->entries() as [$entry, $read]) {
            if ($entry['name'] !== 'vigie.end') {
                yield [$entry, $read];
            } elseif ($this->fileIdentity() === $this->identity) {
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
        $extended = [];
        while (true) {
            $digest = $this->hash ? hash_final(hash_copy($this->hash)) : '';
            $block = $this->readBytes(512);
            $entry = $block === null ? null : self::parseHeader($block);
            if ($entry === null) {
                return;
            }
            $isRead = false;
            $read = function ($to = '') use (&$isRead, &$entry) {
                $isRead = true;
                return $this->readContent($entry['size'], $to);
            };
            if ($entry['type'] === 'x') {
                $extended = self::parseRecords((string) $read());
                continue;
            }
            $entry = ['digest' => $digest] + $extended + $entry;
            $entry['size'] = (int) $entry['size'];
            $extended = [];
            yield [$entry, $read];
            if (!$isRead) {
                $read(null);
            }
        }
    }

    private static function parseHeader(string $block): ?array
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

    private static function parseRecords(string $text): array
    {
        $records = [];
        $names = ['path' => 'name', 'linkpath' => 'link', 'size' => 'size'];
        while ($text !== '' && preg_match('/^(\d+) ([a-z]+)=/', $text, $match) === 1 && (int) $match[1] > 0) {
            $value = substr($text, strlen($match[0]), (int) $match[1] - strlen($match[0]) - 1);
            if (isset($names[$match[2]])) {
                $records[$names[$match[2]]] = $value;
            }
            $text = (string) substr($text, (int) $match[1]);
        }
        return $records;
    }

    private function readBytes(int $size): ?string
    {
        $bytes = '';
        while (strlen($bytes) < $size) {
            $chunk = fread($this->in, $size - strlen($bytes));
            if ($chunk === false || $chunk === '') {
                return null;
            }
            $bytes .= $chunk;
        }
        if ($this->hash) {
            hash_update($this->hash, $bytes);
        }
        return $bytes;
    }

    /** `''`: as text. A wrong size ends the reading; nothing is allocated by it. */
    private function readContent(int $size, $to)
    {
        if ($to === null && $this->hash === null) {
            return fseek($this->in, $size + (512 - $size % 512) % 512, SEEK_CUR) === 0;
        }
        $text = '';
        for ($left = $size; $left > 0; $left -= strlen($bytes)) {
            $bytes = $this->readBytes((int) min(self::CHUNK, $left));
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
        if ($size % 512 !== 0 && $this->readBytes(512 - $size % 512) === null) {
            return false;
        }
        return $to === '' ? $text : true;
    }
}
