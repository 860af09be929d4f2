<?php
/** Puts a copy where it was. */
final class VigiePutBack extends VigieReadAside
{
    /** In seconds: visitors wait as long as others hold a table whose place is to be taken. */
    private const PATIENCE = 20;

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
        self::removeFiles($staging);
        try {
            $isThere = is_dir($staging) || @mkdir($staging, 0755);
            $this->must($isThere && @mkdir("$staging/new") && @mkdir("$staging/old"), $staging);
            $tables === null || $tables->load($this->tables());
            $this->unpackOver("$staging/new", $isOver && !$isCore);
            if ($isCore) {
                $text = '<?php $upgrading = ' . time() . ';';
                $this->must(@file_put_contents($maintenance, $text) === strlen($text), $maintenance);
            }
            $until = microtime(true) + self::PATIENCE;
            while (!$this->swap($base, $staging, $tables)) {
                if (microtime(true) >= $until) {
                    throw new VigieStop('not_rolled_back', 'held');
                }
            }
            $tables === null || $tables->complete($this->about['operation']);
            $tables === null || $tables->clearCache();
            VigieItem::remove("$staging/old");
        } finally {
            $tables === null || $tables->undo();
            if ($isCore) {
                @unlink($maintenance);
            }
            // Whatever others hold of what never came to its place, visitors do not wait for.
            $tables === null || $tables->tidy();
            // Whatever could not go back lies there.
            if (array_diff(@scandir("$staging/old") ?: [], ['.', '..']) === []) {
                self::removeFiles($staging);
                // What is said of its tables stays where they are not brought to an end.
                @rmdir($staging);
            }
        }
    }

    private static function removeFiles(string $staging): void
    {
        is_link($staging) && @unlink($staging);
        VigieItem::remove("$staging/new");
        VigieItem::remove("$staging/old");
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
        foreach (VigieFiles::leftBeside($base) as $staging) {
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
