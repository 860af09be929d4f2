<?php
/** The tables of a site beside the files of its WordPress, as one statement after the other and as they are. */
final class VigieAsideTables
{
    /** Bytes: of the copy, as far as it is known before, and of the tables that it will be again. */
    public $bytes;
    public $stored;
    /** Where the server keeps them, if that can be seen. */
    public $folder;
    private $base;
    private $written = 0;

    public function __construct(string $prefix, bool $isNetwork)
    {
        $link = new VigieLink();
        $foreign = new VigieNeighbours($link, $prefix, $isNetwork);
        $others = array_filter(array_column($link->ask('SHOW TABLES'), 0), [$foreign, 'has']);
        $this->folder = VigieRoom::ofTables($link);
        $link->close();
        $this->base = new VigieDatabase($prefix);
        $this->base->survey(array_values($others));
        $this->bytes = (int) ceil(array_sum($this->base->tables) * VigieDump::GROWTH);
        $this->stored = $this->base->stored;
    }

    public function definitions(): array
    {
        return $this->base->definitions();
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
        // Whatever is changed next waits for nobody.
        $this->base->close();
    }
}

/** The same on their way back: beside those that are there, until all of them take their place at once. */
final class VigieTablesBack
{
    private const NOTE = 'tables.json';

    private $site;
    private $operation;
    private $link;
    private $note;
    private $facts = ['tables' => [], 'views' => []];

    /** `$note`: what a copy says of them. */
    public function __construct(array $order, string $operation, array $note)
    {
        $this->site = VigieSite::configured($order);
        $this->operation = $operation;
        $this->note = ['Database' => $note];
        $this->link = new VigieLink();
        // Whatever a process that was killed asked for comes to its end first.
        $this->link->hold("vigie $operation");
    }

    private function swap(): VigieTableSwap
    {
        return new VigieTableSwap($this->link, $this->operation, $this->facts['tables']);
    }

    /** What was begun there before and killed: done where it was as good as done, else as if it had not been. */
    public function recover(string $folder): void
    {
        $facts = json_decode((string) VigieFiles::read("$folder/" . self::NOTE, 16777216), true, 8);
        $this->facts = is_array($facts) ? $facts : $this->facts;
        if (!$this->swap()->isExchanged()) {
            $this->swap()->undo();
            $this->facts = ['tables' => [], 'views' => []];
            $this->swap()->drop();
        }
    }

    /** What is to be known of it lies in the folder before anything is exchanged. */
    public function load(Generator $chunks, string $folder): void
    {
        if ($this->facts['tables'] === []) {
            VigieTell::step('tables-back');
            $stage = VigieTableSwap::stageOf($this->operation);
            $load = new VigieLoad($this->link, $this->site->prefix, $stage, new VigieReplace([]));
            $foreign = new VigieNeighbours($this->link, $this->site->prefix, $this->site->isNetwork);
            $load->load($chunks, static function (): void {
            }, static function (string $table) use ($foreign): bool {
                return !$foreign->has($table);
            });
            // What came with the new version goes with it.
            $extra = $foreign->own(array_keys($load->tables + $load->views));
            $this->facts['tables'] = $this->swap()->plan(array_map(static function (array $table): string {
                return $table['stage'];
            }, $load->tables), $extra);
            $this->facts['views'] = $load->views;
        }
        $text = (string) json_encode($this->facts, JSON_INVALID_UTF8_SUBSTITUTE);
        $file = @fopen("$folder/" . self::NOTE, 'wb');
        $isThere = $file && @fwrite($file, $text) === strlen($text) && fflush($file)
            && (!function_exists('fsync') || fsync($file)) && fclose($file);
        if (!$isThere) {
            throw new VigieStop('no_room', 'write');
        }
    }

    public function exchange(): void
    {
        $this->swap()->isExchanged() || $this->swap()->exchange();
    }

    /** What never came to its place. */
    public function drop(): void
    {
        try {
            $this->swap()->isExchanged() || $this->swap()->drop();
        } catch (VigieStop $stop) {
            // Of a server that is gone; whoever comes next drops them.
            return;
        }
    }

    /** They are in their place, whatever cannot be made beside them. */
    public function complete(): void
    {
        try {
            foreach ($this->swap()->complete($this->site->prefix, $this->note, $this->facts['views']) as $one) {
                VigieTell::said("{$one['name']} n’a pas pu être recréé dans la base\u{a0}: {$one['words']}");
            }
        } catch (VigieStop $stop) {
            VigieTell::said("Les tables sont revenues, mais tout n’a pas pu être rangé\u{a0}: " . ($stop->facts['words'] ?? ''));
        }
    }
}
