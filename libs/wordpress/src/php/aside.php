<?php
/** Writes a rollback copy as a POSIX tar: `vigie.json`, files, tables, and `vigie.end`, which completes it. */
final class VigieAside
{
    private const CHUNK = 262144;
    private $out;
    private $hash;
    private $count = 0;
    private $pieces = 0;

    public function __construct($out, array $about)
    {
        $this->out = $out;
        $this->hash = hash_init('sha256');
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRETTY_PRINT | JSON_PARTIAL_OUTPUT_ON_ERROR;
        $this->text('vigie.json', json_encode($about, $flags) . "\n");
        fflush($out);
    }

    /** Adds the file at `$path` under `$name`; the header describes the opened file, not the path. */
    public function add(string $path, string $name): int
    {
        clearstatcache(true, $path);
        $seen = @lstat($path);
        $kind = $seen ? $seen['mode'] & 0170000 : 0;
        if ($kind === 0120000) {
            $this->head($name, $seen, '2', 0, (string) readlink($path));
        } elseif ($kind === 0040000) {
            $this->head("$name/", $seen, '5', 0);
        } elseif ($kind === 0100000) {
            return $this->file($path, $name, $seen);
        } else {
            throw new VigieStop('wordpress_busy', 'changed');
        }
        $this->count++;
        return 0;
    }

    private function file(string $path, string $name, array $seen): int
    {
        $file = @fopen($path, 'rbn');
        $now = $file ? fstat($file) : false;
        if (!$now || $now['ino'] !== $seen['ino'] || ($now['mode'] & 0170000) !== 0100000) {
            throw new VigieStop($file ? 'wordpress_busy' : 'changes_forbidden', $file ? 'changed' : 'rights', ['path' => $path]);
        }
        $left = $now['size'];
        $this->head($name, $now, '0', $left);
        while ($left > 0) {
            $bytes = fread($file, (int) min(self::CHUNK, $left));
            if ($bytes === false || $bytes === '') {
                throw new VigieStop('wordpress_busy', 'changed');
            }
            $left -= strlen($bytes);
            $this->put($bytes);
        }
        fclose($file);
        $this->pad($now['size']);
        $this->count++;
        return $now['size'];
    }

    /** Adds a piece of the SQL dump; all pieces form one text. */
    public function addTables(string $sql): void
    {
        $this->text(sprintf('tables/%06d.sql', ++$this->pieces), $sql);
        $this->count++;
    }

    public function finish(): void
    {
        $said = ['count' => $this->count, 'sha256' => hash_final(hash_copy($this->hash))];
        $this->text('vigie.end', json_encode($said) . "\n");
        $this->put(str_repeat("\0", 1024));
        if (!fflush($this->out) || (function_exists('fsync') && !@fsync($this->out))) {
            throw new VigieStop('no_room', 'write');
        }
    }

    private function text(string $name, string $text): void
    {
        $this->head($name, ['mode' => 0600, 'mtime' => time(), 'uid' => 0, 'gid' => 0], '0', strlen($text));
        $this->put($text);
        $this->pad(strlen($text));
    }

    private function head(string $name, array $seen, string $type, int $size, string $link = ''): void
    {
        $more = '';
        $more .= strlen($name) > 100 ? self::record('path', $name) : '';
        $more .= strlen($link) > 100 ? self::record('linkpath', $link) : '';
        $more .= $size >= 8 ** 11 ? self::record('size', (string) $size) : '';
        if ($more !== '') {
            $this->block('vigie.long', ['mode' => 0600, 'mtime' => 0, 'uid' => 0, 'gid' => 0], 'x', strlen($more), '');
            $this->put($more);
            $this->pad(strlen($more));
        }
        $this->block(substr($name, 0, 100), $seen, $type, $size < 8 ** 11 ? $size : 0, substr($link, 0, 100));
    }

    /** A pax record: its length includes the digits of the length. */
    private static function record(string $key, string $value): string
    {
        $rest = " $key=$value\n";
        $length = strlen($rest) + 1;
        while (strlen((string) $length) + strlen($rest) !== $length) {
            $length = strlen((string) $length) + strlen($rest);
        }
        return $length . $rest;
    }

    private function block(string $name, array $seen, string $type, int $size, string $link): void
    {
        $octal = static function (int $value, int $digits): string {
            return sprintf("%0{$digits}o\0", $value & (8 ** $digits - 1));
        };
        $start = str_pad($name, 100, "\0") . $octal($seen['mode'] & 07777, 7) . $octal($seen['uid'], 7)
            . $octal($seen['gid'], 7) . $octal($size, 11) . $octal(max(0, $seen['mtime']), 11);
        $end = $type . str_pad($link, 100, "\0") . "ustar\00000" . str_repeat("\0", 247);
        $sum = array_sum(array_map('ord', str_split($start . '        ' . $end)));
        $this->put($start . sprintf("%06o\0 ", $sum) . $end);
    }

    private function pad(int $size): void
    {
        if ($size % 512 !== 0) {
            $this->put(str_repeat("\0", 512 - $size % 512));
        }
    }

    private function put(string $bytes): void
    {
        if (@fwrite($this->out, $bytes) !== strlen($bytes)) {
            throw new VigieStop('no_room', 'write');
        }
        hash_update($this->hash, $bytes);
    }
}
