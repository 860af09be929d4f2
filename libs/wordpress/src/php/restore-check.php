<?php
/** Compares a restore with its archive: any loss ends it, and the site stays as it was. */
final class VigieRestoreCheck
{
    private const MAX_REPORTED = 20;

    public $plugins = [];
    private $site;
    private $archive;
    private $scope;
    private $staging;

    public function __construct(VigieSite $site, VigieReadArchive $archive, VigieScope $scope, VigieStaging $staging)
    {
        $this->site = $site;
        $this->archive = $archive;
        $this->scope = $scope;
        $this->staging = $staging;
    }

    private static function lostFailure(string $why, array $list): VigieStop
    {
        return new VigieStop('lost', $why, ['words' => implode(', ', array_slice($list, 0, self::MAX_REPORTED))]);
    }

    /** Counts the staged files: a quota or virus scanner may have removed some. */
    public function checkFiles(): void
    {
        [$count, $bytes] = [0, 0];
        foreach ($this->staging->areas as ['stage' => $stage]) {
            [$more, $size] = self::countFiles("$stage/new");
            $count += $more;
            $bytes += $size;
        }
        ['count' => $planned, 'bytes' => $size] = $this->staging->planned;
        if ($count !== $planned || $bytes !== $size) {
            throw self::lostFailure('files', ["$count fichiers sur $planned", "$bytes octets sur $size"]);
        }
    }

    private static function countFiles(string $folder): array
    {
        [$count, $bytes] = [0, 0];
        $handle = @opendir($folder);
        while ($handle && ($name = readdir($handle)) !== false) {
            $isFolder = is_dir("$folder/$name");
            if ($name !== '.' && $name !== '..') {
                [$more, $size] = $isFolder ? self::countFiles("$folder/$name") : [1, (int) (@lstat("$folder/$name")['size'] ?? 0)];
                $count += $more;
                $bytes += $size;
            }
        }
        $handle && closedir($handle);
        return [$count, $bytes];
    }

    /** Foreign keys, triggers and views of package.json, under the same rules as the dump. */
    public function definitions(VigieConnection $link): array
    {
        $definitions = $this->archive->about['Vigie']['Database'] ?? [];
        $statements = [];
        foreach (['ForeignKeys', 'Triggers', 'Views'] as $kind) {
            foreach (is_array($definitions[$kind] ?? null) ? $definitions[$kind] : [] as $definition) {
                if (is_string($definition['Sql'] ?? null)) {
                    $statements[$kind][] = ['Sql' => $definition['Sql']];
                }
            }
        }
        self::refuseCrossDatabase($link, array_column(array_merge(...array_values($statements + [[]])), 'Sql'));
        return $statements;
    }

    public function checkViews(VigieConnection $link, array $views): void
    {
        self::refuseCrossDatabase($link, $views);
    }

    private static function refuseCrossDatabase(VigieConnection $link, array $texts): void
    {
        foreach ($texts as $sql) {
            if ($link->isCrossDatabase($sql)) {
                throw VigieCreateTable::forbidden($sql);
            }
        }
    }

    /** `$wants`: whether a table of the archive is restored. */
    public function checkRows(VigieConnection $link, array $tables, callable $wants): void
    {
        $expected = array_filter($this->archivedRowCounts(), $wants, ARRAY_FILTER_USE_KEY);
        $lost = self::lostRows($link, $tables, $expected);
        if ($lost !== []) {
            throw self::lostFailure('rows', $lost);
        }
    }

    /** Staged tables with other row counts than loaded, or than the archive noted. */
    public static function lostRows(VigieConnection $link, array $tables, array $expected): array
    {
        $lost = [];
        foreach ($expected as $name => $rows) {
            isset($tables[$name]) || ($lost[] = "$name (0/$rows)");
        }
        foreach ($tables as $name => ['stage' => $stage, 'rows' => $rows]) {
            $count = (int) $link->query('SELECT COUNT(*) FROM ' . VigieConnection::quoteName($stage), (string) $name)[0][0];
            $expectedRows = $expected[$name] ?? $rows;
            ($count === $expectedRows && $rows === $expectedRows) || ($lost[] = "$name ($count/$expectedRows)");
        }
        return $lost;
    }

    /** Row counts of the archive by final table name; archives of other tools have none. */
    private function archivedRowCounts(): array
    {
        $rows = [];
        $noted = $this->archive->about['Vigie']['Tables'] ?? [];
        foreach (is_array($noted) ? $noted : [] as $table) {
            // Some archives quote the name as SQL does.
            $archiveName = is_string($table['Name'] ?? null) ? str_replace('``', '`', $table['Name']) : '';
            $name = VigieSql::finalName($archiveName, $this->site->prefix);
            if ($name !== null && is_int($table['Rows'] ?? null)) {
                $rows[$name] = $table['Rows'];
            }
        }
        return $rows;
    }

    /** Decides which plugins will be active, and warns about plugins and themes without files. */
    public function planActivePlugins(): void
    {
        $about = $this->archive->about;
        $named = array_filter((array) ($about['Plugins'] ?? []), 'is_string');
        $this->plugins = array_values(array_filter($named, function (string $file): bool {
            return strpos($file, '..') === false && $this->willExist("plugins/$file");
        }));
        $themes = array_filter($this->themes(), function (string $theme): bool {
            return !$this->willExist("themes/$theme/style.css");
        });
        $absent = ['plugins' => array_diff($named, $this->plugins), 'themes' => array_unique($themes)];
        foreach (array_filter($absent) as $kind => $names) {
            $list = array_slice(array_values($names), 0, self::MAX_REPORTED);
            VigieOperation::report(['is' => 'warning', 'code' => "absent_$kind", 'list' => $list]);
        }
    }

    /** The archive's theme and its parent, by option. */
    private function themes(): array
    {
        $themes = [];
        foreach (['template' => 'Template', 'stylesheet' => 'Stylesheet'] as $option => $key) {
            $theme = $this->archive->about[$key] ?? null;
            if (is_string($theme) && $theme !== '' && strpos($theme, '..') === false) {
                $themes[$option] = $theme;
            }
        }
        return $themes;
    }

    private function willExist(string $path): bool
    {
        [$root, $inner] = $this->staging->targetOf($path);
        return $this->staging->isStaged($root, $inner) || (is_file("$root/$inner") && !$this->isDeleted($path));
    }

    /** Whether the restore deletes this path: the first parent folder with a verdict decides. */
    private function isDeleted(string $path): bool
    {
        for ($end = strpos($path, '/'); $this->scope->wantsFiles(); $end = strpos($path, '/', $end + 1)) {
            $verdict = $this->scope->judge($end === false ? $path : substr($path, 0, $end));
            // The plugins and themes folders themselves always stay.
            if ($end === false || ($verdict !== 'below' && strpos(substr($path, 0, $end), '/') !== false)) {
                return $verdict === 'drop';
            }
        }
        return false;
    }

    public function checkLive(VigieConnection $link, array $tables): void
    {
        $lost = self::lostLive($link, $this->site, $tables, $this->plugins, $this->themes());
        if ($lost !== []) {
            throw self::lostFailure('live', $lost);
        }
    }

    /** Tables, active plugins and themes of the archive that are missing on the live site. */
    public static function lostLive(VigieConnection $link, VigieSite $site, array $tables, array $plugins, array $themes): array
    {
        $names = array_map([$link, 'foldCase'], array_map('strval', array_keys($tables)));
        $existing = array_map([$link, 'foldCase'], array_column($link->query('SHOW TABLES'), 0));
        $lost = array_values(array_diff($names, $existing));
        $options = "{$site->prefix}options";
        if ($lost !== [] || !isset($tables[$options])) {
            return $lost;
        }
        $query = "SELECT option_name, option_value FROM %s WHERE option_name IN ('active_plugins', 'template', 'stylesheet')";
        $live = array_column($link->query(sprintf($query, VigieConnection::quoteName($options))), 1, 0);
        $active = @unserialize((string) ($live['active_plugins'] ?? ''), ['allowed_classes' => false]);
        $active = is_array($active) ? $active : [];
        clearstatcache();
        foreach ($plugins as $file) {
            (in_array($file, $active, true) && is_file("$site->plugins/$file")) || ($lost[] = $file);
        }
        foreach ($themes as $option => $theme) {
            ($live[$option] ?? '') === $theme || ($lost[] = $theme);
        }
        return $lost;
    }
}
