<?php
/**
 * Swaps staged files and tables into a site. All moves are written down first, so that a later process can finish or
 * undo them; where each file lies shows which moves were made.
 */
final class VigieSwap
{
    private const PUT = 'p';
    private const DROP = 'd';
    private const MAX_DEPTH = 200;
    /** Attempts to lock, a tenth of a second apart. */
    private const LOCK_ATTEMPTS = 300;
    /** Seconds to wait for tables that other connections lock: visitors wait too. */
    private const LOCK_SECONDS = 20;

    /** Target folders, with the folder of their new and old files. */
    public $areas = [];
    public $state = ['home' => null, 'began' => false, 'tables' => [], 'views' => [], 'note' => [], 'safety' => null];
    public $puts = 0;
    public $drops = 0;
    /** Called between moves, so that a long swap keeps the site closed. */
    public $onMove = null;
    private $folder;
    private $operation;
    private $moves = null;
    private $mounts = [];
    private $lock = null;

    private function __construct(string $content, string $operation)
    {
        $this->operation = $operation;
        $this->folder = "$content/.vigie-swap-$operation";
    }

    public static function begin(VigieSite $site, string $operation): self
    {
        $swap = new self($site->content, $operation);
        if (!@mkdir($swap->folder, 0700)) {
            throw new VigieStop('not_writable', 'folder', ['path' => $site->content]);
        }
        $swap->lock();
        $swap->state['home'] = self::siteId($site);
        $swap->saveState();
        return $swap;
    }

    /** A copied site contains this folder too, but it describes the original site. */
    private static function siteId(VigieSite $site): string
    {
        return sha1(realpath($site->content) . "\0$site->prefix");
    }

    /** The folder of a restore, even if it may describe another site. */
    public static function stateFolderOf(VigieSite $site, string $operation): ?string
    {
        $folder = (new self($site->content, $operation))->folder;
        return is_dir($folder) ? $folder : null;
    }

    /** Null if there is none for this site; locked from now on. */
    public static function find(VigieSite $site, string $operation): ?self
    {
        $swap = new self($site->content, $operation);
        if (!is_dir($swap->folder)) {
            return null;
        }
        $swap->lock();
        $text = @file_get_contents("$swap->folder/facts.json");
        $saved = json_decode((string) $text, true, 16);
        if ($text !== false && !is_array($saved)) {
            throw new VigieStop('died', '', ['words' => "$swap->folder/facts.json"]);
        }
        $siteId = self::siteId($site);
        if (($saved['facts']['home'] ?? $siteId) !== $siteId) {
            return null;
        }
        $swap->areas = $saved['areas'] ?? [];
        $swap->state = ($saved['facts'] ?? []) + $swap->state;
        return $swap;
    }

    /** Locks the state until this process ends; a killed process may take a moment to go. */
    private function lock(): void
    {
        $this->lock = @fopen("$this->folder/lock", 'cb');
        for ($tries = self::LOCK_ATTEMPTS; !$this->lock || !flock($this->lock, LOCK_EX | LOCK_NB); $tries--) {
            if ($tries === 0 || !$this->lock) {
                throw new VigieStop('busy', '', ['path' => $this->folder]);
            }
            usleep(100000);
        }
    }

    /** Operations that left a state folder. */
    public static function leftovers(VigieSite $site): array
    {
        $names = preg_grep('~^\.vigie-swap-[0-9a-f-]{36}$~D', self::listNames($site->content));
        return array_map(static function (string $name): string {
            return substr($name, strlen('.vigie-swap-'));
        }, array_values((array) $names));
    }

    public function saveState(): void
    {
        $saved = ['areas' => $this->areas, 'facts' => $this->state];
        $text = json_encode($saved, JSON_INVALID_UTF8_SUBSTITUTE, 16);
        if ($text === false) {
            throw new VigieStop('died', '', ['words' => json_last_error_msg()]);
        }
        $this->writeFile('facts.json', $text);
    }

    private function writeFile(string $name, string $text): void
    {
        if (!VigieFiles::writeAtomically("$this->folder/$name", $text)) {
            throw new VigieStop('no_room', 'write');
        }
    }

    /** `$judge`: by area and path, the fate of a path that is not in the archive: 'drop', 'stay' or 'below'. */
    public function plan(callable $judge): void
    {
        $this->mounts = array_keys(VigieStaging::mounts());
        [$this->puts, $this->drops] = [0, 0];
        $this->moves = fopen("$this->folder/moves.part", 'wb');
        foreach (array_keys($this->areas) as $at) {
            $this->planBelow($at, '', $judge, 0);
        }
        fflush($this->moves);
        function_exists('fsync') && fsync($this->moves);
        if (!fclose($this->moves) || !rename("$this->folder/moves.part", "$this->folder/moves")) {
            throw new VigieStop('no_room', 'write');
        }
    }

    private function planBelow(int $at, string $path, callable $judge, int $depth): void
    {
        $this->tick();
        ['root' => $root, 'stage' => $stage] = $this->areas[$at];
        $below = $path === '' ? '' : "$path/";
        foreach (self::listNames("$stage/new/$path") as $name) {
            $isFolder = is_dir("$stage/new/$below$name");
            if ($isFolder && self::isFolder("$root/$below$name") && $depth < self::MAX_DEPTH) {
                $this->planBelow($at, "$below$name", $judge, $depth + 1);
            } else {
                $this->noteMove(self::PUT, $at, "$below$name");
                $this->puts++;
            }
        }
        foreach (self::listNames("$root/$path") as $name) {
            $target = "$root/$below$name";
            if (self::exists("$stage/new/$below$name") || $this->isMountOrArea($target)) {
                continue;
            }
            $verdict = $judge($at, "$below$name");
            if ($verdict === 'below' && self::isFolder($target) && $depth < self::MAX_DEPTH) {
                $this->planBelow($at, "$below$name", $judge, $depth + 1);
            } elseif ($verdict === 'drop') {
                $this->noteMove(self::DROP, $at, "$below$name");
                $this->drops++;
            }
        }
    }

    /** A mount point cannot be moved, and another area has its own plan. */
    private function isMountOrArea(string $target): bool
    {
        $real = (string) realpath($target);
        foreach (array_merge(array_column($this->areas, 'root'), $this->mounts) as $other) {
            if ($other === $target || $other === $real || strpos($other, "$target/") === 0) {
                return true;
            }
        }
        return false;
    }

    private function noteMove(string $kind, int $at, string $path): void
    {
        $line = "$kind$at $path\0";
        if (@fwrite($this->moves, $line) !== strlen($line)) {
            throw new VigieStop('no_room', 'write');
        }
    }

    private static function listNames(string $folder): array
    {
        return array_values(array_diff(@scandir($folder, SCANDIR_SORT_NONE) ?: [], ['.', '..']));
    }

    /** A link to a folder is none: writing through it would end up elsewhere. */
    private static function isFolder(string $path): bool
    {
        return is_dir($path) && !is_link($path);
    }

    private function notedMoves(): Generator
    {
        $file = @fopen("$this->folder/moves", 'rb');
        while ($file && ($line = stream_get_line($file, 16384, "\0")) !== false) {
            yield $line;
        }
        $file && fclose($file);
    }

    /** Kind, target path, new path and old path of a move. */
    private function pathsOf(string $line): array
    {
        [$head, $path] = explode(' ', $line, 2);
        ['root' => $root, 'stage' => $stage] = $this->areas[(int) substr($head, 1)];
        return [$head[0], "$root/$path", "$stage/new/$path", "$stage/old/$path"];
    }

    /** Makes all moves, then swaps the tables in one statement. */
    public function apply(VigieTableSwap $tables): void
    {
        $this->state['began'] = true;
        $this->saveState();
        foreach ($this->notedMoves() as $line) {
            $this->tick();
            [$kind, $target, $new, $old] = $this->pathsOf($line);
            if (self::exists($target)) {
                if (self::exists($old)) {
                    throw new VigieStop('not_moved', '', ['path' => $target, 'words' => 'twice']);
                }
                self::makeFolder(dirname($old));
                self::move($target, $old);
            }
            if ($kind === self::PUT) {
                self::move($new, $target);
            }
        }
        for ($until = microtime(true) + self::LOCK_SECONDS; !$tables->swap();) {
            $this->tick();
            if (microtime(true) >= $until) {
                throw new VigieStop('held');
            }
        }
    }

    private function tick(): void
    {
        $this->onMove === null || ($this->onMove)();
    }

    /** Moves everything back; the staged tables are dropped later. */
    public function undo(VigieTableSwap $tables): void
    {
        if (!is_file("$this->folder/undone")) {
            $this->moveAllBack($tables);
            // From now on the staged tables hold nothing of the site.
            $this->writeFile('undone', '');
        }
    }

    private function moveAllBack(VigieTableSwap $tables): void
    {
        $tables->undo();
        $moves = $this->state['began'] ? iterator_to_array($this->notedMoves(), false) : [];
        foreach (array_reverse($moves) as $line) {
            $this->tick();
            [$kind, $target, $new, $old] = $this->pathsOf($line);
            if ($kind === self::PUT && !self::exists($new) && self::exists($target)) {
                self::move($target, $new);
            }
            if (self::exists($old)) {
                // A file that appeared meanwhile only stands for the one that comes back.
                if (!self::delete($target)) {
                    throw new VigieStop('not_moved', '', ['path' => $target, 'words' => 'not removed']);
                }
                self::move($old, $target);
            }
        }
    }

    private static function exists(string $target): bool
    {
        clearstatcache(true, $target);
        return @lstat($target) !== false;
    }

    public function isKept(): bool
    {
        return is_file("$this->folder/kept");
    }

    /** From now on the restore only goes forward. */
    public function markKept(): void
    {
        $this->writeFile('kept', '');
    }

    /**
     * Deletes the staged and old files, and the state last. Returns folders that could not be deleted. `$isTriedAgain`:
     * keeps the state for another attempt.
     */
    public function deleteStaged(bool $isTriedAgain): array
    {
        $undeleted = [];
        foreach ($this->areas as ['stage' => $stage]) {
            self::delete($stage) || ($undeleted[] = $stage);
        }
        if ($undeleted !== [] && $isTriedAgain) {
            return $undeleted;
        }
        foreach (['facts.json', 'moves', 'lock'] as $name) {
            @unlink("$this->folder/$name");
        }
        return self::delete($this->folder) ? $undeleted : array_merge($undeleted, [$this->folder]);
    }

    private static function makeFolder(string $folder): void
    {
        if (!is_dir($folder) && !@mkdir($folder, 0700, true)) {
            throw new VigieStop('not_writable', 'folder', ['path' => $folder]);
        }
    }

    private static function move(string $from, string $to): void
    {
        if (!@rename($from, $to)) {
            $words = (string) (error_get_last()['message'] ?? '');
            throw new VigieStop('not_moved', '', ['path' => $from, 'words' => $words]);
        }
    }

    public static function delete(string $path): bool
    {
        // Most paths are files: saves a stat.
        if (@unlink($path)) {
            return true;
        }
        if (!self::isFolder($path)) {
            return !self::exists($path);
        }
        @chmod($path, 0700);
        foreach (self::listNames($path) as $name) {
            self::delete("$path/$name");
        }
        return @rmdir($path);
    }
}
