<?php
/** Dumps the site's tables into the rollback copy of a WordPress update. */
final class VigieRollbackTables
{
    private const ACCESS_DENIED = 1142;
    /** Estimated bytes of the dump, and bytes that the loaded tables will take. */
    public $bytes;
    public $stored;
    /** The server's data folder, if it is visible here. */
    public $folder;
    private $base;
    private $packet;
    private $written = 0;

    public function __construct(string $prefix, bool $isNetwork)
    {
        if (VigieOperation::$part === 'prepare' && !VigieOperation::$isConfigReadable) {
            // The configuration could not be read without WordPress: a trial process reports why.
            VigieBoot::exitWith(22);
        }
        $link = new VigieConnection();
        $foreign = new VigieForeignTables($link, $prefix, $isNetwork);
        $others = array_filter(array_column($link->query('SHOW TABLES'), 0), [$foreign, 'has']);
        $this->folder = VigieRoom::databaseFolder($link);
        $this->packet = $link->maxPacket() - VigieLoad::FRAME;
        [$code, $words] = self::testRestore($link);
        $options = $link->foldCase("{$prefix}options");
        $tables = array_map([$link, 'foldCase'], array_column($link->query('SHOW TABLES'), 0));
        $link->close();
        if (!in_array($options, $tables, true)) {
            throw new VigieStop('database', 'absent', ['path' => $options]);
        }
        $this->base = new VigieDatabase($prefix);
        $this->base->useUtc();
        $this->base->readSchema(array_values($others));
        $this->checkTriggers($code, $words);
        $this->bytes = (int) ceil(array_sum($this->base->tables) * VigieDump::GROWTH);
        $this->stored = $this->base->storedBytes;
    }

    /** Performs each step of a later restore on a table of ours: only that shows a missing privilege. */
    private static function testRestore(VigieConnection $link): array
    {
        $stage = VigieTableSwap::stagePrefix(VigieOperation::$order['operation']);
        [$new, $renamed] = [VigieConnection::quoteName("{$stage}new"), VigieConnection::quoteName("{$stage}there")];
        $link->lock(VigieTableSwap::lockName(VigieOperation::$order['operation']));
        $link->execute("DROP TABLE IF EXISTS $new, $renamed");
        $link->execute("CREATE TABLE $new (id INT)");
        $link->execute("RENAME TABLE $new TO $renamed");
        $isCreated = $link->tryExecute("CREATE TRIGGER $new BEFORE INSERT ON $renamed FOR EACH ROW SET NEW.id = 1");
        $refusal = $isCreated ? [0, ''] : [$link->errorCode(), $link->errorMessage()];
        $link->execute("DROP TABLE $renamed");
        return $refusal;
    }

    /** Judges the server's answer to a trigger of ours. A user that may create no trigger cannot see any either. */
    private function checkTriggers(int $code, string $words): void
    {
        if ($this->base->hidesTriggers || ($code !== 0 && $this->base->triggers !== [])) {
            throw new VigieStop('database', 'triggers', ['words' => $words]);
        }
        if ($code === self::ACCESS_DENIED) {
            VigieOperation::log("L’utilisateur de la base n’a pas le droit TRIGGER\u{a0}: si les tables du site ont des"
                . " déclencheurs, Vigie ne les voit pas, et un retour arrière ne les ramènerait pas.");
        }
    }

    public function definitions(): array
    {
        return $this->base->definitions() + ['Unread' => $this->base->unreadable];
    }

    public function write(VigieRollbackCopy $copy, int $max): void
    {
        VigieOperation::reportStep('tables');
        $dump = new VigieDump($this->base, function (string $sql) use ($copy, $max): void {
            $this->written += strlen($sql);
            if ($this->written > $max) {
                throw new VigieStop('no_room', 'copy', ['most' => VigieChange::size($max)]);
            }
            $copy->addTables($sql);
            VigieOperation::reportStep('tables', $this->written, max($this->written, $this->bytes));
        }, true);
        $dump->write([]);
        if ($dump->longestStatement > $this->packet) {
            throw new VigieStop('database', 'long', ['most' => VigieChange::size($this->packet)]);
        }
        // Releases the snapshot, so that the change waits for nobody.
        $this->base->close();
    }
}

/** Restores the tables of a rollback copy: loads them into staged tables, then swaps all at once. */
final class VigieTablesRestore
{
    /** A stopped database server may return in a moment: attempts, and the seconds between them. */
    private const TRIES = 20;
    private const WAIT_SECONDS = 3;

    private $folder;
    private $site;
    private $operation;
    private $link;
    private $definitions;
    private $stateFile;
    private $state;
    private $isComplete = false;

    /** `$definitions`: those noted in the copy. */
    public function __construct(array $order, string $operation, array $definitions)
    {
        $this->site = VigieSite::fromConfiguration($order);
        $this->operation = $operation;
        $this->definitions = ['Database' => $definitions];
        $this->state = VigieTableSwapState::initial($operation, $this->site->prefix);
        $this->connect();
    }

    private function connect(): void
    {
        $this->link = new VigieConnection();
        $this->link->useUtc();
        // Waits until the server has finished a statement of a killed process.
        $this->link->lock(VigieTableSwap::lockName($this->operation));
    }

    private function tableSwap(): VigieTableSwap
    {
        return new VigieTableSwap($this->link, $this->operation, $this->state['tables']);
    }

    /** Continues an interrupted restore: completed if the tables were already swapped, otherwise reverted. */
    public function recover(string $folder): void
    {
        $this->folder = $folder;
        $this->stateFile = new VigieTableSwapState($folder);
        $saved = $this->stateFile->read($this->link, $this->operation, $this->site->prefix, $this->site->isNetwork);
        if ($saved !== null && $saved['operation'] !== $this->operation) {
            // Another rollback of the same copy was interrupted; later changes may have replaced its result.
            VigieLeftoverTables::finish($this->link, $this->stateFile, $saved);
            $this->link->lock(VigieTableSwap::lockName($this->operation));
            $saved = null;
        }
        $this->state = $saved ?? $this->state;
        $this->tableSwap()->isSwapped() || $this->revert();
    }

    private function revert(): void
    {
        $this->tableSwap()->undo();
        // Without the staged tables a leftover note would make this look like a completed swap.
        if (!$this->stateFile->delete()) {
            throw new VigieStop('not_rolled_back', 'place', ['path' => $this->folder]);
        }
        $this->state = VigieTableSwapState::initial($this->operation, $this->site->prefix);
        $this->tableSwap()->drop();
    }

    /** Writes the state file before any table is swapped. */
    public function load(Generator $chunks): void
    {
        if ($this->state['tables'] !== []) {
            return;
        }
        VigieOperation::reportStep('tables-back');
        $this->stateFile->write($this->state);
        $stage = VigieTableSwap::stagePrefix($this->operation);
        $load = new VigieLoad($this->link, $this->site->prefix, $stage, new VigieReplace([]));
        $foreign = new VigieForeignTables($this->link, $this->site->prefix, $this->site->isNetwork);
        $load->load($chunks, static function (): void {
        }, static function (string $table) use ($foreign): bool {
            return !$foreign->has($table);
        });
        // Tables that the new version created are removed.
        $extra = $this->ownTables(array_keys($load->tables + $load->views));
        $this->state['tables'] = $this->tableSwap()->plan(array_map(static function (array $table): string {
            return $table['stage'];
        }, $load->tables), $extra);
        $this->state['views'] = $load->views;
        $this->stateFile->write($this->state);
    }

    /** Tables of the site that are not in the copy. A network without its list of sites is described by the copy. */
    private function ownTables(array $loaded): array
    {
        $prefix = preg_quote($this->link->foldCase($this->site->prefix), '/');
        $numbered = preg_replace("/^$prefix(\\d+)_.*$/sD", '$1', array_map([$this->link, 'foldCase'], $loaded));
        $foreign = new VigieForeignTables($this->link, $this->site->prefix, $this->site->isNetwork, $numbered);
        return $foreign->ownTables($loaded, false);
    }

    /** Returns false if other connections lock a table for too long; nothing is swapped then. */
    public function swap(): bool
    {
        if ($this->tableSwap()->isSwapped()) {
            return true;
        }
        try {
            return $this->tableSwap()->swap();
        } catch (VigieStop $stop) {
            $this->reconnect($stop);
            if ($this->tableSwap()->isSwapped()) {
                return true;
            }
            throw $stop;
        }
    }

    /** The connection may be lost after the server executed the statement. */
    private function reconnect(VigieStop $why): void
    {
        for ($left = self::TRIES; $left > 0; $left--) {
            try {
                $this->connect();
                return;
            } catch (VigieStop $stop) {
                sleep(self::WAIT_SECONDS);
            }
        }
        throw $why;
    }

    /** Empties the object cache, which still holds rows of the replaced tables. */
    public function emptyObjectCache(): void
    {
        VigieOperation::log(VigieObjectCache::clear($this->site->content, $this->site->servers));
    }

    /** A server that died during the swap may have renamed only some tables. */
    public function undo(): void
    {
        try {
            $this->isComplete || $this->tableSwap()->isSwapped() || $this->tableSwap()->undo();
        } catch (VigieStop $stop) {
            return;
        }
    }

    /** Drops staged tables, or the state file of a completed restore. */
    public function cleanUp(): void
    {
        try {
            if ($this->isComplete) {
                $this->stateFile->delete();
            } elseif (!$this->tableSwap()->isSwapped()) {
                $this->revert();
            }
        } catch (VigieStop $stop) {
            // The server is gone; the next operation drops them.
            return;
        }
    }

    /** The tables are in place, even if keys, triggers or views fail. `$copyOperation`: the operation that made the copy. */
    public function complete(string $copyOperation): void
    {
        try {
            foreach ($this->tableSwap()->complete($this->site->prefix, $this->definitions, $this->state['views']) as $failure) {
                VigieOperation::log("{$failure['name']} n’a pas pu être recréé dans la base\u{a0}: {$failure['words']}");
            }
            $names = array_map([$this->link, 'foldCase'], array_column($this->link->query('SHOW TABLES'), 0));
            $unreadable = array_map([$this->link, 'foldCase'], $this->definitions['Database']['Unread'] ?? []);
            foreach (array_diff($unreadable, $names) as $name) {
                VigieOperation::log("$name n’était pas lisible avant la modification\u{a0}: il a disparu, et n’a pas pu être recréé.");
            }
            $this->isComplete = true;
        } catch (VigieStop $stop) {
            VigieOperation::log("Les tables sont revenues, mais tout n’a pas pu être rangé\u{a0}: " . ($stop->facts['words'] ?? ''));
        }
        VigieOperation::report(['is' => 'tables-back']);
        $copyOperation === $this->operation && $this->noteRestore();
    }

    /** Written before the site reopens, so that a second rollback does not discard what visitors write from now on. */
    private function noteRestore(): void
    {
        $file = @fopen('php://fd/8', 'wb');
        if ($file && @fwrite($file, "back\n") && fflush($file)) {
            function_exists('fsync') && @fsync($file);
        }
    }
}
