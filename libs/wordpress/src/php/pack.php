<?php
/** Packs a site into one archive in its backups folder. */
final class VigiePack
{
    private $order;
    private $without;
    private $site;
    private $base;
    private $tree;
    /** Views, triggers and sequences that the archive cannot hold. */
    private $unpacked = [];
    private $part = null;
    private $step = 'database';
    private $outer = null;
    private $total = 0;
    private $toldAt = 0.0;

    public static function run(): void
    {
        VigieTell::open();
        $part = null;
        try {
            VigieTell::line(['is' => 'done'] + self::make(VigieTell::$order, null, null, $part));
            exit(0);
        } catch (Throwable $error) {
            VigieTell::line(['is' => $part === null ? 'refused' : 'failed'] + VigieStop::factsOf($error));
            exit(11);
        }
    }

    /**
     * Returns the result, or deletes what it wrote and throws. `$site`: if it is loaded already. `$step`: the step of a
     * restore that this is part of. `$part`: set to the file in progress.
     */
    public static function make(array $order, ?VigieSite $site, ?string $step, ?string &$part = null): array
    {
        $pack = new self();
        $pack->order = $order;
        $pack->without = $order['without'];
        $pack->site = $site;
        $pack->outer = $step;
        try {
            return $pack->pack();
        } catch (Throwable $error) {
            $part = $pack->part;
            $part === null || @unlink($part);
            throw $error;
        }
    }

    private function pack(): array
    {
        if (PHP_INT_SIZE < 8 || !extension_loaded('mysqli')) {
            throw new VigieStop('no_php', PHP_INT_SIZE < 8 ? 'bits' : 'mysqli');
        }
        VigieTell::step($this->outer ?? 'checks');
        $this->site = $this->site ?? VigieSite::start($this->order);
        if (VigieSite::isSqlite()) {
            throw new VigieStop('sqlite');
        }
        $this->base = new VigieDatabase($this->site->prefix);
        $this->base->survey($this->without['tables'] ?? []);
        $reaching = $this->base->leaveOutReaching();
        $this->unpacked = array_merge($this->base->unread, $this->base->sequences, $reaching);
        // A safety copy of a site that has lost its tables keeps what is left.
        if ($this->outer === null || !$this->base->isLost()) {
            $this->site->take($this->base->options(VigieSite::OPTIONS));
        }
        $this->tree = new VigieTree($this->site, $this->without);
        [$data, $files] = $this->measure();
        $folder = $this->site->content . '/' . VigieFolder::NAME;
        $place = $folder . '/' . basename($this->order['name']);
        VigieRoom::check([(is_dir($folder) ? $folder : $this->site->content) => (int) ceil($data * VigieDump::GROWTH) + $files]);
        $this->prepare($folder, $place);
        return $this->fill($place, $data, $files);
    }

    private function measure(): array
    {
        $data = empty($this->without['database']) ? array_sum($this->base->tables) : 0;
        $files = 0;
        foreach ($this->tree->files() as $file) {
            $files += $file['size'] + VigieArchive::HEADER;
        }
        return [$data, $files];
    }

    private function prepare(string $folder, string $place): void
    {
        $why = VigieFolder::make($folder);
        if ($why !== null) {
            throw new VigieStop('not_writable', $why, ['path' => $why === 'absent' ? $this->site->content : $folder]);
        }
        if (@lstat($place) !== false) {
            throw new VigieStop('exists', '', ['path' => basename($place)]);
        }
        VigieFolder::sweep($folder);
        $this->part = "$folder/.vigie-" . $this->order['operation'] . '.part';
        $said = fopen('php://fd/6', 'ab');
        fwrite($said, "$this->part\n");
        fclose($said);
        VigieTell::line(['is' => 'part', 'path' => $this->part]);
    }

    private function fill(string $place, int $data, int $files): array
    {
        $this->total = (int) ($data * VigieDump::GROWTH) + $files;
        $archive = new VigieArchive($this->part, $this->order['format'], function (int $bytes): void {
            $this->tick($bytes);
        });
        $about = new VigieAbout($this->site, $this->base, $this->without, $this->outer !== null);
        $archive->reserve(strlen($about->json('00000000')) + 64);
        if ($this->site->isNetwork) {
            $archive->addText('multisite.json', $about->network());
        }
        $dump = new VigieDump($this->base, [$archive, 'append']);
        if (empty($this->without['database'])) {
            $archive->begin('database.sql', '.', 0, time());
            $dump->write($this->without);
            $archive->end();
        }
        $this->base->close();
        $this->step = 'files';
        $this->total = $archive->bytes + $files;
        foreach ($this->tree->files() as $file) {
            if (!$archive->addFile($file['path'], $file['folder'], $file['name'])) {
                $this->tree->miss($file['folder'] === '.' ? $file['name'] : "{$file['folder']}/{$file['name']}");
            }
        }
        foreach ($this->unpacked as $name) {
            $this->tree->miss("database.sql: $name");
        }
        $about->entries = $archive->entries;
        $this->step = 'end';
        $archive->finish($place, [$about, 'json']);
        return [
            'name' => basename($place), 'folder' => dirname($place), 'size' => $archive->bytes,
            'entries' => $archive->entries, 'tables' => count($this->base->counts), 'rows' => $dump->rows,
            'longest' => $dump->longest, 'missed' => $this->tree->missed, 'examples' => $this->tree->examples,
            'memory' => memory_get_peak_usage(true),
        ];
    }

    private function tick(int $bytes): void
    {
        $now = microtime(true);
        if ($now - $this->toldAt >= 1) {
            $this->toldAt = $now;
            VigieTell::step($this->outer ?? $this->step, $bytes, max($bytes, $this->total));
        }
    }
}
