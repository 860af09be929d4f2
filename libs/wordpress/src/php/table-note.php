<?php
/** The state file of a table swap, with which a later process can finish it. */
final class VigieTableNote
{
    private const NAME = 'tables.json';
    private const MOST = 16777216;
    private $path;

    public function __construct(string $folder)
    {
        $this->path = "$folder/" . self::NAME;
    }

    /** The state before anything is swapped. `$prefix`: of the site. */
    public static function blank(string $operation, string $prefix): array
    {
        return ['operation' => $operation, 'prefix' => $prefix, 'tables' => [], 'views' => []];
    }

    public function write(array $facts): void
    {
        if (!VigieFiles::keep($this->path, (string) json_encode($facts, JSON_INVALID_UTF8_SUBSTITUTE))) {
            throw new VigieStop('no_room', 'write');
        }
    }

    /**
     * Null if there is none, or if it describes another site's tables: a copied site contains its state file too.
     * `$operation`: the default for files without one.
     */
    public function read(VigieLink $link, string $operation, string $prefix, bool $isNetwork): ?array
    {
        $facts = $this->said() + ['operation' => $operation, 'tables' => [], 'views' => []];
        // Files of older releases have no prefix, but list their tables.
        $of = $facts['prefix'] ?? ($facts['tables'] === [] ? null : $prefix);
        $isOfSite = is_string($of) && $link->folded($of) === $link->folded($prefix);
        return $isOfSite && self::isPlan($facts, new VigieNeighbours($link, $prefix, $isNetwork)) ? $facts : null;
    }

    /** The operation that wrote it; the folder is named after the operation that made the copy. */
    public function writer(): ?string
    {
        $operation = $this->said()['operation'] ?? null;
        return is_string($operation) ? $operation : null;
    }

    private function said(): array
    {
        $facts = json_decode((string) VigieFiles::read($this->path, self::MOST), true, 8);
        return is_array($facts) ? $facts : [];
    }

    private static function isPlan(array $facts, VigieNeighbours $foreign): bool
    {
        ['operation' => $operation, 'tables' => $tables, 'views' => $views] = $facts;
        if (!is_string($operation) || !is_array($tables) || !is_array($views)) {
            return false;
        }
        foreach ($tables as $table) {
            [$name, $stage, $aside] = is_array($table) ? $table + [null, null, null] : [null, null, null];
            $isOurs = VigieTableSwap::isOwn($operation, $stage) && VigieTableSwap::isOwn($operation, $aside);
            if (!$isOurs || !is_string($name) || $foreign->has($name)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the file is gone. */
    public function forget(): bool
    {
        @unlink("$this->path.part");
        @unlink($this->path);
        clearstatcache();
        return !file_exists($this->path);
    }
}
