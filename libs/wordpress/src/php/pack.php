<?php
/** Packs a site into one archive in its backups folder. */
final class VigiePack
{
    private $order;
    private $without;
    private $site;
    private $database;
    private $tree;
    /** Views, triggers and sequences that the archive cannot hold. */
    private $unpackable = [];
    private $part = null;
    private $step = 'database';
    private $outerStep = null;
    private $total = 0;
    private $reportedAt = 0.0;

    public static function run(): void
    {
        VigieOperation::open();
        $part = null;
        try {
            VigieOperation::report(['is' => 'done'] + self::make(VigieOperation::$order, null, null, $part));
            exit(0);
        } catch (Throwable $error) {
            VigieOperation::report(['is' => $part === null ? 'refused' : 'failed'] + VigieStop::factsOf($error));
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
        $pack->outerStep = $step;
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
        VigieOperation::reportStep($this->outerStep ?? 'checks');
        $this->site = $this->site ?? VigieSite::start($this->order);
        if (VigieSite::isSqlite()) {
            throw new VigieStop('sqlite');
        }
        $this->database = new VigieDatabase($this->site->prefix);
        $this->database->readSchema($this->without['tables'] ?? []);
        $crossDatabase = $this->database->excludeCrossDatabase();
        $this->unpackable = array_merge($this->database->unreadable, $this->database->sequences, $crossDatabase);
        // A safety copy of a site that has lost its tables keeps what is left.
        if ($this->outerStep === null || !$this->database->hasLostOptions()) {
            $this->site->setOptions($this->database->options(VigieSite::OPTIONS));
        }
        $this->tree = new VigieTree($this->site, $this->without);
        [$data, $files] = $this->measure();
        $folder = $this->site->content . '/' . VigieBackupsFolder::NAME;
        $target = $folder . '/' . basename($this->order['name']);
        VigieRoom::check([(is_dir($folder) ? $folder : $this->site->content) => (int) ceil($data * VigieDump::GROWTH) + $files]);
        $this->prepare($folder, $target);
        return $this->fill($target, $data, $files);
    }

    private function measure(): array
    {
        $data = empty($this->without['database']) ? array_sum($this->database->tables) : 0;
        $files = 0;
        foreach ($this->tree->files() as $file) {
            $files += $file['size'] + VigieArchive::HEADER;
        }
        return [$data, $files];
    }

    private function prepare(string $folder, string $target): void
    {
        $why = VigieBackupsFolder::create($folder);
        if ($why !== null) {
            throw new VigieStop('not_writable', $why, ['path' => $why === 'absent' ? $this->site->content : $folder]);
        }
        if (@lstat($target) !== false) {
            throw new VigieStop('exists', '', ['path' => basename($target)]);
        }
        VigieBackupsFolder::deleteAbandonedParts($folder);
        $this->part = "$folder/.vigie-" . $this->order['operation'] . '.part';
        $note = fopen('php://fd/6', 'ab');
        fwrite($note, "$this->part\n");
        fclose($note);
        VigieOperation::report(['is' => 'part', 'path' => $this->part]);
    }

    private function fill(string $target, int $data, int $files): array
    {
        $this->total = (int) ($data * VigieDump::GROWTH) + $files;
        $archive = new VigieArchive($this->part, $this->order['format'], function (int $bytes): void {
            $this->tick($bytes);
        });
        $about = new VigiePackageJson($this->site, $this->database, $this->without, $this->outerStep !== null);
        $archive->reserve(strlen($about->json('00000000')) + 64);
        if ($this->site->isNetwork) {
            $archive->addText('multisite.json', $about->networkJson());
        }
        $dump = new VigieDump($this->database, [$archive, 'append']);
        if (empty($this->without['database'])) {
            $archive->begin('database.sql', '.', 0, time());
            $dump->write($this->without);
            $archive->end();
        }
        $this->database->close();
        $this->step = 'files';
        $this->total = $archive->bytes + $files;
        foreach ($this->tree->files() as $file) {
            if (!$archive->addFile($file['path'], $file['folder'], $file['name'])) {
                $this->tree->noteMissed($file['folder'] === '.' ? $file['name'] : "{$file['folder']}/{$file['name']}");
            }
        }
        foreach ($this->unpackable as $name) {
            $this->tree->noteMissed("database.sql: $name");
        }
        $about->entries = $archive->entries;
        $this->step = 'end';
        $archive->finish($target, [$about, 'json']);
        return [
            'name' => basename($target), 'folder' => dirname($target), 'size' => $archive->bytes,
            'entries' => $archive->entries, 'tables' => count($this->database->rowCounts), 'rows' => $dump->rows,
            'longest' => $dump->longestStatement, 'missed' => $this->tree->missed, 'examples' => $this->tree->examples,
            'memory' => memory_get_peak_usage(true),
        ];
    }

    private function tick(int $bytes): void
    {
        $now = microtime(true);
        if ($now - $this->reportedAt >= 1) {
            $this->reportedAt = $now;
            VigieOperation::reportStep($this->outerStep ?? $this->step, $bytes, max($bytes, $this->total));
        }
    }
}
