<?php
/** What of an archive comes back, and what goes where the site shall be as the archive is. */
final class VigieScope
{
    /** By the flag of an archive: what it was packed without, and so says nothing of. */
    private const LEFT_OUT = [
        'NoMedia' => '~^(?:uploads|blogs\.dir)(?:/|$)~', 'NoThemes' => '~^themes(?:/|$)~',
        'NoInactiveThemes' => '~^themes(?:/|$)~', 'NoMustUsePlugins' => '~^mu-plugins(?:/|$)~',
        'NoPlugins' => '~^plugins(?:/|$)~', 'NoInactivePlugins' => '~^plugins(?:/|$)~', 'NoCache' => '~^cache(?:/|$)~',
    ];
    /** What WordPress and others keep there for themselves while they work. */
    private const WORKING = '~^(?:upgrade|upgrade-temp-backup)(?:/|$)|(?:^|/)\.vigie-~';
    /** Folders in which some of it is never restored. */
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

    /** Of the table that is asked for: whoever looks into an archive reads it with the prefix that it had. */
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

    /** Whether something at one place alone may go: '' is above all of them. */
    public function leadsTo(string $folder): bool
    {
        return $this->kind === 'path' && ($folder === '' || strpos($this->path, "$folder/") === 0);
    }

    /** Whether it is done where an archive has no file for it: then there was none. */
    public function mayOnlyDrop(): bool
    {
        return $this->isReplacing && $this->kind === 'path';
    }

    /** `$table`: by the name that it has on the site. */
    public function wantsTable(string $table): bool
    {
        return $this->kind === 'table' ? $table === $this->table : $this->wantsTables();
    }

    /** What becomes of what is at this place of the site and not in the archive: 'drop', 'stay', or 'below' each by itself. */
    public function judge(string $path): string
    {
        // Pages that somebody kept ready show the site as it was.
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

    /** Whether tables of the site that the archive does not know go. */
    public function dropsTables(): bool
    {
        $isWhole = empty($this->about['NoDatabase']) && empty($this->about['Database']['ExcludedTables']);
        return $this->isReplacing && $this->wantsTables() && $this->kind !== 'table' && $isWhole;
    }
}
