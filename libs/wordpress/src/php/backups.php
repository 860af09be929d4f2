<?php
/** Manages the archives in a site's backups folder. Actions that stream bytes print nothing else. */
final class VigieBackups
{
    private const CHUNK = 524288;
    private const MOST = 1000;
    private const MOST_NAMES = 50000;
    /** Bytes kept free for everybody else on the disk. */
    private const KEPT = 67108864;

    private $order;
    private $folder;
    private $path;
    private $part;

    public static function run(): void
    {
        set_time_limit(0);
        $self = new self();
        $self->order = VigieSay::open();
        $content = rtrim($self->order['content'] ?? getcwd() . '/wp-content', '/');
        $self->folder = $content . '/' . VigieFolder::NAME;
        $self->path = $self->folder . '/' . basename($self->order['name']);
        $self->part = "$self->folder/.vigie-" . basename($self->order['operation']) . VigieFolder::SENT;
        $deeds = ['read', 'write', 'look', 'facts', 'prepare', 'place', 'drop', 'remove'];
        $deed = $self->order['action'];
        if (!in_array($deed, $deeds, true) || PHP_INT_SIZE < 8) {
            exit(98);
        }
        if (is_link($self->folder) && $deed !== 'prepare') {
            exit(self::say(['is' => 'link', 'path' => $self->folder]));
        }
        exit($self->$deed());
    }

    private static function say(array $what): int
    {
        VigieSay::line($what);
        return 0;
    }

    private function look(): int
    {
        $free = @disk_free_space(is_dir($this->folder) ? $this->folder : dirname($this->folder));
        self::say(['is' => 'folder', 'path' => $this->folder, 'free' => $free === false ? null : (int) $free]);
        $found = [];
        $open = @opendir($this->folder);
        for ($n = 0; $open && $n < self::MOST_NAMES && ($name = readdir($open)) !== false; $n++) {
            $seen = substr($name, -7) === '.wpress' ? VigieFolder::seen("$this->folder/$name") : null;
            if ($seen) {
                $found[] = ['name' => $name, 'size' => $seen['size'], 'mtime' => max(0, $seen['mtime'])];
            }
        }
        usort($found, static function (array $one, array $other): int {
            return [$other['mtime'], $other['name']] <=> [$one['mtime'], $one['name']];
        });
        foreach (array_chunk(array_slice($found, 0, self::MOST), 200) as $files) {
            self::say(['is' => 'files', 'files' => $files]);
        }
        return 0;
    }

    private function facts(): int
    {
        $seen = VigieFolder::seen($this->path);
        if (!$seen) {
            return self::say(['is' => 'absent']);
        }
        $sum = empty($this->order['hashed']) ? null : @hash_file('sha256', $this->path);
        if ($sum === false) {
            return self::say(['is' => 'unreadable']);
        }
        return self::say(['is' => 'facts', 'size' => $seen['size'], 'mtime' => max(0, $seen['mtime']), 'sha256' => $sum]);
    }

    private function read(): int
    {
        $file = VigieFolder::seen($this->path) ? @fopen($this->path, 'rbn') : false;
        if (!$file) {
            return self::fail('cannot be read', 66);
        }
        $out = fopen('php://stdout', 'wb');
        stream_set_read_buffer($file, 0);
        fseek($file, $this->order['from']);
        for ($left = $this->order['length'] ?? PHP_INT_MAX; $left > 0; $left -= strlen($text)) {
            $text = fread($file, min(self::CHUNK, $left));
            if (!is_string($text) || $text === '') {
                break;
            }
            if (!self::put($out, $text)) {
                return 74;
            }
        }
        return 0;
    }

    private function prepare(): int
    {
        // A site may have lost its content folder, and the archive to restore goes there.
        is_dir(dirname($this->folder)) || @mkdir(dirname($this->folder), 0755);
        $why = VigieFolder::make($this->folder);
        if ($why !== null) {
            $path = $why === 'absent' ? dirname($this->folder) : $this->folder;
            return self::say(['is' => $why === 'link' ? 'link' : 'denied', 'path' => $path]);
        }
        VigieFolder::sweep($this->folder, $this->part);
        $seen = VigieFolder::seen($this->part);
        $have = $seen && $seen['size'] <= $this->order['size'] ? $seen['size'] : 0;
        // Refreshes the time, so that no sweep deletes the part during a long upload.
        $have > 0 ? @touch($this->part) : @unlink($this->part);
        $free = @disk_free_space($this->folder);
        $needed = $this->order['size'] - $have + self::KEPT;
        if ($free !== false && $needed > $free) {
            return self::say(['is' => 'full', 'needed' => $needed, 'free' => (int) $free]);
        }
        return self::say(['is' => 'ready', 'have' => $have]);
    }

    /** An interrupted upload keeps its part, and continues from its size. */
    private function write(): int
    {
        $from = $this->order['from'];
        $in = @fopen('php://fd/7', 'rb');
        umask(0077);
        $file = @fopen($this->part, $from > 0 ? 'r+b' : 'xb');
        if (!$in || !$file) {
            return self::fail((string) (error_get_last()['message'] ?? ''), 73);
        }
        // The lock shows that somebody still writes the part.
        flock($file, LOCK_EX | LOCK_NB);
        stream_set_read_buffer($in, 0);
        fseek($file, $from);
        while (is_string($text = fread($in, self::CHUNK)) && $text !== '') {
            if (!self::put($file, $text)) {
                return self::fail((string) (error_get_last()['message'] ?? ''), 74);
            }
        }
        if (!fflush($file) || (function_exists('fsync') && !@fsync($file))) {
            return self::fail((string) (error_get_last()['message'] ?? ''), 74);
        }
        return 0;
    }

    /** Gives the upload its name if it is complete, and never replaces another file. */
    private function place(): int
    {
        $file = @fopen($this->part, 'r+b');
        $file && flock($file, LOCK_EX | LOCK_NB);
        // An earlier attempt may have succeeded without its answer arriving.
        if (!$file && $this->isWhole($this->path)) {
            return self::say(['is' => 'placed']);
        }
        if (!$file || !$this->isWhole($this->part)) {
            @unlink($this->part);
            return self::say(['is' => 'differs']);
        }
        empty($this->order['mtime']) || @touch($this->part, $this->order['mtime']);
        if (!@link($this->part, $this->path)) {
            $isThere = @lstat($this->path) !== false;
            if ($isThere || !@rename($this->part, $this->path)) {
                @unlink($this->part);
                return self::say(['is' => !$isThere ? 'denied' : ($this->isWhole($this->path) ? 'placed' : 'exists')]);
            }
        }
        @unlink($this->part);
        return self::say(['is' => 'placed']);
    }

    private function isWhole(string $path): bool
    {
        $seen = VigieFolder::seen($path);
        return $seen && $seen['size'] === $this->order['size'] && @hash_file('sha256', $path) === $this->order['sha256'];
    }

    private function drop(): int
    {
        @unlink($this->part);
        return self::say(['is' => 'removed']);
    }

    private function remove(): int
    {
        if (!VigieFolder::seen($this->path)) {
            return self::say(['is' => 'absent']);
        }
        return self::say(@unlink($this->path) ? ['is' => 'removed'] : ['is' => 'denied', 'path' => $this->folder]);
    }

    private static function put($file, string $text): bool
    {
        $length = strlen($text);
        for ($done = 0; $done < $length; $done += $count) {
            $count = @fwrite($file, $done === 0 ? $text : substr($text, $done));
            if (!$count) {
                return false;
            }
        }
        return true;
    }

    private static function fail(string $why, int $code): int
    {
        fwrite(fopen('php://stderr', 'wb'), "$why\n");
        return $code;
    }
}

VigieBackups::run();
