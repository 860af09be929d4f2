<?php
/** What lies beside a site while its tables are exchanged: by it whoever comes next brings them to an end. */
final class VigieTableNote
{
    private const NAME = 'tables.json';
    private const MOST = 16777216;
    private $path;

    public function __construct(string $folder)
    {
        $this->path = "$folder/" . self::NAME;
    }

    /** Of an operation that has exchanged nothing yet. `$prefix`: of the site that it is about. */
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
     * Null where there is none, or one about the tables of others: whoever copies a site copies its note too. `$operation`:
     * whose folder it lies in, where it does not say by whom it was written.
     */
    public function read(VigieLink $link, string $operation, string $prefix, bool $isNetwork): ?array
    {
        $facts = $this->said() + ['operation' => $operation, 'tables' => [], 'views' => []];
        // Those that do not say it say which tables they are about.
        $of = $facts['prefix'] ?? ($facts['tables'] === [] ? null : $prefix);
        $isOfSite = is_string($of) && $link->folded($of) === $link->folded($prefix);
        return $isOfSite && self::isPlan($facts, new VigieNeighbours($link, $prefix, $isNetwork)) ? $facts : null;
    }

    /** Whoever wrote it: the operation of its folder is that whose copy comes back. */
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

    /** Whether nothing is said any more. */
    public function forget(): bool
    {
        @unlink("$this->path.part");
        @unlink($this->path);
        clearstatcache();
        return !file_exists($this->path);
    }
}
