<?php
/** Selects what of an archive is restored, and what of the site is deleted in replace mode. */
final class VigieScope
{
    /** By flag of package.json: paths that the archive was packed without, and says nothing about. */
    private const LEFT_OUT = [
        'NoMedia' => '~^(?:uploads|blogs\.dir)(?:/|$)~', 'NoThemes' => '~^themes(?:/|$)~',
        'NoInactiveThemes' => '~^themes(?:/|$)~', 'NoMustUsePlugins' => '~^mu-plugins(?:/|$)~',
        'NoPlugins' => '~^plugins(?:/|$)~', 'NoInactivePlugins' => '~^plugins(?:/|$)~', 'NoCache' => '~^cache(?:/|$)~',
    ];
    /** Temporary folders of WordPress and of Vigie. */
    private const WORKING = '~^(?:upgrade|upgrade-temp-backup)(?:/|$)|(?:^|/)\.vigie-~';
    /** Folders of which some paths are never restored. */
    private const MIXED = ['mu-plugins', 'w3tc-config'];

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
        $this->table = (string) VigieSql::final($this->packedName(), $prefix);
    }

    /** The table's name in the dump; users name it with the archive's own prefix. */
    private function packedName(): string
    {
        $had = $this->about['Database']['Prefix'] ?? null;
        $isPacked = strpos($this->path, VigieSql::MARK) === 0;
        $isRead = !$isPacked && is_string($had) && $had !== '' && strpos($this->path, $had) === 0;
        return $isRead ? VigieSql::MARK . substr($this->path, strlen($had)) : $this->path;
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
    public function leadsTo(string $folder): bool
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
        if ($this->isReplacing && $this->leadsTo($path)) {
            return 'below';
        }
        if (!$this->isReplacing || !$this->wants($path) || VigieStaging::isNever($path) || VigieTree::isNever($path)) {
            return 'stay';
        }
        foreach (self::LEFT_OUT as $flag => $pattern) {
            if (!empty($this->about[$flag]) && preg_match($pattern, $path) === 1) {
                return 'stay';
            }
        }
        $named = array_filter(explode(',', (string) ($this->about['ExcludedFiles'] ?? '')));
        if (preg_match(self::WORKING, $path) === 1 || in_array($path, $named, true)) {
            return 'stay';
        }
        foreach (array_merge(self::MIXED, $named) as $other) {
            if ($path === $other || strpos($other, "$path/") === 0) {
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
