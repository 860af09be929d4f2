<?php
/** Restores a site from an archive on its host: stages everything, then swaps it in at once or not at all. */
final class VigieRestoreSite
{
    private $order;
    private $site;
    private $archive;
    private $scope;
    private $check;
    private $swap = null;
    private $end;
    private $staging = null;
    private $load = null;
    /** Bytes to write by folder, and the folder of the database. */
    private $needs = [];
    private $tablesFolder = null;
    private $files = 0;
    private $memory = 0;
    /** False until the first file of the site is moved. */
    private $hasBegun = false;
    /** The options that the site still has. */
    private $known = [];

    /** Exit codes: 0 done, 10 must still prove that it starts, 11 failed and reported, 12 could not be undone. */
    public static function run(): void
    {
        VigieTell::open();
        $restore = new self();
        $restore->order = VigieTell::$order;
        try {
            exit($restore->part(VigieTell::$part));
        } catch (Throwable $error) {
            exit($restore->fail(VigieStop::factsOf($error)));
        }
    }

    private function part(string $part): int
    {
        if ($part === 'start') {
            return VigieRestoreStart::run();
        }
        $this->site = VigieSite::start($this->order, true);
        $this->end = new VigieRestoreEnd($this->site);
        $operation = $this->order['operation'];
        switch ($part) {
            case 'restore':
                return $this->restore();
            case 'keep':
                $this->end->keep($this->end->found($operation), $operation, ['is' => 'done']);
                return 0;
            default:
                $this->end->finish($operation, true);
                return 0;
        }
    }

    private function fail(array $facts): int
    {
        if (VigieTell::$part !== 'restore') {
            VigieTell::line(['is' => 'stuck'] + $facts);
            return 12;
        }
        VigieTell::line(['is' => $this->hasBegun ? 'failed' : 'refused'] + $facts);
        return 11;
    }

    private function restore(): int
    {
        VigieTell::step('checks');
        // Memory before the archive is read.
        $this->memory = memory_get_usage(true);
        $this->checkServer();
        $this->finishOthers();
        $this->readSite();
        $this->readArchive();
        VigieTell::line(['is' => 'begun']);
        $this->swap = VigieSwap::begin($this->site, $this->order['operation']);
        $this->plan();
        VigieRoom::check($this->needs, $this->tablesFolder);
        $this->makeSafety();
        // The safety copy took some space.
        VigieRoom::check($this->needs, $this->tablesFolder);
        $this->stageFiles();
        $this->loadTables();
        $this->exchange();
        return 10;
    }

    /** Finishes restores that were interrupted and that nobody follows. */
    private function finishOthers(): void
    {
        try {
            foreach (VigieSwap::left($this->site) as $operation) {
                $this->end->finish($operation, false);
            }
            $folders = [$this->site->root, $this->site->content];
            VigieLeftTables::clear(new VigieLink(), $folders, $this->site->prefix, $this->site->isNetwork);
        } catch (VigieStop $stop) {
            throw new VigieStop('leftover', '', ['path' => $stop->facts['path'] ?? '', 'words' => $stop->getMessage()]);
        }
    }

    private function checkServer(): void
    {
        if (PHP_INT_SIZE < 8 || !extension_loaded('mysqli')) {
            throw new VigieStop('no_php', PHP_INT_SIZE < 8 ? 'bits' : 'mysqli');
        }
        if (VigieSite::isSqlite()) {
            throw new VigieStop('sqlite');
        }
    }

    /** After leftovers are cleared, the tables in place are the site's own. */
    private function readSite(): void
    {
        $base = new VigieDatabase($this->site->prefix);
        $this->known = $base->isLost() ? [] : $base->options(VigieSite::OPTIONS);
        $base->close();
        $this->site->take($this->known);
    }

    /** Fills in lost options from the archive. */
    private function fillOptions(): void
    {
        $url = $this->order['site']['url'];
        $lost = new VigieLostOptions($this->known, $this->archive->about);
        $this->site->take($lost->filled($this->site->root, $url));
        if ($lost->taken !== null && !defined('WP_HOME') && $this->scope->wantsTables()) {
            VigieTell::line(['is' => 'warning', 'code' => 'address', 'name' => $lost->taken, 'words' => rtrim($url, '/')]);
        }
    }

    private function readArchive(): void
    {
        $path = $this->site->content . '/' . VigieFolder::NAME . '/' . basename($this->order['name']);
        $this->archive = VigieReadArchive::open($path, $this->isCaseless());
        $size = $this->archive->size;
        VigieTell::step('read');
        $this->archive->verify(static function (int $bytes) use ($size): void {
            VigieTell::step('read', $bytes, $size);
        });
        if ($this->archive->isNetwork !== $this->site->isNetwork) {
            throw new VigieStop('network', $this->site->isNetwork ? 'site' : 'archive');
        }
        $this->scope = new VigieScope($this->order, $this->archive->about, $this->site->prefix);
        $this->fillOptions();
        $this->checkDump();
    }

    /** Whether any target disk ignores case: two files of the archive would be one there. */
    private function isCaseless(): bool
    {
        return array_filter(array_keys($this->rootsOfSite()), [VigieStaging::class, 'foldsCase']) !== [];
    }

    private function checkDump(): void
    {
        $dump = $this->archive->database;
        if (!$this->scope->wantsTables()) {
            return;
        }
        if ($dump === null && !$this->scope->isAll()) {
            throw new VigieStop('no_database');
        }
        foreach ($dump === null ? [] : $this->archive->chunks($dump) as $chunk) {
            if (VigieLoad::isSqlite($chunk)) {
                throw new VigieStop('sqlite_dump');
            }
            break;
        }
    }

    private function wants(): callable
    {
        return function (string $path): bool {
            return $this->scope->wants($path);
        };
    }

    private function plan(): void
    {
        $this->staging = new VigieStaging($this->site, $this->order['operation']);
        $this->check = new VigieRestoreCheck($this->site, $this->archive, $this->scope, $this->staging);
        $needed = $this->scope->wantsFiles() ? $this->staging->needed($this->archive, $this->wants()) : [];
        foreach (array_keys($needed) as $root) {
            $this->addArea((string) $root);
        }
        // Deleted files are moved on their own disk, which needs an area too.
        foreach ($this->scope->wantsFiles() ? $this->rootsOfSite() : [] as $root => $path) {
            $isOfAll = $path === '' ? $this->scope->isAll() : $this->scope->wants("$path/");
            if (is_dir($root) && ($isOfAll || ($this->scope->mayOnlyDrop() && $this->scope->leadsTo($path)))) {
                $this->addArea($root);
            }
        }
        $this->swap->keepFacts();
        $this->needs = $needed;
        $this->addTables();
    }

    /** Loaded tables take about the size of the dump. The size of a single table is unknown. */
    private function addTables(): void
    {
        $isWhole = $this->scope->wantsTables() && $this->order['scope'] !== 'table';
        if ($isWhole && $this->archive->database !== null) {
            $link = new VigieLink();
            $this->tablesFolder = VigieRoom::ofTables($link);
            $link->close();
        }
        if ($this->tablesFolder !== null) {
            $this->needs[$this->tablesFolder] = $this->archive->database['size'];
        }
    }

    private function addArea(string $folder): void
    {
        $root = (string) realpath($folder);
        if (!in_array($root, array_column($this->swap->areas, 'root'), true)) {
            $stage = "$root/.vigie-restore-" . $this->order['operation'];
            $this->swap->areas[] = ['root' => $root, 'stage' => $stage];
        }
    }

    /** The archive's names of the site's folders, by real path. */
    private function rootsOfSite(): array
    {
        $site = $this->site;
        $named = [[$site->uploads, 'uploads'], [$site->plugins, 'plugins']];
        foreach ($site->themes as $root) {
            $named[] = [$root, 'themes'];
        }
        $roots = [];
        foreach (array_merge($named, [[$site->content, '']]) as [$folder, $name]) {
            $roots += [(string) (realpath($folder) ?: $folder) => $name];
        }
        return $roots;
    }

    private function makeSafety(): void
    {
        if ($this->order['safety'] === null) {
            return;
        }
        $place = $this->site->content . '/' . VigieFolder::NAME . '/' . basename($this->order['safety']);
        if (@lstat($place) !== false) {
            throw new VigieStop('exists', '', ['path' => basename($place)]);
        }
        $this->swap->facts['safety'] = $this->order['safety'];
        $this->swap->keepFacts();
        $order = ['name' => $this->order['safety'], 'format' => 1, 'without' => ['cache' => true]] + $this->order;
        $packed = VigiePack::make($order, $this->site, 'safety');
        VigieTell::line(['is' => 'safety', 'name' => $packed['name'], 'size' => $packed['size']]);
        if ($packed['missed'] > 0) {
            VigieTell::line(['is' => 'warning', 'code' => 'unsafe', 'list' => $packed['examples']]);
        }
    }

    private function stageFiles(): void
    {
        if ($this->scope->wantsFiles()) {
            VigieTell::step('files');
            $total = $this->archive->size;
            $this->staging->take($this->archive, $this->wants(), function (int $bytes) use ($total): void {
                $this->files++;
                VigieTell::step('files', $bytes, $total);
            });
        }
        $this->scope->mayOnlyDrop() || $this->refuseNothing(0);
    }

    /** `$drops`: the number of paths to delete. */
    private function refuseNothing(int $drops): void
    {
        if ($this->files + $drops === 0 && !$this->scope->isAll() && $this->scope->wantsFiles()) {
            throw new VigieStop('nothing');
        }
    }

    /** The archive's name of a path, below the most specific folder; null for a path outside. */
    private function nameOf(string $root, string $path): ?string
    {
        $place = "$root/$path";
        foreach ($this->rootsOfSite() as $folder => $name) {
            if (strpos("$place/", "$folder/") === 0) {
                $rest = substr($place, strlen($folder) + 1);
                return $name === '' ? $rest : ($rest === '' ? $name : "$name/$rest");
            }
        }
        return null;
    }

    private function loadTables(): void
    {
        $dump = $this->scope->wantsTables() ? $this->archive->database : null;
        $link = $this->end->link($this->order['operation']);
        $pairs = VigieReplace::pairs($this->archive->about, $this->site, $this->archive->addresses());
        $stage = VigieTableSwap::stageOf($this->order['operation']);
        $this->load = new VigieLoad($link, $this->site->prefix, $stage, new VigieReplace($pairs));
        $foreign = new VigieNeighbours($link, $this->site->prefix, $this->site->isNetwork, $this->archive->numbers());
        $wants = function (string $table) use ($foreign): bool {
            return $this->scope->wantsTable($table) && !$foreign->has($table);
        };
        $this->load->isForeign = [$link, 'reachesOut'];
        $definitions = $this->scope->wantsTables() ? $this->check->definitions($link) : [];
        $dump === null || $this->load($dump, $wants);
        $this->check->checkRows($link, $this->load->tables, $wants);
        if ($dump === null) {
            return;
        }
        if ($this->load->tables === []) {
            throw new VigieStop('nothing');
        }
        $this->check->checkViews($link, $this->load->views);
        isset($this->load->tables["{$this->site->prefix}options"]) && $this->check->planActive();
        $this->load->settle($this->site, $this->archive->about, $this->check->plugins);
        if (!$this->archive->isUnchanged()) {
            throw new VigieStop('altered');
        }
        $swap = new VigieTableSwap($link, $this->order['operation'], []);
        $extra = $this->scope->dropsTables() ? $foreign->own(array_keys($this->load->tables + $this->load->views)) : [];
        $names = array_map(static function (array $table): string {
            return $table['stage'];
        }, $this->load->tables);
        $this->swap->facts['tables'] = $swap->plan($names, $extra);
        $this->swap->facts['views'] = $this->load->views;
        $this->swap->facts['note'] = ['Database' => $definitions];
        $mapped = array_map(static function (string $from, string $to): string {
            return "$from → $to";
        }, array_keys($this->load->mapped), $this->load->mapped);
        $lists = ['neighbours' => $foreign->left, 'cut' => $this->load->cut->columns, 'collations' => $mapped];
        foreach ($lists as $code => $list) {
            $list === [] || VigieTell::line(['is' => 'warning', 'code' => $code, 'list' => array_slice($list, 0, 20)]);
        }
    }

    private function load(array $dump, callable $wants): void
    {
        VigieTell::step('database');
        $this->load->load($this->archive->chunks($dump), static function (int $bytes) use ($dump): void {
            VigieTell::step('database', $bytes, $dump['size']);
        }, $wants);
    }

    private function exchange(): void
    {
        VigieTell::step('exchange');
        $link = $this->end->link($this->order['operation']);
        $tables = new VigieTableSwap($link, $this->order['operation'], $this->swap->facts['tables']);
        $this->check->checkFiles();
        $this->end->close($this->swap);
        // Planned as late as possible, so that files that visitors upload meanwhile are kept.
        $this->swap->plan(function (int $at, string $path): string {
            $root = $this->swap->areas[$at]['root'];
            $name = $this->nameOf($root, $path);
            // A missing folder of the site is created from its parent, where everything else is foreign.
            return $name === null || $this->site->isConfiguration("$root/$path") ? 'stay' : $this->scope->judge($name);
        });
        $this->refuseNothing($this->swap->drops);
        $this->hasBegun = true;
        $this->swap->exchange($tables);
        $this->check->checkLive($link, $this->load->tables);
        VigieTell::line([
            'is' => 'exchanged', 'files' => $this->files, 'removed' => $this->swap->drops,
            'skipped' => $this->staging->skipped['count'], 'examples' => $this->staging->skipped['examples'],
            'tables' => count($this->load->tables), 'rows' => $this->load->rows,
            'size' => $this->archive->size, 'memory' => memory_get_peak_usage(true) - $this->memory,
        ]);
    }
}
