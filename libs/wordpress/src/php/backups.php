<?php
/** Manages the archives in a site's backups folder. Actions that stream bytes print nothing else. */
final class VigieBackups
{
    private const CHUNK = 524288;
    private const MAX_ARCHIVES = 1000;
    private const MAX_NAMES = 50000;
    /** Bytes kept free for everybody else on the disk. */
    private const RESERVED_BYTES = 67108864;
    /** PHP's own code uses no instructions of the processor for SHA-256, and takes up to eight times as long. */
    private const HASHER = ['sh', '-c', 'command -v openssl >/dev/null && exec openssl dgst -sha256 -r; exec sha256sum'];

    private $order;
    private $folder;
    private $path;
    private $part;

    public static function run(): void
    {
        set_time_limit(0);
        $self = new self();
        $self->order = VigieAnswer::readInput();
        $content = rtrim($self->order['content'] ?? getcwd() . '/wp-content', '/');
        $self->folder = $content . '/' . VigieBackupsFolder::NAME;
        $self->path = $self->folder . '/' . basename($self->order['name']);
        $self->part = "$self->folder/.vigie-" . basename($self->order['operation']) . VigieBackupsFolder::UPLOAD_SUFFIX;
        $actions = ['read', 'write', 'look', 'facts', 'prepare', 'place', 'drop', 'remove'];
        $action = $self->order['action'];
        if (!in_array($action, $actions, true) || PHP_INT_SIZE < 8) {
            exit(98);
        }
        if (is_link($self->folder) && $action !== 'prepare') {
            exit(self::answer(['is' => 'link', 'path' => $self->folder]));
        }
        exit($self->$action());
    }

    private static function answer(array $data): int
    {
        VigieAnswer::send($data);
        return 0;
    }

    private function look(): int
    {
        $free = @disk_free_space(is_dir($this->folder) ? $this->folder : dirname($this->folder));
        self::answer(['is' => 'folder', 'path' => $this->folder, 'free' => $free === false ? null : (int) $free]);
        $archives = [];
        $handle = @opendir($this->folder);
        for ($n = 0; $handle && $n < self::MAX_NAMES && ($name = readdir($handle)) !== false; $n++) {
            $stat = substr($name, -7) === '.wpress' ? VigieBackupsFolder::statFile("$this->folder/$name") : null;
            if ($stat) {
                $archives[] = ['name' => $name, 'size' => $stat['size'], 'mtime' => max(0, $stat['mtime'])];
            }
        }
        usort($archives, static function (array $one, array $other): int {
            return [$other['mtime'], $other['name']] <=> [$one['mtime'], $one['name']];
        });
        foreach (array_chunk(array_slice($archives, 0, self::MAX_ARCHIVES), 200) as $files) {
            self::answer(['is' => 'files', 'files' => $files]);
        }
        return 0;
    }

    private function facts(): int
    {
        $stat = VigieBackupsFolder::statFile($this->path);
        if (!$stat) {
            return self::answer(['is' => 'absent']);
        }
        $hash = empty($this->order['hashed']) ? null : self::sha256($this->path);
        if ($hash === '') {
            return self::answer(['is' => 'unreadable']);
        }
        return self::answer(['is' => 'facts', 'size' => $stat['size'], 'mtime' => max(0, $stat['mtime']), 'sha256' => $hash]);
    }

    private function read(): int
    {
        $file = VigieBackupsFolder::statFile($this->path) ? @fopen($this->path, 'rbn') : false;
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
            if (!self::writeAll($out, $text)) {
                return 74;
            }
        }
        return 0;
    }

    private function prepare(): int
    {
        // A site may have lost its content folder, and the archive to restore goes there.
        is_dir(dirname($this->folder)) || @mkdir(dirname($this->folder), 0755);
        $why = VigieBackupsFolder::create($this->folder);
        if ($why !== null) {
            $path = $why === 'absent' ? dirname($this->folder) : $this->folder;
            return self::answer(['is' => $why === 'link' ? 'link' : 'denied', 'path' => $path]);
        }
        VigieBackupsFolder::deleteAbandonedParts($this->folder, $this->part);
        $stat = VigieBackupsFolder::statFile($this->part);
        $have = $stat && $stat['size'] <= $this->order['size'] ? $stat['size'] : 0;
        // Refreshes the time, so that no sweep deletes the part during a long upload.
        $have > 0 ? @touch($this->part) : @unlink($this->part);
        $free = @disk_free_space($this->folder);
        $needed = $this->order['size'] - $have + self::RESERVED_BYTES;
        if ($free !== false && $needed > $free) {
            return self::answer(['is' => 'full', 'needed' => $needed, 'free' => (int) $free]);
        }
        return self::answer(['is' => 'ready', 'have' => $have]);
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
            if (!self::writeAll($file, $text)) {
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
        if (!$file && $this->isComplete($this->path)) {
            return self::answer(['is' => 'placed']);
        }
        if (!$file || !$this->isComplete($this->part)) {
            @unlink($this->part);
            return self::answer(['is' => 'differs']);
        }
        empty($this->order['mtime']) || @touch($this->part, $this->order['mtime']);
        if (!@link($this->part, $this->path)) {
            $isThere = @lstat($this->path) !== false;
            if ($isThere || !@rename($this->part, $this->path)) {
                @unlink($this->part);
                return self::answer(['is' => !$isThere ? 'denied' : ($this->isComplete($this->path) ? 'placed' : 'exists')]);
            }
        }
        @unlink($this->part);
        return self::answer(['is' => 'placed']);
    }

    private function isComplete(string $path): bool
    {
        $stat = VigieBackupsFolder::statFile($path);
        return $stat && $stat['size'] === $this->order['size'] && self::sha256($path) === $this->order['sha256'];
    }

    /** Empty if the file cannot be read. */
    private static function sha256(string $path): string
    {
        $file = function_exists('proc_open') ? @fopen($path, 'rbn') : false;
        $outputs = [1 => ['pipe', 'w'], 2 => ['file', '/dev/null', 'w']];
        $process = $file ? proc_open(self::HASHER, [$file] + $outputs, $pipes) : false;
        $printed = $process ? (string) stream_get_contents($pipes[1]) : '';
        if ($process && proc_close($process) === 0 && preg_match('/^[0-9a-f]{64}\b/', $printed, $match) === 1) {
            return $match[0];
        }
        return (string) @hash_file('sha256', $path);
    }

    private function drop(): int
    {
        @unlink($this->part);
        return self::answer(['is' => 'removed']);
    }

    private function remove(): int
    {
        if (!VigieBackupsFolder::statFile($this->path)) {
            return self::answer(['is' => 'absent']);
        }
        return self::answer(@unlink($this->path) ? ['is' => 'removed'] : ['is' => 'denied', 'path' => $this->folder]);
    }

    private static function writeAll($file, string $text): bool
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
