<?php
/** Checks that each path of an archive stays below its root, and names one file or one folder, once. */
final class VigieArchivePaths
{
    public const MOST = 1000000;
    private const MOST_BYTES = 67108864;
    private const LONGEST = 4095;
    private const LONGEST_PART = 255;
    /** Each parent folder is remembered, and one name may have thousands. */
    private const MOST_PARTS = 128;
    /** Bytes kept of a digest: there may be a million files. A chance collision is refused, nothing is lost. */
    private const KEPT = 12;

    public $count = 0;
    private $bytes = 0;
    private $most;
    private $isCaseless;
    /** Concatenated digests of files and of folders, by their first byte. */
    private $files = [];
    private $folders = [];
    private $folderCount = 0;
    private $compactAt = 100000;
    private $last = '';

    /** `$isCaseless`: for a disk that ignores case. */
    public function __construct(bool $isCaseless, int $most)
    {
        $this->isCaseless = $isCaseless;
        $this->most = $most;
    }

    /** The path that a header names. */
    public static function join(string $folder, string $name): string
    {
        if (strpos($name, '/') !== false) {
            throw self::stop('dangerous_path', '', $name);
        }
        $path = $folder === '.' || $folder === '' ? $name : "$folder/$name";
        if (!self::isSafe($path)) {
            throw self::stop('dangerous_path', '', $path);
        }
        return $path;
    }

    public static function stop(string $code, string $why, string $path): VigieStop
    {
        return new VigieStop($code, $why, ['path' => substr($path, 0, 300)]);
    }

    private static function isSafe(string $path): bool
    {
        if (strlen($path) > self::LONGEST
            || preg_match('~[\x00-\x1f\x7f\\\\]|^[a-z]:|^[a-z][a-z0-9+.-]*:/~i', $path) === 1) {
            return false;
        }
        $parts = explode('/', $path);
        foreach ($parts as $part) {
            if ($part === '' || $part === '.' || $part === '..' || strlen($part) > self::LONGEST_PART) {
                return false;
            }
        }
        return count($parts) <= self::MOST_PARTS;
    }

    public function add(string $path): void
    {
        $this->bytes += strlen($path);
        if (++$this->count > $this->most || $this->bytes > self::MOST_BYTES) {
            throw new VigieStop('too_many', 'entries', ['entries' => $this->count - 1]);
        }
        $place = $this->placeOf($path);
        self::note($this->files, $place);
        $slash = strrpos($place, '/');
        $folder = $slash === false ? '' : substr($place, 0, $slash);
        if ($folder !== $this->last) {
            $this->addFolders($folder);
            $this->last = $folder;
        }
    }

    /** Notes the parent folders that the previous path did not have. */
    private function addFolders(string $folder): void
    {
        $known = "$this->last/";
        for ($at = strlen($folder); $at > 0; $at = (int) strrpos($folder, '/')) {
            $folder = substr($folder, 0, $at);
            if (strpos($known, "$folder/") === 0) {
                break;
            }
            self::note($this->folders, $folder);
            $this->folderCount++;
        }
        if ($this->folderCount > $this->compactAt) {
            $this->compact();
        }
    }

    /** Removes duplicates: a folder is noted again when its files do not follow each other. */
    private function compact(): void
    {
        $this->folderCount = 0;
        foreach ($this->folders as $first => $digests) {
            $once = array_unique(str_split($digests, self::KEPT), SORT_STRING);
            $this->folders[$first] = implode('', $once);
            $this->folderCount += count($once);
        }
        if ($this->folderCount > self::MOST) {
            throw new VigieStop('too_many', 'folders', ['entries' => self::MOST]);
        }
        $this->compactAt = max(100000, 2 * $this->folderCount);
    }

    private static function note(array &$all, string $place): void
    {
        $digest = self::digest($place);
        if (!isset($all[$digest[0]])) {
            $all[$digest[0]] = '';
        }
        $all[$digest[0]] .= $digest;
    }

    private static function digest(string $place): string
    {
        return substr(sha1($place, true), 0, self::KEPT);
    }

    /** Throws if two paths would be one place on the disk. `$paths` lists all paths again, to name the culprit. */
    public function judge(callable $paths): void
    {
        $this->compact();
        foreach ($this->files as $first => $digests) {
            $files = array_count_values(str_split($digests, self::KEPT));
            if (max($files) > 1) {
                throw $this->collision('twice', (string) array_search(max($files), $files, true), $paths());
            }
            foreach (isset($this->folders[$first]) ? str_split($this->folders[$first], self::KEPT) : [] as $folder) {
                if (isset($files[$folder])) {
                    throw $this->collision('both', $folder, $paths());
                }
            }
        }
    }

    private function collision(string $why, string $digest, iterable $paths): VigieStop
    {
        foreach ($paths as $path) {
            if (self::digest($this->placeOf($path)) === $digest) {
                return self::stop('collision', $why, $path);
            }
        }
        return new VigieStop('damaged', 'changed');
    }

    private function placeOf(string $path): string
    {
        if (!$this->isCaseless) {
            return $path;
        }
        if (preg_match('//u', $path) !== 1 || !function_exists('mb_strtolower')) {
            return strtolower($path);
        }
        $whole = class_exists('Normalizer') ? Normalizer::normalize($path) : false;
        return mb_strtolower($whole === false ? $path : $whole, 'UTF-8');
    }
}
