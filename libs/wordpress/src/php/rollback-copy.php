<?php
/** Writes a rollback copy as a POSIX tar: `vigie.json`, files, tables, and `vigie.end`, which completes it. */
final class VigieRollbackCopy
{
    private const CHUNK_BYTES = 262144;
    private $out;
    private $hash;
    private $count = 0;
    private $pieces = 0;

    public function __construct($out, array $about)
    {
        $this->out = $out;
        $this->hash = hash_init('sha256');
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRETTY_PRINT | JSON_PARTIAL_OUTPUT_ON_ERROR;
        $this->addText('vigie.json', json_encode($about, $flags) . "\n");
        fflush($out);
    }

    /** Adds the file at `$path` under `$name`; the header describes the opened file, not the path. */
    public function add(string $path, string $name): int
    {
        clearstatcache(true, $path);
        $stat = @lstat($path);
        $fileType = $stat ? $stat['mode'] & 0170000 : 0;
        if ($fileType === 0120000) {
            $this->header($name, $stat, '2', 0, (string) readlink($path));
        } elseif ($fileType === 0040000) {
            $this->header("$name/", $stat, '5', 0);
        } elseif ($fileType === 0100000) {
            return $this->addContent($path, $name, $stat);
        } else {
            throw new VigieStop('wordpress_busy', 'changed');
        }
        $this->count++;
        return 0;
    }

    private function addContent(string $path, string $name, array $stat): int
    {
        $file = @fopen($path, 'rbn');
        $now = $file ? fstat($file) : false;
        if (!$now || $now['ino'] !== $stat['ino'] || ($now['mode'] & 0170000) !== 0100000) {
            throw new VigieStop($file ? 'wordpress_busy' : 'changes_forbidden', $file ? 'changed' : 'rights', ['path' => $path]);
        }
        $left = $now['size'];
        $this->header($name, $now, '0', $left);
        while ($left > 0) {
            $bytes = fread($file, (int) min(self::CHUNK_BYTES, $left));
            if ($bytes === false || $bytes === '') {
                throw new VigieStop('wordpress_busy', 'changed');
            }
            $left -= strlen($bytes);
            $this->write($bytes);
        }
        fclose($file);
        $this->pad($now['size']);
        $this->count++;
        return $now['size'];
    }

    /** Adds a piece of the SQL dump; all pieces form one text. */
    public function addTables(string $sql): void
    {
        $this->addText(sprintf('tables/%06d.sql', ++$this->pieces), $sql);
        $this->count++;
    }

    public function finish(): void
    {
        $ending = ['count' => $this->count, 'sha256' => hash_final(hash_copy($this->hash))];
        $this->addText('vigie.end', json_encode($ending) . "\n");
        $this->write(str_repeat("\0", 1024));
        if (!fflush($this->out) || (function_exists('fsync') && !@fsync($this->out))) {
            throw new VigieStop('no_room', 'write');
        }
    }

    private function addText(string $name, string $text): void
    {
        $this->header($name, ['mode' => 0600, 'mtime' => time(), 'uid' => 0, 'gid' => 0], '0', strlen($text));
        $this->write($text);
        $this->pad(strlen($text));
    }

    private function header(string $name, array $stat, string $type, int $size, string $link = ''): void
    {
        $records = '';
        $records .= strlen($name) > 100 ? self::paxRecord('path', $name) : '';
        $records .= strlen($link) > 100 ? self::paxRecord('linkpath', $link) : '';
        $records .= $size >= 8 ** 11 ? self::paxRecord('size', (string) $size) : '';
        if ($records !== '') {
            $this->headerBlock('vigie.long', ['mode' => 0600, 'mtime' => 0, 'uid' => 0, 'gid' => 0], 'x', strlen($records), '');
            $this->write($records);
            $this->pad(strlen($records));
        }
        $this->headerBlock(substr($name, 0, 100), $stat, $type, $size < 8 ** 11 ? $size : 0, substr($link, 0, 100));
    }

    /** A pax record: its length includes the digits of the length. */
    private static function paxRecord(string $key, string $value): string
    {
        $rest = " $key=$value\n";
        $length = strlen($rest) + 1;
        while (strlen((string) $length) + strlen($rest) !== $length) {
            $length = strlen((string) $length) + strlen($rest);
        }
        return $length . $rest;
    }

    private function headerBlock(string $name, array $stat, string $type, int $size, string $link): void
    {
        $octal = static function (int $value, int $digits): string {
            return sprintf("%0{$digits}o\0", $value & (8 ** $digits - 1));
        };
        $start = str_pad($name, 100, "\0") . $octal($stat['mode'] & 07777, 7) . $octal($stat['uid'], 7)
            . $octal($stat['gid'], 7) . $octal($size, 11) . $octal(max(0, $stat['mtime']), 11);
        $end = $type . str_pad($link, 100, "\0") . "ustar\00000" . str_repeat("\0", 247);
        $sum = array_sum(array_map('ord', str_split($start . '        ' . $end)));
        $this->write($start . sprintf("%06o\0 ", $sum) . $end);
    }

    private function pad(int $size): void
    {
        if ($size % 512 !== 0) {
            $this->write(str_repeat("\0", 512 - $size % 512));
        }
    }

    private function write(string $bytes): void
    {
        if (@fwrite($this->out, $bytes) !== strlen($bytes)) {
            throw new VigieStop('no_room', 'write');
        }
        hash_update($this->hash, $bytes);
    }
}
