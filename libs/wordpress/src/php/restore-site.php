<?php
/** Restores a site from an archive on its host: stages everything, then swaps it in at once or not at all. */
final class VigieRestoreSite
{
    /** Seconds without a word to the database. */
    private const MAX_SILENCE = 30;

    private $order;
    private $site;
    private $archive;
    private $scope;
    private $check;
    private $swap = null;
    private $end;
    private $staging = null;
    private $dump = null;
    /** Bytes to write by folder, and the folder of the database. */
    private $neededBytes = [];
    private $tablesFolder = null;
    /** The files that are still to be staged, and the number of the others. */
    private $pendingFiles;
    private $files = 0;
    private $memory = 0;
    /** False until the first file of the site is moved. */
    private $hasBegun = false;
    /** The options that the site still has. */
    private $remainingOptions = [];

    /** Exit codes: 0 done, 10 must still prove that it starts, 11 failed and reported, 12 could not be undone. */
    public static function run(): void
    {
        VigieOperation::open();
        $restore = new self();
        $restore->order = VigieOperation::$order;
        try {
            exit($restore->runPart(VigieOperation::$part));
        } catch (Throwable $error) {
            exit($restore->reportFailure(VigieStop::factsOf($error)));
        }
    }

    private function runPart(string $part): int
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
                $this->end->keep($this->end->findSwap($operation), $operation, ['is' => 'done']);
                return 0;
            default:
                $this->end->finish($operation, true);
                return 0;
        }
    }

    private function reportFailure(array $fields): int
    {
        if (VigieOperation::$part !== 'restore') {
            VigieOperation::report(['is' => 'stuck'] + $fields);
            return 12;
        }
        VigieOperation::report(['is' => $this->hasBegun ? 'failed' : 'refused'] + $fields);
        return 11;
    }

    private function restore(): int
    {
        VigieOperation::reportStep('checks');
        // Memory before the archive is read.
        $this->memory = memory_get_usage(true);
        $this->checkServer();
        $this->finishInterrupted();
        $this->readOptions();
        $this->readArchive();
        VigieOperation::report(['is' => 'begun']);
        $this->swap = VigieSwap::begin($this->site, $this->order['operation']);
        $this->plan();
        VigieRoom::check($this->neededBytes, $this->tablesFolder);
        $this->makeSafetyCopy();
        // The safety copy took some space.
        VigieRoom::check($this->neededBytes, $this->tablesFolder);
        $this->prepare();
        $this->swapIn();
        return 10;
    }

    /** Finishes restores that were interrupted and that nobody follows. */
    private function finishInterrupted(): void
    {
        try {
            foreach (VigieSwap::leftovers($this->site) as $operation) {
                $this->end->finish($operation, false);
            }
            $folders = [$this->site->root, $this->site->content];
            VigieLeftoverTables::clear(new VigieConnection(), $folders, $this->site->prefix, $this->site->isNetwork);
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
    private function readOptions(): void
    {
        $base = new VigieDatabase($this->site->prefix);
        $this->remainingOptions = $base->hasLostOptions() ? [] : $base->options(VigieSite::OPTIONS);
        $base->close();
        $this->site->setOptions($this->remainingOptions);
    }

    /** Fills in lost options from the archive. */
    private function fillOptions(): void
    {
        $url = $this->order['site']['url'];
        $options = new VigieLostOptions($this->remainingOptions, $this->archive->about);
        $this->site->setOptions($options->fill($this->site->root, $url));
        if ($options->takenAddress !== null && !defined('WP_HOME') && $this->scope->wantsTables()) {
            $fields = ['name' => $options->takenAddress, 'words' => rtrim($url, '/')];
            VigieOperation::report(['is' => 'warning', 'code' => 'address'] + $fields);
        }
    }

    private function readArchive(): void
    {
        $path = $this->site->content . '/' . VigieBackupsFolder::NAME . '/' . basename($this->order['name']);
        $this->archive = VigieReadArchive::open($path, $this->isCaseless());
        $size = $this->archive->size;
        VigieOperation::reportStep('read');
        $this->archive->verify(static function (int $bytes) use ($size): void {
            VigieOperation::reportStep('read', $bytes, $size);
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
        return array_filter(array_keys($this->siteFolders()), [VigieStaging::class, 'foldsCase']) !== [];
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

    private function selection(): callable
    {
        return function (string $path): bool {
            return $this->scope->wants($path);
        };
    }

    private function plan(): void
    {
        $this->staging = new VigieStaging($this->site, $this->order['operation']);
        $this->check = new VigieRestoreCheck($this->site, $this->archive, $this->scope, $this->staging);
        $needed = $this->scope->wantsFiles() ? $this->staging->needed($this->archive, $this->selection()) : [];
        foreach (array_keys($needed) as $root) {
            $this->addArea((string) $root);
        }
        // Deleted files are moved on their own disk, which needs an area too.
        foreach ($this->scope->wantsFiles() ? $this->siteFolders() : [] as $root => $path) {
            $isOfAll = $path === '' ? $this->scope->isAll() : $this->scope->wants("$path/");
            if (is_dir($root) && ($isOfAll || ($this->scope->mayOnlyDrop() && $this->scope->isAbovePath($path)))) {
                $this->addArea($root);
            }
        }
        $this->swap->saveState();
        $this->neededBytes = $needed;
        $this->addDatabaseFolder();
    }

    /** Loaded tables take about the size of the dump. The size of a single table is unknown. */
    private function addDatabaseFolder(): void
    {
        $isWhole = $this->scope->wantsTables() && $this->order['scope'] !== 'table';
        if ($isWhole && $this->archive->database !== null) {
            $link = new VigieConnection();
            $this->tablesFolder = VigieRoom::databaseFolder($link);
            $link->close();
        }
        if ($this->tablesFolder !== null) {
            $this->neededBytes[$this->tablesFolder] = $this->archive->database['size'];
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
    private function siteFolders(): array
    {
        $site = $this->site;
        $folders = [[$site->uploads, 'uploads'], [$site->plugins, 'plugins']];
        foreach ($site->themes as $root) {
            $folders[] = [$root, 'themes'];
        }
        $roots = [];
        foreach (array_merge($folders, [[$site->content, '']]) as [$folder, $name]) {
            $roots += [(string) (realpath($folder) ?: $folder) => $name];
        }
        return $roots;
    }

    private function makeSafetyCopy(): void
    {
        if ($this->order['safety'] === null) {
            return;
        }
        $path = $this->site->content . '/' . VigieBackupsFolder::NAME . '/' . basename($this->order['safety']);
        if (@lstat($path) !== false) {
            throw new VigieStop('exists', '', ['path' => basename($path)]);
        }
        $this->swap->state['safety'] = $this->order['safety'];
        $this->swap->saveState();
        $order = ['name' => $this->order['safety'], 'format' => 1, 'without' => ['cache' => true]] + $this->order;
        $packed = VigiePack::make($order, $this->site, 'safety');
        VigieOperation::report(['is' => 'safety', 'name' => $packed['name'], 'size' => $packed['size']]);
        if ($packed['missed'] > 0) {
            VigieOperation::report(['is' => 'warning', 'code' => 'unsafe', 'list' => $packed['examples']]);
        }
    }

    /** Returns false if all files are staged. */
    private function stageFile(): bool
    {
        if (!$this->pendingFiles->valid()) {
            return false;
        }
        $this->files++;
        $this->pendingFiles->next();
        return true;
    }

    private function stageFiles(VigieConnection $link): void
    {
        $this->scope->wantsFiles() && VigieOperation::reportStep('files');
        for ($askedAt = time(); $this->pendingFiles->valid(); $this->stageFile()) {
            VigieOperation::reportStep('files', $this->pendingFiles->current(), $this->archive->size);
            // A firewall forgets a connection that is silent for some minutes.
            if (time() - $askedAt >= self::MAX_SILENCE) {
                $link->execute('DO 0');
                $askedAt = time();
            }
        }
        $this->scope->mayOnlyDrop() || $this->refuseEmptyRestore(0);
    }

    /** `$drops`: the number of paths to delete. */
    private function refuseEmptyRestore(int $drops): void
    {
        if ($this->files + $drops === 0 && !$this->scope->isAll() && $this->scope->wantsFiles()) {
            throw new VigieStop('nothing');
        }
    }

    /** The archive's name of a path, below the most specific folder; null for a path outside. */
    private function archiveNameOf(string $root, string $path): ?string
    {
        $file = "$root/$path";
        foreach ($this->siteFolders() as $folder => $name) {
            if (strpos("$file/", "$folder/") === 0) {
                $rest = substr($file, strlen($folder) + 1);
                return $name === '' ? $rest : ($rest === '' ? $name : "$name/$rest");
            }
        }
        return null;
    }

    /** Loads the tables, and stages the files while the server writes rows. */
    private function prepare(): void
    {
        $dump = $this->scope->wantsTables() ? $this->archive->database : null;
        $dump === null || VigieOperation::reportStep('database');
        $this->pendingFiles = $this->scope->wantsFiles()
            ? $this->staging->take($this->archive, $this->selection())
            : new EmptyIterator();
        $link = $this->end->connection($this->order['operation']);
        $pairs = VigieReplace::pairs($this->archive->about, $this->site, $this->archive->siteAddresses());
        $stage = VigieTableSwap::stagePrefix($this->order['operation']);
        $this->dump = new VigieLoad($link, $this->site->prefix, $stage, new VigieReplace($pairs));
        $foreign = new VigieForeignTables($link, $this->site->prefix, $this->site->isNetwork, $this->archive->siteNumbers());
        $wants = function (string $table) use ($foreign): bool {
            return $this->scope->wantsTable($table) && !$foreign->has($table);
        };
        $this->dump->isCrossDatabase = [$link, 'isCrossDatabase'];
        $definitions = $this->scope->wantsTables() ? $this->check->definitions($link) : [];
        $dump === null || $this->loadDump($dump, $wants);
        $this->stageFiles($link);
        $this->check->checkRows($link, $this->dump->tables, $wants);
        $dump === null || $this->planTables($link, $foreign, $definitions);
    }

    private function planTables(VigieConnection $link, VigieForeignTables $foreign, array $definitions): void
    {
        if ($this->dump->tables === []) {
            throw new VigieStop('nothing');
        }
        $this->check->checkViews($link, $this->dump->views);
        isset($this->dump->tables["{$this->site->prefix}options"]) && $this->check->planActivePlugins();
        $this->dump->relocate($this->site, $this->archive->about, $this->check->plugins);
        if (!$this->archive->isUnchanged()) {
            throw new VigieStop('altered');
        }
        $swap = new VigieTableSwap($link, $this->order['operation'], []);
        $extra = $this->scope->dropsTables() ? $foreign->ownTables(array_keys($this->dump->tables + $this->dump->views)) : [];
        $names = array_map(static function (array $table): string {
            return $table['stage'];
        }, $this->dump->tables);
        $this->swap->state['tables'] = $swap->plan($names, $extra);
        $this->swap->state['views'] = $this->dump->views;
        $this->swap->state['note'] = ['Database' => $definitions];
        $mapped = array_map(static function (string $from, string $to): string {
            return "$from → $to";
        }, array_keys($this->dump->mappedCollations), $this->dump->mappedCollations);
        $lists = ['neighbours' => $foreign->skipped, 'cut' => $this->dump->truncated->columns, 'collations' => $mapped];
        foreach ($lists as $code => $list) {
            $list === [] || VigieOperation::report(['is' => 'warning', 'code' => $code, 'list' => array_slice($list, 0, 20)]);
        }
    }

    private function loadDump(array $dump, callable $wants): void
    {
        $this->dump->workMeanwhile = function (): bool {
            return $this->stageFile();
        };
        // Two readers, each with its own place in the archive.
        $archive = clone $this->archive;
        $this->dump->load($archive->chunks($dump), static function (int $bytes) use ($dump): void {
            VigieOperation::reportStep('database', $bytes, $dump['size']);
        }, $wants);
    }

    private function swapIn(): void
    {
        VigieOperation::reportStep('exchange');
        $link = $this->end->connection($this->order['operation']);
        $tables = new VigieTableSwap($link, $this->order['operation'], $this->swap->state['tables']);
        $this->check->checkFiles();
        $this->end->closeSite($this->swap);
        // Planned as late as possible, so that files that visitors upload meanwhile are kept.
        $this->swap->plan(function (int $at, string $path): string {
            $root = $this->swap->areas[$at]['root'];
            $name = $this->archiveNameOf($root, $path);
            // A missing folder of the site is created from its parent, where everything else is foreign.
            return $name === null || $this->site->isConfigurationFile("$root/$path") ? 'stay' : $this->scope->judge($name);
        });
        $this->refuseEmptyRestore($this->swap->drops);
        $this->hasBegun = true;
        $this->swap->apply($tables);
        $this->check->checkLive($link, $this->dump->tables);
        VigieOperation::report([
            'is' => 'exchanged', 'files' => $this->files, 'removed' => $this->swap->drops,
            'skipped' => $this->staging->skipped['count'], 'examples' => $this->staging->skipped['examples'],
            'tables' => count($this->dump->tables), 'rows' => $this->dump->rows,
            'size' => $this->archive->size, 'memory' => memory_get_peak_usage(true) - $this->memory,
        ]);
    }
}
