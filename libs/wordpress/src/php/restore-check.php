<?php
/** Compares a restore with its archive: any loss ends it, and the site stays as it was. */
final class VigieRestoreCheck
{
    private const MOST_TOLD = 20;

    /** The plugins that will be active. */
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

    private static function lost(string $why, array $list): VigieStop
    {
        return new VigieStop('lost', $why, ['words' => implode(', ', array_slice($list, 0, self::MOST_TOLD))]);
    }

    /** Counts the staged files: a quota or virus scanner may have removed some. */
    public function checkFiles(): void
    {
        [$count, $bytes] = [0, 0];
        foreach ($this->staging->areas as ['stage' => $stage]) {
            [$more, $size] = self::sumOf("$stage/new");
            $count += $more;
            $bytes += $size;
        }
        ['count' => $planned, 'bytes' => $size] = $this->staging->planned;
        if ($count !== $planned || $bytes !== $size) {
            throw self::lost('files', ["$count fichiers sur $planned", "$bytes octets sur $size"]);
        }
    }

    private static function sumOf(string $folder): array
    {
        [$count, $bytes] = [0, 0];
        $open = @opendir($folder);
        while ($open && ($name = readdir($open)) !== false) {
            $isFolder = is_dir("$folder/$name");
            if ($name !== '.' && $name !== '..') {
                [$more, $size] = $isFolder ? self::sumOf("$folder/$name") : [1, (int) (@lstat("$folder/$name")['size'] ?? 0)];
                $count += $more;
                $bytes += $size;
            }
        }
        $open && closedir($open);
        return [$count, $bytes];
    }

    /** Foreign keys, triggers and views of package.json, under the same rules as the dump. */
    public function definitions(VigieLink $link): array
    {
        $made = $this->archive->about['Vigie']['Database'] ?? [];
        $kept = [];
        foreach (['ForeignKeys', 'Triggers', 'Views'] as $kind) {
            foreach (is_array($made[$kind] ?? null) ? $made[$kind] : [] as $one) {
                if (is_string($one['Sql'] ?? null)) {
                    $kept[$kind][] = ['Sql' => $one['Sql']];
                }
            }
        }
        self::refuseReaching($link, array_column(array_merge(...array_values($kept + [[]])), 'Sql'));
        return $kept;
    }

    public function checkViews(VigieLink $link, array $views): void
    {
        self::refuseReaching($link, $views);
    }

    private static function refuseReaching(VigieLink $link, array $texts): void
    {
        foreach ($texts as $sql) {
            if ($link->reachesOut($sql)) {
                throw VigieCreation::forbidden($sql);
            }
        }
    }

    /** `$wants`: whether a table of the archive is restored. */
    public function checkRows(VigieLink $link, array $tables, callable $wants): void
    {
        $noted = array_filter($this->notedRows(), $wants, ARRAY_FILTER_USE_KEY);
        $lost = self::lostRows($link, $tables, $noted);
        if ($lost !== []) {
            throw self::lost('rows', $lost);
        }
    }

    /** Staged tables with other row counts than loaded, or than the archive noted. */
    public static function lostRows(VigieLink $link, array $tables, array $noted): array
    {
        $lost = [];
        foreach ($noted as $name => $rows) {
            isset($tables[$name]) || ($lost[] = "$name (0/$rows)");
        }
        foreach ($tables as $name => ['stage' => $stage, 'rows' => $rows]) {
            $count = (int) $link->ask('SELECT COUNT(*) FROM ' . VigieLink::quoted($stage), (string) $name)[0][0];
            $wanted = $noted[$name] ?? $rows;
            ($count === $wanted && $rows === $wanted) || ($lost[] = "$name ($count/$wanted)");
        }
        return $lost;
    }

    /** Row counts of the archive by final table name; archives of other tools have none. */
    private function notedRows(): array
    {
        $rows = [];
        $noted = $this->archive->about['Vigie']['Tables'] ?? [];
        foreach (is_array($noted) ? $noted : [] as $table) {
            // Some archives quote the name as SQL does.
            $said = is_string($table['Name'] ?? null) ? str_replace('``', '`', $table['Name']) : '';
            $name = VigieSql::final($said, $this->site->prefix);
            if ($name !== null && is_int($table['Rows'] ?? null)) {
                $rows[$name] = $table['Rows'];
            }
        }
        return $rows;
    }

    /** Decides which plugins will be active, and warns about plugins and themes without files. */
    public function planActive(): void
    {
        $about = $this->archive->about;
        $named = array_filter((array) ($about['Plugins'] ?? []), 'is_string');
        $this->plugins = array_values(array_filter($named, function (string $file): bool {
            return strpos($file, '..') === false && $this->willBeThere("plugins/$file");
        }));
        $themes = array_filter($this->themes(), function (string $theme): bool {
            return !$this->willBeThere("themes/$theme/style.css");
        });
        $absent = ['plugins' => array_diff($named, $this->plugins), 'themes' => array_unique($themes)];
        foreach (array_filter($absent) as $kind => $names) {
            $list = array_slice(array_values($names), 0, self::MOST_TOLD);
            VigieTell::line(['is' => 'warning', 'code' => "absent_$kind", 'list' => $list]);
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

    private function willBeThere(string $path): bool
    {
        [$root, $place] = $this->staging->placeOf($path);
        return $this->staging->holds($root, $place) || (is_file("$root/$place") && !$this->goes($path));
    }

    /** Whether the restore deletes this path: the first parent folder with a verdict decides. */
    private function goes(string $path): bool
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

    public function checkLive(VigieLink $link, array $tables): void
    {
        $lost = self::lostLive($link, $this->site, $tables, $this->plugins, $this->themes());
        if ($lost !== []) {
            throw self::lost('live', $lost);
        }
    }

    /** Tables, active plugins and themes of the archive that are missing on the live site. */
    public static function lostLive(VigieLink $link, VigieSite $site, array $tables, array $plugins, array $themes): array
    {
        $names = array_map([$link, 'folded'], array_map('strval', array_keys($tables)));
        $there = array_map([$link, 'folded'], array_column($link->ask('SHOW TABLES'), 0));
        $lost = array_values(array_diff($names, $there));
        $options = "{$site->prefix}options";
        if ($lost !== [] || !isset($tables[$options])) {
            return $lost;
        }
        $query = "SELECT option_name, option_value FROM %s WHERE option_name IN ('active_plugins', 'template', 'stylesheet')";
        $now = array_column($link->ask(sprintf($query, VigieLink::quoted($options))), 1, 0);
        $active = @unserialize((string) ($now['active_plugins'] ?? ''), ['allowed_classes' => false]);
        $active = is_array($active) ? $active : [];
        clearstatcache();
        foreach ($plugins as $file) {
            (in_array($file, $active, true) && is_file("$site->plugins/$file")) || ($lost[] = $file);
        }
        foreach ($themes as $option => $theme) {
            ($now[$option] ?? '') === $theme || ($lost[] = $theme);
        }
        return $lost;
    }
}
