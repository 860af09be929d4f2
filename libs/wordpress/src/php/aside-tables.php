<?php
/** The tables of a site beside the files of its WordPress, as one statement after the other and as they are. */
final class VigieAsideTables
{
    /** What the server says where a right is missing. */
    private const DENIED = 1142;
    /** Bytes: of the copy, as far as it is known before, and of the tables that it will be again. */
    public $bytes;
    public $stored;
    /** Where the server keeps them, if that can be seen. */
    public $folder;
    private $base;
    private $packet;
    private $written = 0;

    public function __construct(string $prefix, bool $isNetwork)
    {
        if (VigieTell::$part === 'prepare' && !VigieTell::$isReadable) {
            // Whoever starts WordPress cannot read it without: another process says why.
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

    /** Does with a table of ours what brings tables back: what is missing for it shows nowhere else before. */
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

    /** What the server said of one of ours. Whoever may make none sees none either. */
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
        // Whatever is changed next waits for nobody.
        $this->base->close();
    }
}

/** The same on their way back: beside those that are there, until all of them take their place at once. */
final class VigieTablesBack
{
    /** A server that stopped may be back in a moment: tries, and the seconds between them. */
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

    /** `$made`: what a copy says of them. */
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
        // Whatever a process that was killed asked for comes to its end first.
        $this->link->hold(VigieTableSwap::lockOf($this->operation));
    }

    private function swap(): VigieTableSwap
    {
        return new VigieTableSwap($this->link, $this->operation, $this->facts['tables']);
    }

    /** What was begun there before and killed: done where it was as good as done, else as if it had not been. */
    public function recover(string $folder): void
    {
        $this->folder = $folder;
        $this->note = new VigieTableNote($folder);
        $known = $this->note->read($this->link, $this->operation, $this->site->prefix, $this->site->isNetwork);
        if ($known !== null && $known['operation'] !== $this->operation) {
            // Another return of the same copy, and what came back with it may be gone again since.
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
        // Once they are dropped, what is there would look like what was exchanged to whoever reads of it.
        if (!$this->note->forget()) {
            throw new VigieStop('not_rolled_back', 'place', ['path' => $this->folder]);
        }
        $this->facts = VigieTableNote::blank($this->operation, $this->site->prefix);
        $this->swap()->drop();
    }

    /** What is to be known of it lies in the folder before anything is exchanged. */
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
        // What came with the new version goes with it.
        $extra = $this->own(array_keys($load->tables + $load->views));
        $this->facts['tables'] = $this->swap()->plan(array_map(static function (array $table): string {
            return $table['stage'];
        }, $load->tables), $extra);
        $this->facts['views'] = $load->views;
        $this->note->write($this->facts);
    }

    /** Tables of the site that a copy does not have: where a network does not know its sites any more, the copy does. */
    private function own(array $known): array
    {
        $prefix = preg_quote($this->link->folded($this->site->prefix), '/');
        $numbered = preg_replace("/^$prefix(\\d+)_.*$/sD", '$1', array_map([$this->link, 'folded'], $known));
        $foreign = new VigieNeighbours($this->link, $this->site->prefix, $this->site->isNetwork, $numbered);
        return $foreign->own($known, false);
    }

    /** False where others hold one of them for too long: nothing was exchanged then. */
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

    /** The connection may have been lost after the server did what it was asked for. */
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

    /** Whoever reads the site next has none of what was kept beside the tables that are gone. */
    public function clearCache(): void
    {
        VigieTell::said(VigieObjectCache::clear($this->site->content, $this->site->servers));
    }

    /** Of a server that ended in mid-exchange some may go by other names. */
    public function undo(): void
    {
        try {
            $this->isComplete || $this->swap()->isExchanged() || $this->swap()->undo();
        } catch (VigieStop $stop) {
            return;
        }
    }

    /** Without what never came to its place, and without the note of what is done. */
    public function tidy(): void
    {
        try {
            if ($this->isComplete) {
                $this->note->forget();
            } elseif (!$this->swap()->isExchanged()) {
                $this->takeBack();
            }
        } catch (VigieStop $stop) {
            // Of a server that is gone; whoever comes next drops them.
            return;
        }
    }

    /** They are in their place, whatever cannot be made beside them. `$of`: the operation whose copy it was. */
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

    /** Before the site is open again: whoever comes next leaves its visitors what they wrote since. */
    private function noteReturn(): void
    {
        $note = @fopen('php://fd/8', 'wb');
        if ($note && @fwrite($note, "back\n") && fflush($note)) {
            function_exists('fsync') && @fsync($note);
        }
    }
}
