<?php
/** Checks that each path of an archive stays below its root, and names one file or one folder, once. */
final class VigieArchivePaths
{
    public const MOST = 1000000;
    private const MAX_BYTES = 67108864;
    private const MAX_PATH = 4095;
    private const MAX_NAME = 255;
    /** Each parent folder is remembered, and one name may have thousands. */
    private const MAX_DEPTH = 128;
    /** Bytes kept of a digest: there may be a million files. A chance collision is refused, nothing is lost. */
    private const DIGEST_BYTES = 12;

    public $count = 0;
    private $bytes = 0;
    private $max;
    private $isCaseless;
    /** Concatenated digests of files and of folders, by their first byte. */
    private $files = [];
    private $folders = [];
    private $folderCount = 0;
    private $compactAt = 100000;
    private $lastFolder = '';

    /** `$isCaseless`: for a disk that ignores case. */
    public function __construct(bool $isCaseless, int $max)
    {
        $this->isCaseless = $isCaseless;
        $this->max = $max;
    }

    public static function join(string $folder, string $name): string
    {
        if (strpos($name, '/') !== false) {
            throw self::failure('dangerous_path', '', $name);
        }
        $path = $folder === '.' || $folder === '' ? $name : "$folder/$name";
        if (!self::isSafe($path)) {
            throw self::failure('dangerous_path', '', $path);
        }
        return $path;
    }

    public static function failure(string $code, string $why, string $path): VigieStop
    {
        return new VigieStop($code, $why, ['path' => substr($path, 0, 300)]);
    }

    private static function isSafe(string $path): bool
    {
        if (strlen($path) > self::MAX_PATH
            || preg_match('~[\x00-\x1f\x7f\\\\]|^[a-z]:|^[a-z][a-z0-9+.-]*:/~i', $path) === 1) {
            return false;
        }
        $parts = explode('/', $path);
        foreach ($parts as $part) {
            if ($part === '' || $part === '.' || $part === '..' || strlen($part) > self::MAX_NAME) {
                return false;
            }
        }
        return count($parts) <= self::MAX_DEPTH;
    }

    public function add(string $path): void
    {
        $this->bytes += strlen($path);
        if (++$this->count > $this->max || $this->bytes > self::MAX_BYTES) {
            throw new VigieStop('too_many', 'entries', ['entries' => $this->count - 1]);
        }
        $key = $this->normalized($path);
        self::addDigest($this->files, $key);
        $slash = strrpos($key, '/');
        $folder = $slash === false ? '' : substr($key, 0, $slash);
        if ($folder !== $this->lastFolder) {
            $this->addFolders($folder);
            $this->lastFolder = $folder;
        }
    }

    /** Notes the parent folders that the previous path did not have. */
    private function addFolders(string $folder): void
    {
        $previous = "$this->lastFolder/";
        for ($at = strlen($folder); $at > 0; $at = (int) strrpos($folder, '/')) {
            $folder = substr($folder, 0, $at);
            if (strpos($previous, "$folder/") === 0) {
                break;
            }
            self::addDigest($this->folders, $folder);
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
            $once = array_unique(str_split($digests, self::DIGEST_BYTES), SORT_STRING);
            $this->folders[$first] = implode('', $once);
            $this->folderCount += count($once);
        }
        if ($this->folderCount > self::MOST) {
            throw new VigieStop('too_many', 'folders', ['entries' => self::MOST]);
        }
        $this->compactAt = max(100000, 2 * $this->folderCount);
    }

    private static function addDigest(array &$all, string $key): void
    {
        $digest = self::digest($key);
        if (!isset($all[$digest[0]])) {
            $all[$digest[0]] = '';
        }
        $all[$digest[0]] .= $digest;
    }

    private static function digest(string $key): string
    {
        return substr(sha1($key, true), 0, self::DIGEST_BYTES);
    }

    /** Throws if two paths would be one place on the disk. `$paths` lists all paths again, to name the culprit. */
    public function checkCollisions(callable $paths): void
    {
        $this->compact();
        foreach ($this->files as $first => $digests) {
            $files = array_count_values(str_split($digests, self::DIGEST_BYTES));
            if (max($files) > 1) {
                throw $this->collision('twice', (string) array_search(max($files), $files, true), $paths());
            }
            foreach (isset($this->folders[$first]) ? str_split($this->folders[$first], self::DIGEST_BYTES) : [] as $folder) {
                if (isset($files[$folder])) {
                    throw $this->collision('both', $folder, $paths());
                }
            }
        }
    }

    private function collision(string $why, string $digest, iterable $paths): VigieStop
    {
        foreach ($paths as $path) {
            if (self::digest($this->normalized($path)) === $digest) {
                return self::failure('collision', $why, $path);
            }
        }
        return new VigieStop('damaged', 'changed');
    }

    private function normalized(string $path): string
    {
        if (!$this->isCaseless) {
            return $path;
        }
        if (preg_match('//u', $path) !== 1 || !function_exists('mb_strtolower')) {
            return strtolower($path);
        }
        $normal = class_exists('Normalizer') ? Normalizer::normalize($path) : false;
        return mb_strtolower($normal === false ? $path : $normal, 'UTF-8');
    }
}
