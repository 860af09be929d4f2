<?php
/** Reads a .wpress archive: trusts nothing before all of it is verified, in little memory. */
final class VigieReadArchive
{
    private const HEADER = VigieArchive::HEADER;
    private const CHUNK = 524288;
    private const NEAR = 32768;
    private const OPENING = 'package.json';
    /** The packer chose the size and depth of package.json. */
    private const MAX_ABOUT_BYTES = 16777216;
    private const MAX_DEPTH = 24;
    /** Longer than any path: the last bytes of the field are a checksum then. */
    private const MAX_FOLDER = 4000;

    /** package.json, the format (1 or 2), and the size in bytes. */
    public $about;
    public $version = 1;
    public $size;
    /** Set by verify(): the number of files, and what vouches for them: 'format', 'vigie', or only 'structure'. */
    public $entries = null;
    public $by = null;
    /** The entry of the dump. */
    public $database = null;
    public $isNetwork = false;
    private $network = null;
    private $path;
    private $isCaseless;
    private $file;
    private $stat;
    /** Offset of the closing block, and the checksum in it. */
    private $endAt;
    private $endSum = '';
    private $first;
    /** The bytes read last, and their offset. */
    private $buffer = '';
    private $bufferAt = 0;

    private function __construct(string $path, bool $isCaseless)
    {
        $this->path = $path;
        $this->isCaseless = $isCaseless;
    }

    /** `$isCaseless`: for a disk that ignores case. */
    public static function open(string $path, bool $isCaseless = false): self
    {
        $archive = new self($path, $isCaseless);
        $archive->openFile();
        $archive->readEnd();
        $archive->readAbout();
        return $archive;
    }

    private function openFile(): void
    {
        clearstatcache(true, $this->path);
        $stat = @lstat($this->path);
        $kind = $stat ? $stat['mode'] & 0170000 : 0;
        if ($kind !== 0100000) {
            $why = $kind === 0120000 ? 'link' : 'special';
            throw VigieArchivePaths::failure('no_archive', $stat ? $why : 'absent', $this->path);
        }
        // Mode n: opening a pipe must not block.
        $this->file = @fopen($this->path, 'rbn');
        $this->stat = $this->file ? fstat($this->file) : false;
        if (!$this->stat || $this->stat['ino'] !== $stat['ino'] || $this->stat['dev'] !== $stat['dev']) {
            throw VigieArchivePaths::failure('no_archive', $this->file ? 'changed' : 'unreadable', $this->path);
        }
        stream_set_read_buffer($this->file, 0);
        $this->size = $this->stat['size'];
    }

    /** Whether the path still names the opened file, unmodified. */
    public function isUnchanged(): bool
    {
        clearstatcache(true, $this->path);
        $stats = [fstat($this->file), @lstat($this->path)];
        foreach (['dev', 'ino', 'size', 'mtime', 'ctime'] as $field) {
            if (!$stats[1] || array_column($stats, $field) !== [$this->stat[$field], $this->stat[$field]]) {
                return false;
            }
        }
        return true;
    }

    private function readEnd(): void
    {
        $this->endAt = $this->size - self::HEADER;
        if ($this->endAt < self::HEADER) {
            throw new VigieStop('no_archive', 'form');
        }
        $block = $this->headerAt($this->endAt);
        if (trim($block, "\0") === '') {
            return;
        }
        $this->version = 2;
        $length = rtrim(substr($block, 255, 14), "\0");
        $this->endSum = substr($block, -8);
        $isEnd = preg_match('/^\d{1,14}\z/', $length) === 1 && self::isSum($this->endSum);
        if (!$isEnd || $block !== VigieArchive::closingBlock((int) $length, $this->endSum)) {
            throw new VigieStop('damaged', 'end');
        }
        if ((int) $length !== $this->endAt) {
            throw new VigieStop('damaged', 'length');
        }
    }

    private function readAbout(): void
    {
        $this->first = $this->entryAt(0);
        if ($this->first['path'] !== self::OPENING) {
            throw self::damaged('first', $this->first['path']);
        }
        if ($this->first['size'] > self::MAX_ABOUT_BYTES) {
            throw new VigieStop('damaged', 'about_size');
        }
        $text = $this->contentOf($this->first);
        // PHP decodes an object and a list to the same array.
        $isObject = substr(ltrim($text, " \t\r\n"), 0, 1) === '{';
        $about = $isObject ? json_decode($text, true, self::MAX_DEPTH, JSON_INVALID_UTF8_SUBSTITUTE) : null;
        if (!is_array($about)) {
            throw new VigieStop('damaged', 'about');
        }
        if (self::isEnabled($about['Encrypted'] ?? null)) {
            throw new VigieStop('encrypted');
        }
        if (is_array($about['Compression'] ?? null) && self::isEnabled($about['Compression']['Enabled'] ?? null)) {
            throw new VigieStop('compressed');
        }
        $this->about = $about;
    }

    /** True values, and also an empty list. */
    private static function isEnabled($value): bool
    {
        return !empty($value) || is_array($value);
    }

    private static function isSum(string $text): bool
    {
        return preg_match('/^[0-9a-f]{8}\z/', $text) === 1;
    }

    private static function damaged(string $why, string $path): VigieStop
    {
        return VigieArchivePaths::failure('damaged', $why, $path);
    }

    /** Bytes at an offset: from the buffer if it holds at least `$min` of them. */
    private function bytes(int $at, int $max, int $min): string
    {
        $skip = $at - $this->bufferAt;
        if ($skip < 0 || $skip + $min > strlen($this->buffer)) {
            $this->fillBuffer($at, $max);
            $skip = 0;
        }
        return substr($this->buffer, $skip, $max);
    }

    private function headerAt(int $at): string
    {
        return $this->bytes($at, self::HEADER, self::HEADER);
    }

    /** Reads ahead between small entries; after a large one, only what is needed. */
    private function fillBuffer(int $at, int $wanted): void
    {
        $ahead = $at - $this->bufferAt - strlen($this->buffer);
        $isNear = $at >= $this->bufferAt && $ahead < self::NEAR;
        $left = min($isNear ? self::CHUNK : $wanted, self::CHUNK, $this->size - $at);
        $this->buffer = '';
        $this->bufferAt = $at;
        for (fseek($this->file, $at); $left > 0; $left -= strlen($text)) {
            $text = @fread($this->file, $left);
            if (!is_string($text) || $text === '') {
                throw new VigieStop('damaged', 'changed');
            }
            $this->buffer = $this->buffer === '' ? $text : $this->buffer . $text;
        }
    }

    /** The entry whose header is at this offset; `at`: the offset of its content. */
    private function entryAt(int $at): array
    {
        if ($at + self::HEADER > $this->endAt) {
            throw new VigieStop('damaged', 'cut');
        }
        $block = $this->headerAt($at);
        if (trim($block, "\0") === '') {
            throw new VigieStop('damaged', 'after_end');
        }
        $entry = self::parseHeader($block) + ['at' => $at + self::HEADER];
        if ($entry['at'] + $entry['size'] > $this->endAt) {
            throw self::damaged('size', $entry['path']);
        }
        return $entry;
    }

    private static function parseHeader(string $block): array
    {
        $fields = unpack('a255name/a14size/a12mtime/a4088folder/a8crc', $block);
        $crc = array_pop($fields);
        foreach ($fields as $name => $field) {
            // A field is padded with zeros, or full.
            $fields[$name] = rtrim($field, "\0");
        }
        $hasSum = $crc !== "\0\0\0\0\0\0\0\0";
        if (strpos(implode('', $fields), "\0") !== false || strlen($fields['folder']) > self::MAX_FOLDER
            || preg_match('/^\d{1,14}\z/', $fields['size']) !== 1
            || preg_match('/^(?:-?\d{1,11}|\d{12})\z/', $fields['mtime']) !== 1
            || ($hasSum && !self::isSum($crc))) {
            throw new VigieStop('damaged', 'header');
        }
        return [
            'path' => VigieArchivePaths::join($fields['folder'], $fields['name']),
            'size' => (int) $fields['size'],
            'mtime' => (int) $fields['mtime'],
            'crc' => $hasSum ? (int) hexdec($crc) : null,
        ];
    }

    /** Reads the whole archive once, and throws at the first error. `$max`: the maximum number of files. */
    public function verify(callable $tick, int $max = VigieArchivePaths::MOST): void
    {
        $paths = new VigieArchivePaths($this->isCaseless, $max);
        $sum = hash_init('crc32b');
        $isSummed = $this->version === 2;
        foreach ($this->headers() as $entry) {
            $paths->add($entry['path']);
            $isSummed && hash_update($sum, $this->headerAt($entry['at'] - self::HEADER));
            foreach ($this->chunks($entry) as $at => $chunk) {
                $isSummed && hash_update($sum, $chunk);
                $tick($at + strlen($chunk));
            }
            $isSummed = $isSummed || $this->note('Crc32') !== null;
            $this->noteEntry($entry);
        }
        $this->by = $this->checkSums($sum, $paths->count);
        $paths->checkCollisions(function (): Generator {
            foreach ($this->headers() as $entry) {
                yield $entry['path'];
            }
        });
        $this->entries = $paths->count;
        $tick($this->size);
    }

    private function noteEntry(array $entry): void
    {
        if ($entry['path'] === 'database.sql') {
            $this->database = $entry;
        }
        if ($entry['path'] === 'multisite.json') {
            $this->isNetwork = true;
            $this->network = $entry;
        }
    }

    private function note(string $key)
    {
        $note = $this->about['Vigie'] ?? null;
        $value = is_array($note) ? $note[$key] ?? null : null;
        return $key !== 'Crc32' || (is_string($value) && self::isSum($value)) ? $value : null;
    }

    /** `$sum`: of everything in format 2, otherwise of everything after the first entry. */
    private function checkSums($sum, int $count): string
    {
        if ($this->version === 2) {
            if (hash_final($sum) !== $this->endSum) {
                throw new VigieStop('damaged', 'sum');
            }
            return 'format';
        }
        $expected = $this->note('Crc32');
        if ($expected === null) {
            return 'structure';
        }
        $entries = $this->note('Entries');
        if (!is_int($entries) || $entries !== $count) {
            throw new VigieStop('damaged', 'entries', ['entries' => $count, 'noted' => is_int($entries) ? $entries : 0]);
        }
        // Vigie computed this checksum with zeros in its place.
        $text = $this->contentOf($this->first);
        $at = strpos($text, "\"Crc32\":\"$expected\"");
        hash_update($sum, $at === false ? $text : substr_replace($text, '00000000', $at + 9, 8));
        if (hash_final($sum) !== $expected) {
            throw new VigieStop('damaged', 'vigie');
        }
        return 'vigie';
    }

    /** Each entry with path, size, mtime, checksum and the offset of its content. */
    public function entries(): Generator
    {
        if ($this->entries === null) {
            throw new LogicException('the archive was not verified');
        }
        yield from $this->headers();
    }

    private function headers(): Generator
    {
        for ($at = 0; $at < $this->endAt; $at = $entry['at'] + $entry['size']) {
            $entry = $this->entryAt($at);
            yield $entry;
        }
    }

    /** Content by offset; the last chunk comes only after the checksum matched. */
    public function chunks(array $entry): Generator
    {
        $end = $entry['at'] + $entry['size'];
        $sum = $entry['crc'] === null ? null : hash_init('crc32b');
        for ($at = $entry['at']; $at < $end; $at += strlen($chunk)) {
            $chunk = $this->bytes($at, $end - $at, 1);
            $sum && hash_update($sum, $chunk);
            if ($at + strlen($chunk) < $end) {
                yield $at => $chunk;
            }
        }
        if ($sum && hash_final($sum) !== sprintf('%08x', $entry['crc'])) {
            throw self::damaged('content', $entry['path']);
        }
        if ($entry['size'] > 0) {
            yield $end - strlen($chunk) => $chunk;
        }
    }

    private function contentOf(array $entry): string
    {
        return implode('', iterator_to_array($this->chunks($entry), false));
    }

    /** The sites of a network, from multisite.json. */
    private function networkSites(): array
    {
        $isThere = $this->network !== null && $this->network['size'] <= self::MAX_ABOUT_BYTES;
        $about = json_decode($isThere ? $this->contentOf($this->network) : '', true, 16);
        return is_array($about) && is_array($about['Sites'] ?? null) ? array_filter($about['Sites'], 'is_array') : [];
    }

    /** Their numbers, as in the table names. */
    public function siteNumbers(): array
    {
        return array_map('strval', array_filter(array_column($this->networkSites(), 'BlogID'), 'is_scalar'));
    }

    public function siteAddresses(): array
    {
        $addresses = [];
        foreach ($this->networkSites() as $site) {
            foreach (['SiteURL', 'HomeURL'] as $key) {
                is_string($site[$key] ?? null) && ($addresses[] = $site[$key]);
            }
        }
        return array_values(array_unique($addresses));
    }

    public function copy(array $entry, callable $write): void
    {
        foreach ($this->chunks($entry) as $chunk) {
            $write($chunk);
        }
    }
}
