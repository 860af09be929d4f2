<?php
/** Restores a rollback copy. */
final class VigieRollback extends VigieReadRollbackCopy
{
    /** Seconds to wait for tables that other connections lock: visitors wait too. */
    private const LOCK_SECONDS = 20;

    /**
     * Unpacks beside the item, then renames; a repeated run starts again. `$isOver`: the current state is half a change
     * and worthless. `$tables`: restored together with the files.
     */
    public function restore(bool $isOver, ?VigieTablesRestore $tables): void
    {
        $base = (string) $this->about['base'];
        $staging = "$base/.vigie-" . $this->about['operation'];
        $isCore = $this->about['kind'] === 'core';
        $maintenance = "$base/.maintenance";
        $tables === null || $tables->recover($staging);
        self::deleteFiles($staging);
        try {
            $isReady = is_dir($staging) || @mkdir($staging, 0755);
            $this->assertDone($isReady && @mkdir("$staging/new") && @mkdir("$staging/old"), $staging);
            $tables === null || $tables->load($this->tableDump());
            $this->unpackOrMakeRoom("$staging/new", $isOver && !$isCore);
            if ($isCore) {
                $text = '<?php $upgrading = ' . time() . ';';
                $this->assertDone(@file_put_contents($maintenance, $text) === strlen($text), $maintenance);
            }
            $until = microtime(true) + self::LOCK_SECONDS;
            while (!$this->swapFiles($base, $staging, $tables)) {
                if (microtime(true) >= $until) {
                    throw new VigieStop('not_rolled_back', 'held');
                }
            }
            $tables === null || $tables->complete($this->about['operation']);
            $tables === null || $tables->emptyObjectCache();
            VigieItem::remove("$staging/old");
        } finally {
            $tables === null || $tables->undo();
            if ($isCore) {
                @unlink($maintenance);
            }
            // Runs after the site has reopened: dropping locked tables may take long.
            $tables === null || $tables->cleanUp();
            // What could not be moved back lies there.
            if (array_diff(@scandir("$staging/old") ?: [], ['.', '..']) === []) {
                self::deleteFiles($staging);
                // The state file of an unfinished table swap keeps the folder.
                @rmdir($staging);
            }
        }
    }

    private static function deleteFiles(string $staging): void
    {
        is_link($staging) && @unlink($staging);
        VigieItem::remove("$staging/new");
        VigieItem::remove("$staging/old");
    }

    /** Swaps everything or nothing; returns false if other connections lock a table. */
    private function swapFiles(string $base, string $staging, ?VigieTablesRestore $tables): bool
    {
        $moves = [];
        try {
            foreach ($this->about['targets'] as $root) {
                $steps = [["$base/$root", "$staging/old/$root"], ["$staging/new/$root", "$base/$root"]];
                foreach ($steps as [$from, $to]) {
                    if (@lstat($from) !== false) {
                        $this->assertDone(@rename($from, $to), "$base/$root");
                        $moves[] = [$to, $from];
                    }
                }
            }
            if ($tables === null || $tables->swap()) {
                return true;
            }
            self::undoMoves($moves);
            return false;
        } catch (VigieStop $stop) {
            self::undoMoves($moves);
            throw $stop;
        }
    }

    private static function undoMoves(array $moves): void
    {
        foreach (array_reverse($moves) as [$from, $to]) {
            @rename($from, $to);
        }
    }

    /** After a killed rollback: moves back what was moved away and not replaced. */
    public static function recoverLeftovers(string $base): void
    {
        foreach (VigieFiles::leftoverFolders($base) as $staging) {
            foreach (array_diff(@scandir("$staging/old") ?: [], ['.', '..']) as $root) {
                if (@lstat("$base/$root") === false) {
                    @rename("$staging/old/$root", "$base/$root");
                }
            }
            VigieItem::remove($staging);
        }
    }

    private function assertDone(bool $isDone, string $path): void
    {
        if (!$isDone) {
            throw new VigieStop('not_rolled_back', 'place', ['path' => $path]);
        }
    }

    private function unpackOrMakeRoom(string $folder, bool $isOver): void
    {
        try {
            $this->unpack($folder);
        } catch (VigieStop $stop) {
            // There may be no room for both versions; but an unreadable copy replaces nothing.
            if (!$isOver || $stop->facts['why'] === 'copy') {
                throw $stop;
            }
            foreach ($this->about['targets'] as $root) {
                VigieItem::remove($this->about['base'] . "/$root");
            }
            VigieItem::remove($folder);
            $this->assertDone(@mkdir($folder), $folder);
            $this->unpack($folder);
        }
    }

    private function unpack(string $folder): void
    {
        $folders = [];
        $done = 0;
        foreach ($this->verifiedEntries() as [$entry, $read]) {
            if (!$this->isItemFile($entry)) {
                continue;
            }
            $done += 1024 + $entry['size'];
            VigieOperation::reportStep('back', min($done, $this->about['bytes']), $this->about['bytes']);
            $path = $folder . substr(rtrim($entry['name'], '/'), strlen('files'));
            $parent = dirname($path);
            $this->assertDone($parent === $folder || (is_dir($parent) && !is_link($parent)), $path);
            if ($entry['type'] === '5') {
                $this->assertDone(@mkdir($path, 0700), $path);
                $folders[$path] = $entry;
            } elseif ($entry['type'] === '2') {
                $this->assertDone(@symlink($entry['link'], $path), $path);
            } else {
                $this->assertDone($this->writeFile($path, $entry, $read), $path);
            }
        }
        foreach (array_reverse($folders, true) as $path => $entry) {
            $path = (string) $path;
            self::setGroup($path, $entry['gid']);
            $this->assertDone(@chmod($path, $entry['mode']), $path);
            @touch($path, $entry['mtime']);
        }
    }

    /** The web server may have access through the group only; a failure is ignored. */
    private static function setGroup(string $path, int $group): void
    {
        if (function_exists('chgrp')) {
            @chgrp($path, $group);
        }
    }

    private function writeFile(string $path, array $entry, callable $read): bool
    {
        $file = @fopen($path, 'xb');
        $isDone = $file && $read($file) === true && fflush($file);
        if ($file) {
            fclose($file);
        }
        self::setGroup($path, $entry['gid']);
        return $isDone && @chmod($path, $entry['mode']) && @touch($path, $entry['mtime']);
    }
}
