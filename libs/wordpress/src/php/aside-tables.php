<?php
/** Dumps the site's tables into the rollback copy of a WordPress update. */
final class VigieAsideTables
{
    /** Server error for a missing privilege. */
    private const DENIED = 1142;
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
        if (VigieTell::$part === 'prepare' && !VigieTell::$isReadable) {
            // The configuration could not be read without WordPress: a trial process reports why.
            VigieBoot::finish(22);
        }
        $link = new VigieLink();
        $foreign = new VigieNeighbours($link, $prefix, $isNetwork);
        $others = array_filter(array_column($link->ask('SHOW TABLES'), 0), [$foreign, 'has']);
        $this->folder = VigieRoom::ofTables($link);
        $this->packet = $link->packet() - VigieLoad::FRAME;
        [$code, $words] = self::tryReturn($link);
        $options = $link->folded("{$prefix}options");
        $tables = array_map([$link, 'folded'], array_column($link->ask('SHOW TABLES'), 0));
        $link->close();
        if (!in_array($options, $tables, true)) {
            throw new VigieStop('database', 'absent', ['path' => $options]);
        }
        $this->base = new VigieDatabase($prefix);
        $this->base->useUtc();
        $this->base->survey(array_values($others));
        $this->checkTriggers($code, $words);
        $this->bytes = (int) ceil(array_sum($this->base->tables) * VigieDump::GROWTH);
        $this->stored = $this->base->stored;
    }

    /** Performs each step of a later restore on a table of ours: only that shows a missing privilege. */
    private static function tryReturn(VigieLink $link): array
    {
        $stage = VigieTableSwap::stageOf(VigieTell::$order['operation']);
        [$new, $there] = [VigieLink::quoted("{$stage}new"), VigieLink::quoted("{$stage}there")];
        $link->hold(VigieTableSwap::lockOf(VigieTell::$order['operation']));
        $link->run("DROP TABLE IF EXISTS $new, $there");
        $link->run("CREATE TABLE $new (id INT)");
        $link->run("RENAME TABLE $new TO $there");
        $isTaken = $link->attempt("CREATE TRIGGER $new BEFORE INSERT ON $there FOR EACH ROW SET NEW.id = 1");
        $refusal = $isTaken ? [0, ''] : [$link->code(), $link->words()];
        $link->run("DROP TABLE $there");
        return $refusal;
    }

    /** Judges the server's answer to a trigger of ours. A user that may create no trigger cannot see any either. */
    private function checkTriggers(int $code, string $words): void
    {
        if ($this->base->hidesTriggers || ($code !== 0 && $this->base->triggers !== [])) {
            throw new VigieStop('database', 'triggers', ['words' => $words]);
        }
        if ($code === self::DENIED) {
            VigieTell::said("L’utilisateur de la base n’a pas le droit TRIGGER\u{a0}: si les tables du site ont des"
                . " déclencheurs, Vigie ne les voit pas, et un retour arrière ne les ramènerait pas.");
        }
    }

    public function definitions(): array
    {
        return $this->base->definitions() + ['Unread' => $this->base->unread];
    }

    public function write(VigieAside $copy, int $most): void
    {
        VigieTell::step('tables');
        $dump = new VigieDump($this->base, function (string $sql) use ($copy, $most): void {
            $this->written += strlen($sql);
            if ($this->written > $most) {
                throw new VigieStop('no_room', 'copy', ['most' => VigieChange::size($most)]);
            }
            $copy->addTables($sql);
            VigieTell::step('tables', $this->written, max($this->written, $this->bytes));
        }, true);
        $dump->write([]);
        if ($dump->longest > $this->packet) {
            throw new VigieStop('database', 'long', ['most' => VigieChange::size($this->packet)]);
        }
        // Releases the snapshot, so that the change waits for nobody.
        $this->base->close();
    }
}

/** Restores the tables of a rollback copy: loads them into staged tables, then swaps all at once. */
final class VigieTablesBack
{
    /** A stopped database server may return in a moment: attempts, and the seconds between them. */
    private const TRIES = 20;
    private const BETWEEN = 3;

    private $folder;
    private $site;
    private $operation;
    private $link;
    private $made;
    private $note;
    private $facts;
    private $isComplete = false;

    /** `$made`: the definitions noted in the copy. */
    public function __construct(array $order, string $operation, array $made)
    {
        $this->site = VigieSite::configured($order);
        $this->operation = $operation;
        $this->made = ['Database' => $made];
        $this->facts = VigieTableNote::blank($operation, $this->site->prefix);
        $this->connect();
    }

    private function connect(): void
    {
        $this->link = new VigieLink();
        $this->link->useUtc();
        // Waits until the server has finished a statement of a killed process.
        $this->link->hold(VigieTableSwap::lockOf($this->operation));
    }

    private function swap(): VigieTableSwap
    {
        return new VigieTableSwap($this->link, $this->operation, $this->facts['tables']);
    }

    /** Continues an interrupted restore: completed if the tables were already swapped, otherwise reverted. */
    public function recover(string $folder): void
    {
        $this->folder = $folder;
        $this->note = new VigieTableNote($folder);
        $known = $this->note->read($this->link, $this->operation, $this->site->prefix, $this->site->isNetwork);
        if ($known !== null && $known['operation'] !== $this->operation) {
            // Another rollback of the same copy was interrupted; later changes may have replaced its result.
            VigieLeftTables::finish($this->link, $this->note, $known);
            $this->link->hold(VigieTableSwap::lockOf($this->operation));
            $known = null;
        }
        $this->facts = $known ?? $this->facts;
        $this->swap()->isExchanged() || $this->takeBack();
    }

    private function takeBack(): void
    {
        $this->swap()->undo();
        // Without the staged tables a leftover note would make this look like a completed swap.
        if (!$this->note->forget()) {
            throw new VigieStop('not_rolled_back', 'place', ['path' => $this->folder]);
        }
        $this->facts = VigieTableNote::blank($this->operation, $this->site->prefix);
        $this->swap()->drop();
    }

    /** Writes the state file before any table is swapped. */
    public function load(Generator $chunks): void
    {
        if ($this->facts['tables'] !== []) {
            return;
        }
        VigieTell::step('tables-back');
        $this->note->write($this->facts);
        $stage = VigieTableSwap::stageOf($this->operation);
        $load = new VigieLoad($this->link, $this->site->prefix, $stage, new VigieReplace([]));
        $foreign = new VigieNeighbours($this->link, $this->site->prefix, $this->site->isNetwork);
        $load->load($chunks, static function (): void {
        }, static function (string $table) use ($foreign): bool {
            return !$foreign->has($table);
        });
        // Tables that the new version created are removed.
        $extra = $this->own(array_keys($load->tables + $load->views));
        $this->facts['tables'] = $this->swap()->plan(array_map(static function (array $table): string {
            return $table['stage'];
        }, $load->tables), $extra);
        $this->facts['views'] = $load->views;
        $this->note->write($this->facts);
    }

    /** Tables of the site that are not in the copy. A network without its list of sites is described by the copy. */
    private function own(array $known): array
    {
        $prefix = preg_quote($this->link->folded($this->site->prefix), '/');
        $numbered = preg_replace("/^$prefix(\\d+)_.*$/sD", '$1', array_map([$this->link, 'folded'], $known));
        $foreign = new VigieNeighbours($this->link, $this->site->prefix, $this->site->isNetwork, $numbered);
        return $foreign->own($known, false);
    }

    /** Returns false if other connections lock a table for too long; nothing is swapped then. */
    public function exchange(): bool
    {
        if ($this->swap()->isExchanged()) {
            return true;
        }
        try {
            return $this->swap()->exchange();
        } catch (VigieStop $stop) {
            $this->reconnect($stop);
            if ($this->swap()->isExchanged()) {
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
                sleep(self::BETWEEN);
            }
        }
        throw $why;
    }

    /** Empties the object cache, which still holds rows of the replaced tables. */
    public function clearCache(): void
    {
        VigieTell::said(VigieObjectCache::clear($this->site->content, $this->site->servers));
    }

    /** A server that died during the swap may have renamed only some tables. */
    public function undo(): void
    {
        try {
            $this->isComplete || $this->swap()->isExchanged() || $this->swap()->undo();
        } catch (VigieStop $stop) {
            return;
        }
    }

    /** Drops staged tables, or the state file of a completed restore. */
    public function tidy(): void
    {
        try {
            if ($this->isComplete) {
                $this->note->forget();
            } elseif (!$this->swap()->isExchanged()) {
                $this->takeBack();
            }
        } catch (VigieStop $stop) {
            // The server is gone; the next operation drops them.
            return;
        }
    }

    /** The tables are in place, even if keys, triggers or views fail. `$of`: the operation that made the copy. */
    public function complete(string $of): void
    {
        try {
            foreach ($this->swap()->complete($this->site->prefix, $this->made, $this->facts['views']) as $one) {
                VigieTell::said("{$one['name']} n’a pas pu être recréé dans la base\u{a0}: {$one['words']}");
            }
            $names = array_map([$this->link, 'folded'], array_column($this->link->ask('SHOW TABLES'), 0));
            foreach (array_diff(array_map([$this->link, 'folded'], $this->made['Database']['Unread'] ?? []), $names) as $name) {
                VigieTell::said("$name ne se laissait pas lire avant la modification, n’est plus là, et n’a pas pu être recréé.");
            }
            $this->isComplete = true;
        } catch (VigieStop $stop) {
            VigieTell::said("Les tables sont revenues, mais tout n’a pas pu être rangé\u{a0}: " . ($stop->facts['words'] ?? ''));
        }
        VigieTell::line(['is' => 'tables-back']);
        $of === $this->operation && $this->noteReturn();
    }

    /** Written before the site reopens, so that a second rollback does not discard what visitors write from now on. */
    private function noteReturn(): void
    {
        $note = @fopen('php://fd/8', 'wb');
        if ($note && @fwrite($note, "back\n") && fflush($note)) {
            function_exists('fsync') && @fsync($note);
        }
    }
}
