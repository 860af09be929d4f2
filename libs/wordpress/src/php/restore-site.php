<?php
/** Restores a site from an archive that lies on its host: beside what is there, and in its place at once or not at all. */
final class VigieRestoreSite
{
    private const MAINTENANCE = '/.maintenance';

    private $order;
    private $site;
    private $archive;
    private $scope;
    private $swap = null;
    private $link = null;
    private $staging = null;
    private $load = null;
    private $files = 0;
    /** Until then nothing of the site was touched. */
    private $hasBegun = false;

    /** The part that was asked for. Codes: 0 is done, 10 leaves it to be tried, 11 has said why not, 12 was not undone. */
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
            return $this->tryStart();
        }
        $this->site = VigieSite::start($this->order);
        switch ($part) {
            case 'restore':
                return $this->restore();
            case 'keep':
                $this->keep($this->found(), $this->order['operation']);
                VigieTell::line(['is' => 'done']);
                return 0;
            default:
                VigieTell::line($this->finish($this->order['operation']));
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
        $this->checkSite();
        foreach (VigieSwap::left($this->site) as $operation) {
            $this->finish($operation);
        }
        $this->readArchive();
        VigieTell::line(['is' => 'begun']);
        $this->swap = VigieSwap::begin($this->site, $this->order['operation']);
        $this->checkRoom();
        $this->makeSafety();
        $this->stageFiles();
        $this->loadTables();
        $this->exchange();
        return 10;
    }

    private function checkSite(): void
    {
        if (PHP_INT_SIZE < 8 || !extension_loaded('mysqli')) {
            throw new VigieStop('no_php', PHP_INT_SIZE < 8 ? 'bits' : 'mysqli');
        }
        if ($this->site->isSqlite()) {
            throw new VigieStop('sqlite');
        }
        $base = new VigieDatabase($this->site->prefix);
        $this->site->take($base->options(VigieSite::OPTIONS));
        $base->close();
    }

    private function readArchive(): void
    {
        $path = $this->site->content . '/' . VigieFolder::NAME . '/' . basename($this->order['name']);
        $this->archive = VigieReadArchive::open($path);
        $size = $this->archive->size;
        VigieTell::step('read');
        $this->archive->verify(static function (int $bytes) use ($size): void {
            VigieTell::step('read', $bytes, $size);
        });
        if ($this->archive->isNetwork !== $this->site->isNetwork) {
            throw new VigieStop('network', $this->site->isNetwork ? 'site' : 'archive');
        }
        $this->scope = new VigieScope($this->order, $this->archive->about, $this->site->prefix);
        $this->checkDump();
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

    /** One for all that is done to the tables of an operation, and nobody else's meanwhile. */
    private function link(string $operation): VigieLink
    {
        if ($this->link === null) {
            $this->link = new VigieLink();
        }
        $this->link->hold("vigie $operation");
        return $this->link;
    }

    private function wants(): callable
    {
        return function (string $path): bool {
            return $this->scope->wants($path);
        };
    }

    private function checkRoom(): void
    {
        $this->staging = new VigieStaging($this->site, $this->order['operation']);
        $needed = $this->scope->wantsFiles() ? $this->staging->needed($this->archive, $this->wants()) : [];
        foreach (array_keys($needed) as $root) {
            $this->addArea((string) $root);
        }
        // What goes needs a place on its own disk too.
        foreach ($this->scope->wantsFiles() ? $this->rootsOfSite() : [] as $root => $path) {
            if (is_dir($root) && ($path === '' ? $this->scope->isAll() : $this->scope->wants("$path/"))) {
                $this->addArea($root);
            }
        }
        $this->swap->keepFacts();
        $needed === [] || $this->staging->checkRoom();
    }

    private function addArea(string $root): void
    {
        if (!in_array($root, array_column($this->swap->areas, 'root'), true)) {
            $stage = "$root/.vigie-restore-" . $this->order['operation'];
            $this->swap->areas[] = ['root' => $root, 'stage' => $stage];
        }
    }

    /** What an archive calls them. */
    private function rootsOfSite(): array
    {
        $site = $this->site;
        return [$site->uploads => 'uploads', $site->plugins => 'plugins'] + array_fill_keys($site->themes, 'themes')
            + [$site->content => ''];
    }

    private function makeSafety(): void
    {
        if ($this->order['safety'] === null) {
            return;
        }
        $this->swap->facts['safety'] = $this->order['safety'];
        $this->swap->keepFacts();
        $order = ['name' => $this->order['safety'], 'format' => 1, 'without' => ['cache' => true]] + $this->order;
        $packed = VigiePack::make($order, $this->site, 'safety');
        VigieTell::line(['is' => 'safety', 'name' => $packed['name'], 'size' => $packed['size']]);
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
        $this->swap->plan(function (int $at, string $path): bool {
            return $this->scope->drops($this->nameOf($this->swap->areas[$at]['root'], $path));
        });
        if ($this->scope->isAll() || !$this->scope->wantsFiles() || $this->swap->puts > 0) {
            return;
        }
        throw new VigieStop('nothing');
    }

    /** What an archive calls a place; of the folders that have names of their own, it is theirs. */
    private function nameOf(string $root, string $path): string
    {
        $place = "$root/$path";
        foreach ($this->rootsOfSite() as $folder => $name) {
            if (strpos("$place/", "$folder/") === 0) {
                $rest = substr($place, strlen($folder) + 1);
                return $name === '' ? $rest : ($rest === '' ? $name : "$name/$rest");
            }
        }
        return $path;
    }

    private function loadTables(): void
    {
        $dump = $this->scope->wantsTables() ? $this->archive->database : null;
        $link = $this->link($this->order['operation']);
        $pairs = VigieReplace::pairs($this->archive->about, $this->site);
        $stage = VigieTableSwap::stageOf($this->order['operation']);
        $this->load = new VigieLoad($link, $this->site->prefix, $stage, new VigieReplace($pairs));
        if ($dump === null) {
            return;
        }
        VigieTell::step('database');
        $size = $dump['size'];
        $foreign = new VigieNeighbours($link, $this->site->prefix, $this->site->isNetwork);
        $this->load->load($this->archive->chunks($dump), static function (int $bytes) use ($size): void {
            VigieTell::step('database', $bytes, $size);
        }, function (string $table) use ($foreign): bool {
            return $this->scope->wantsTable($table) && !$foreign->has($table);
        });
        if ($this->load->tables === []) {
            throw new VigieStop('nothing');
        }
        $this->load->settle($this->site, $this->archive->about, $this->plugins());
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
        $this->swap->facts['note'] = ['Database' => $this->archive->about['Vigie']['Database'] ?? []];
        $foreign->left === [] || VigieTell::line(['is' => 'warning', 'code' => 'neighbours', 'list' => $foreign->left]);
    }

    /** Those of the archive whose files are going to be there. */
    private function plugins(): array
    {
        $named = array_filter((array) ($this->archive->about['Plugins'] ?? []), 'is_string');
        return array_values(array_filter($named, function (string $file): bool {
            if (strpos($file, '..') !== false) {
                return false;
            }
            foreach ($this->swap->areas as ['root' => $root, 'stage' => $stage]) {
                if ($root === $this->site->plugins && is_file("$stage/new/$file")) {
                    return true;
                }
            }
            $goes = $this->scope->wantsFiles() && $this->scope->drops("plugins/$file");
            return !$goes && is_file($this->site->plugins . "/$file");
        }));
    }

    private function exchange(): void
    {
        VigieTell::step('exchange');
        $link = $this->link($this->order['operation']);
        $tables = new VigieTableSwap($link, $this->order['operation'], $this->swap->facts['tables']);
        $this->close();
        $this->hasBegun = true;
        $this->swap->exchange($tables);
        VigieTell::line([
            'is' => 'exchanged', 'files' => $this->files, 'removed' => $this->swap->drops,
            'skipped' => $this->staging->skipped['count'], 'examples' => $this->staging->skipped['examples'],
            'tables' => count($this->load->tables), 'rows' => $this->load->rows,
        ]);
    }

    /** Visitors wait meanwhile. A site that may not be closed is not: they may see both sides of it for a moment. */
    private function close(): void
    {
        $file = $this->site->root . self::MAINTENANCE;
        if (!file_exists($file)) {
            $this->swap->facts['closed'] = @file_put_contents($file, '<?php $upgrading = ' . time() . ";\n") !== false;
            $this->swap->keepFacts();
        }
    }

    private function open(VigieSwap $swap): void
    {
        if (!empty($swap->facts['closed'])) {
            @unlink($this->site->root . self::MAINTENANCE);
        }
    }

    /** In a process of its own, that has none of the code that was there. */
    private function tryStart(): int
    {
        VigieTell::step('start');
        VigieStart::hook('enable_maintenance_mode', [VigieSite::class, 'no']);
        VigieBoot::$onEnd = static function (?array $fatal): int {
            $facts = $fatal === null ? ['words' => '', 'path' => ''] : VigieBoot::fatal($fatal);
            VigieTell::line(['is' => 'broken'] + $facts);
            return 20;
        };
        try {
            // As visitors have it: for administrators some plugins write what the archive has not.
            VigieBoot::start(false);
            self::renew();
            VigieBoot::finish(0);
        } catch (Throwable $error) {
            $facts = ['message' => $error->getMessage(), 'file' => $error->getFile(), 'line' => $error->getLine()];
            VigieTell::line(['is' => 'broken'] + VigieBoot::fatal($facts));
        }
        return 20;
    }

    /** What WordPress keeps of its files and tables beside them. */
    private static function renew(): void
    {
        wp_cache_flush();
        if ((int) get_option('db_version') < (int) $GLOBALS['wp_db_version'] && !is_multisite()) {
            require_once ABSPATH . 'wp-admin/includes/upgrade.php';
            wp_upgrade();
        }
        flush_rewrite_rules(false);
    }

    private function found(): VigieSwap
    {
        $swap = VigieSwap::find($this->site, $this->order['operation']);
        if ($swap === null) {
            throw new VigieStop('died', '', ['words' => 'what was exchanged is not known any more']);
        }
        return $swap;
    }

    private function keep(VigieSwap $swap, string $operation): void
    {
        VigieTell::step('end');
        $swap->markKept();
        $link = $this->link($operation);
        (new VigieTableSwap($link, $operation, $swap->facts['tables']))->drop();
        $failed = VigieDefinitions::apply($link, $this->site->prefix, $swap->facts['note'], $swap->facts['views']);
        foreach ($failed as $one) {
            VigieTell::line(['is' => 'warning', 'code' => 'definition'] + $one);
        }
        $this->open($swap);
        $swap->clear();
    }

    /** Brings it to an end: as the site was, unless it was certain that it is to be as it is now. Gives which. */
    private function finish(string $operation): array
    {
        $swap = VigieSwap::find($this->site, $operation);
        if ($swap !== null && $swap->isKept()) {
            $this->keep($swap, $operation);
            return ['is' => 'done'];
        }
        $hadBegun = $swap !== null && $swap->facts['began'];
        $folder = $this->site->content . '/' . VigieFolder::NAME;
        if ($swap !== null) {
            $tables = new VigieTableSwap($this->link($operation), $operation, $swap->facts['tables']);
            $swap->undo($tables);
            $this->open($swap);
            // It was made for what has not come to pass.
            $safety = (string) $swap->facts['safety'];
            $hadBegun || $safety === '' || @unlink("$folder/" . basename($safety));
        }
        @unlink("$folder/.vigie-$operation.part");
        // With it goes what is known of all the rest.
        $swap === null || $swap->clear();
        return ['is' => 'back', 'touched' => $hadBegun];
    }
}
