<?php
/** The state file of a table swap, with which a later process can finish it. */
final class VigieTableSwapState
{
    private const NAME = 'tables.json';
    private const MAX_BYTES = 16777216;
    private $path;

    public function __construct(string $folder)
    {
        $this->path = "$folder/" . self::NAME;
    }

    /** The state before anything is swapped. `$prefix`: of the site. */
    public static function initial(string $operation, string $prefix): array
    {
        return ['operation' => $operation, 'prefix' => $prefix, 'tables' => [], 'views' => []];
    }

    public function write(array $state): void
    {
        if (!VigieFiles::writeAtomically($this->path, (string) json_encode($state, JSON_INVALID_UTF8_SUBSTITUTE))) {
            throw new VigieStop('no_room', 'write');
        }
    }

    /**
     * Null if there is none, or if it describes another site's tables: a copied site contains its state file too.
     * `$operation`: the default for files without one.
     */
    public function read(VigieConnection $link, string $operation, string $prefix, bool $isNetwork): ?array
    {
        $state = $this->content() + ['operation' => $operation, 'tables' => [], 'views' => []];
        // Files of older releases have no prefix, but list their tables.
        $notedPrefix = $state['prefix'] ?? ($state['tables'] === [] ? null : $prefix);
        $isOfSite = is_string($notedPrefix) && $link->foldCase($notedPrefix) === $link->foldCase($prefix);
        return $isOfSite && self::isValid($state, new VigieForeignTables($link, $prefix, $isNetwork)) ? $state : null;
    }

    /** The operation that wrote it; the folder is named after the operation that made the copy. */
    public function operation(): ?string
    {
        $operation = $this->content()['operation'] ?? null;
        return is_string($operation) ? $operation : null;
    }

    private function content(): array
    {
        $state = json_decode((string) VigieFiles::read($this->path, self::MAX_BYTES), true, 8);
        return is_array($state) ? $state : [];
    }

    private static function isValid(array $state, VigieForeignTables $foreign): bool
    {
        ['operation' => $operation, 'tables' => $tables, 'views' => $views] = $state;
        if (!is_string($operation) || !is_array($tables) || !is_array($views)) {
            return false;
        }
        foreach ($tables as $table) {
            [$name, $stage, $old] = is_array($table) ? $table + [null, null, null] : [null, null, null];
            $hasOwnNames = VigieTableSwap::isOwnName($operation, $stage) && VigieTableSwap::isOwnName($operation, $old);
            if (!$hasOwnNames || !is_string($name) || $foreign->has($name)) {
                return false;
            }
        }
        return true;
    }

    public function delete(): bool
    {
        @unlink("$this->path.part");
        @unlink($this->path);
        clearstatcache();
        return !file_exists($this->path);
    }
}
