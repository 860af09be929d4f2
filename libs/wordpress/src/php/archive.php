<?php
/** Writes a .wpress archive under a temporary name, completely or not at all, in little memory. */
final class VigieArchive
{
    public const HEADER = 4377;
    private const CHUNK = 524288;
    private const POLYNOMIAL = 0xedb88320;

    public $bytes = 0;
    public $entries = 0;
    private $part;
    private $file;
    private $format;
    private $tick;
    private $openEntry = null;
    /** CRC-32 of everything after the first entry: finished entries, and the small entries since. */
    private $sum = 0;
    private $run;
    private $runBytes = 0;
    private $reserved = 0;
    private static $powers = [];

    public function __construct(string $part, int $format, callable $tick)
    {
        $this->part = $part;
        $this->format = $format;
        $this->tick = $tick;
        $this->run = hash_init('crc32b');
        // The archive contains the site's secrets.
        $mask = umask(0077);
        $this->file = @fopen($part, 'x+b');
        umask($mask);
        if (!$this->file) {
            throw VigieFiles::writeFailure(dirname($part));
        }
        // The lock shows that somebody still writes the file.
        flock($this->file, LOCK_EX | LOCK_NB);
    }

    /** Leaves space for package.json, whose content is known at the end. */
    public function reserve(int $length): void
    {
        $this->reserved = $length;
        $this->write(self::header('package.json', '.', $length, time(), null) . str_repeat(' ', $length));
        $this->entries++;
    }

    public function addText(string $name, string $text): void
    {
        $this->addSmall($name, '.', time(), $text);
    }

    /** Returns false if the file is not regular any more, or unreadable. */
    public function addFile(string $path, string $folder, string $name): bool
    {
        // Mode n: opening a pipe must not block.
        $file = @fopen($path, 'rbn');
        $stat = $file ? fstat($file) : false;
        if (!$stat || ($stat['mode'] & 0170000) !== 0100000) {
            return false;
        }
        // Otherwise PHP reads 8 kB at a time.
        stream_set_read_buffer($file, 0);
        $mtime = max(0, $stat['mtime']);
        if ($stat['size'] > self::CHUNK) {
            $isWhole = $this->addLarge($file, $folder, $name, $stat['size'], $mtime);
        } else {
            $text = $stat['size'] === 0 ? '' : stream_get_contents($file, $stat['size']);
            $isWhole = is_string($text) && ($text !== '' || $stat['size'] === 0 || feof($file));
            if ($isWhole) {
                $this->addSmall($name, $folder, $mtime, $text);
            }
        }
        fclose($file);
        return $isWhole;
    }

    private function addSmall(string $name, string $folder, int $mtime, string $text): void
    {
        $crc = $this->format === 2 ? crc32($text) : null;
        $bytes = self::header($name, $folder, strlen($text), $mtime, $crc) . $text;
        $this->write($bytes);
        hash_update($this->run, $bytes);
        $this->runBytes += strlen($bytes);
        $this->entries++;
    }

    /** Reads at most the size at opening time: a growing file would never end. */
    private function addLarge($file, string $folder, string $name, int $size, int $mtime): bool
    {
        $this->begin($name, $folder, $size, $mtime);
        for ($left = $size; $left > 0; $left -= strlen($text)) {
            $text = @fread($file, min(self::CHUNK, $left));
            if (!is_string($text) || $text === '') {
                break;
            }
            $this->append($text);
        }
        if ($left > 0 && !feof($file)) {
            $this->discard();
            return false;
        }
        $this->end();
        return true;
    }

    /** Starts an entry whose length is known at its end. */
    public function begin(string $name, string $folder, int $size, int $mtime): void
    {
        $this->finishRun();
        $this->openEntry = [$name, $folder, $size, $mtime, $this->bytes, hash_init('crc32b'), 0];
        $this->write(self::header($name, $folder, $size, $mtime, null));
    }

    public function append(string $text): void
    {
        $this->write($text);
        hash_update($this->openEntry[5], $text);
        $this->openEntry[6] += strlen($text);
    }

    public function end(): void
    {
        [$name, $folder, $size, $mtime, $at, $hash, $length] = $this->openEntry;
        $crc = (int) hexdec(hash_final($hash));
        $header = self::header($name, $folder, $length, $mtime, $this->format === 2 ? $crc : null);
        if ($this->format === 2 || $length !== $size) {
            $this->rewrite($at, $header);
        }
        $this->sum = self::combineSums($this->sum, crc32($header), self::HEADER);
        $this->sum = self::combineSums($this->sum, $crc, $length);
        $this->openEntry = null;
        $this->entries++;
    }

    private function discard(): void
    {
        $this->bytes = $this->openEntry[4];
        $this->openEntry = null;
        fseek($this->file, $this->bytes);
        ftruncate($this->file, $this->bytes);
    }

    /** Completes the archive and gives it its name. `$about` returns package.json for a checksum. */
    public function finish(string $target, callable $about): void
    {
        $this->finishRun();
        $text = str_pad($about('00000000'), $this->reserved);
        $sum = self::combineSums($this->sum, crc32($text), $this->reserved);
        $text = str_pad($about(sprintf('%08x', $sum)), $this->reserved);
        if (strlen($text) !== $this->reserved) {
            throw new LogicException('package.json is longer than reserved');
        }
        $header = self::header('package.json', '.', $this->reserved, time(), $this->format === 2 ? crc32($text) : null);
        $this->rewrite(0, $header . $text);
        $rest = $this->bytes - strlen($header . $text);
        $all = sprintf('%08x', self::combineSums(crc32($header . $text), $this->sum, $rest));
        $this->write($this->format === 1 ? str_repeat("\0", self::HEADER) : self::closingBlock($this->bytes, $all));
        $isSafe = fflush($this->file) && (!function_exists('fsync') || fsync($this->file));
        if (!$isSafe || file_exists($target) || !rename($this->part, $target)) {
            throw VigieFiles::writeFailure(dirname($target));
        }
        fclose($this->file);
    }

    /** The closing block of format 2, with the checksum of everything before it. */
    public static function closingBlock(int $length, string $sum): string
    {
        return pack('a255a14a4100', '', (string) $length, '') . $sum;
    }

    private static function header(string $name, string $folder, int $size, int $mtime, ?int $crc): string
    {
        $sum = $crc === null ? '' : sprintf('%08x', $crc);
        return pack('a255a14a12a4088a8', $name, (string) $size, (string) $mtime, $folder, $sum);
    }

    private function write(string $bytes): void
    {
        VigieFiles::write($this->file, $bytes, dirname($this->part));
        $this->bytes += strlen($bytes);
        ($this->tick)($this->bytes);
    }

    private function rewrite(int $at, string $bytes): void
    {
        fseek($this->file, $at);
        VigieFiles::write($this->file, $bytes, dirname($this->part));
        fseek($this->file, $this->bytes);
    }

    private function finishRun(): void
    {
        $crc = (int) hexdec(hash_final($this->run));
        $this->sum = self::combineSums($this->sum, $crc, $this->runBytes);
        $this->run = hash_init('crc32b');
        $this->runBytes = 0;
    }

    /** CRC-32 of two concatenated texts, from their checksums and the length of the second. */
    private static function combineSums(int $first, int $second, int $length): int
    {
        if (self::$powers === []) {
            self::$powers[] = 1 << 30;
            for ($n = 1; $n < 64; $n++) {
                self::$powers[] = self::multiply(self::$powers[$n - 1], self::$powers[$n - 1]);
            }
        }
        $shift = 1 << 31;
        for ($n = 3; $length > 0; $n++, $length >>= 1) {
            if ($length & 1) {
                $shift = self::multiply(self::$powers[$n], $shift);
            }
        }
        return self::multiply($shift, $first) ^ $second;
    }

    /** Multiplies polynomials modulo the one of CRC-32. */
    private static function multiply(int $one, int $other): int
    {
        $product = 0;
        for ($bit = 1 << 31; $bit > 0; $bit >>= 1) {
            if ($one & $bit) {
                $product ^= $other;
            }
            $other = $other & 1 ? ($other >> 1) ^ self::POLYNOMIAL : $other >> 1;
        }
        return $product;
    }
}
