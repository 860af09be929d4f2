<?php
/** Selects what of an archive is restored, and what of the site is deleted in replace mode. */
final class VigieScope
{
    /** Paths that the archive leaves out and says nothing about, by flag of package.json. */
    private const EXCLUDED = [
        'NoMedia' => '~^(?:uploads|blogs\.dir)(?:/|$)~', 'NoThemes' => '~^themes(?:/|$)~',
        'NoInactiveThemes' => '~^themes(?:/|$)~', 'NoMustUsePlugins' => '~^mu-plugins(?:/|$)~',
        'NoPlugins' => '~^plugins(?:/|$)~', 'NoInactivePlugins' => '~^plugins(?:/|$)~', 'NoCache' => '~^cache(?:/|$)~',
    ];
    /** Temporary folders of WordPress and of Vigie. */
    private const TEMPORARY = '~^(?:upgrade|upgrade-temp-backup)(?:/|$)|(?:^|/)\.vigie-~';
    /** Folders of which some paths are never restored. */
    private const PARTLY_RESTORED = ['mu-plugins', 'w3tc-config'];

    private $kind;
    private $path;
    private $isReplacing;
    private $about;
    private $table;

    public function __construct(array $order, array $about, string $prefix)
    {
        $this->kind = $order['scope'];
        $this->path = $order['path'];
        $this->isReplacing = $order['mode'] === 'replace';
        $this->about = $about;
        $this->table = (string) VigieSql::finalName($this->packedName(), $prefix);
    }

    /** The table's name in the dump; users name it with the archive's own prefix. */
    private function packedName(): string
    {
        $oldPrefix = $this->about['Database']['Prefix'] ?? null;
        $hasPlaceholder = strpos($this->path, VigieSql::PLACEHOLDER) === 0;
        $hasOldPrefix = !$hasPlaceholder && is_string($oldPrefix) && $oldPrefix !== '' && strpos($this->path, $oldPrefix) === 0;
        return $hasOldPrefix ? VigieSql::PLACEHOLDER . substr($this->path, strlen($oldPrefix)) : $this->path;
    }

    public function wantsFiles(): bool
    {
        return $this->kind !== 'database' && $this->kind !== 'table';
    }

    public function wantsTables(): bool
    {
        return in_array($this->kind, ['all', 'database', 'table'], true);
    }

    public function isAll(): bool
    {
        return $this->kind === 'all';
    }

    public function wants(string $path): bool
    {
        switch ($this->kind) {
            case 'all':
                return true;
            case 'path':
                return $path === $this->path || strpos($path, "$this->path/") === 0;
            case 'database':
            case 'table':
                return false;
            default:
                return strpos($path, "$this->kind/") === 0;
        }
    }

    /** Whether a folder is a parent of the only path to restore; '' is the root. */
    public function isAbovePath(string $folder): bool
    {
        return $this->kind === 'path' && ($folder === '' || strpos($this->path, "$folder/") === 0);
    }

    /** Whether a path without a file in the archive is deleted: it did not exist then. */
    public function mayOnlyDrop(): bool
    {
        return $this->isReplacing && $this->kind === 'path';
    }

    /** `$table`: its name on the site. */
    public function wantsTable(string $table): bool
    {
        return $this->kind === 'table' ? $table === $this->table : $this->wantsTables();
    }

    /** The fate of a path of the site that is not in the archive: 'drop', 'stay', or 'below' to judge its content. */
    public function judge(string $path): string
    {
        // Cached pages show the old state.
        if ($path === 'cache' && $this->isAll()) {
            return 'drop';
        }
        if ($this->isReplacing && $this->isAbovePath($path)) {
            return 'below';
        }
        if (!$this->isReplacing || !$this->wants($path) || VigieStaging::isNeverRestored($path) || VigieTree::isNeverPacked($path)) {
            return 'stay';
        }
        foreach (self::EXCLUDED as $flag => $pattern) {
            if (!empty($this->about[$flag]) && preg_match($pattern, $path) === 1) {
                return 'stay';
            }
        }
        $excluded = array_filter(explode(',', (string) ($this->about['ExcludedFiles'] ?? '')));
        if (preg_match(self::TEMPORARY, $path) === 1 || in_array($path, $excluded, true)) {
            return 'stay';
        }
        foreach (array_merge(self::PARTLY_RESTORED, $excluded) as $folder) {
            if ($path === $folder || strpos($folder, "$path/") === 0) {
                return 'below';
            }
        }
        return 'drop';
    }

    /** Whether tables that are not in the archive are deleted. */
    public function dropsTables(): bool
    {
        $isWhole = empty($this->about['NoDatabase']) && empty($this->about['Database']['ExcludedTables']);
        return $this->isReplacing && $this->wantsTables() && $this->kind !== 'table' && $isWhole;
    }
}
