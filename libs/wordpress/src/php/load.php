<?php
/** Loads a dump into staged tables, with the addresses of its new site, and executes nothing else. */
final class VigieLoad
{
    /** Bytes of joined statements, and of a transaction. */
    private const JOINED = 1048576;
    private const TRANSACTION = 16777216;
    /** A longer statement is never in memory three times at once; its first bytes name the table. */
    private const LONG = 1048576;
    private const HEAD = 65536;
    /** Bytes of a packet that are not the statement. */
    public const FRAME = 1024;
    private const INSERT = '~^INSERT INTO (%1$s)\s*(\((?:\s*%1$s\s*,)*\s*%1$s\s*\))?\s*VALUES\s*(?=\()~i';
    private const DROP = '~^DROP (?:TABLE|VIEW) IF EXISTS (%s)\s*$~i';
    private const SPECIAL = ['options' => 'option_name', 'usermeta' => 'meta_key'];

    /** By final name: the staged name and the number of rows. */
    public $tables = [];
    /** CREATE VIEW by final name. */
    public $views = [];
    public $rows = 0;
    public $cut;
    /** Replaced collations, and the check that refuses a CREATE TABLE that names another database. */
    public $mapped = [];
    public $isForeign = null;
    private $link;
    private $prefix;
    private $stage;
    private $replace;
    private $wants = null;
    private $known = [];
    private $packet = 0;
    private $limit = 0;
    private $count = 0;
    private $buffer = '';
    /** The beginning of the current INSERT, and its table. */
    private $head = '';
    private $target = null;
    private $batch = '';
    private $waiting = 0;
    private $open = 0;
    /** Table and rows of an INSERT that the server has not answered. */
    private $sent = null;

    public function __construct(VigieLink $link, string $prefix, string $stage, VigieReplace $replace)
    {
        $this->link = $link;
        $this->prefix = $prefix;
        $this->stage = $stage;
        $this->replace = $replace;
        $this->cut = new VigieCutValues($link);
    }

    /** Whether a dump begins like one of SQLite, whose tables MySQL cannot load. */
    public static function isSqlite(string $firstChunk): bool
    {
        $rows = stripos($firstChunk, "\nINSERT INTO ");
        $head = $rows === false ? $firstChunk : substr($firstChunk, 0, $rows);
        return preg_match('~^-- Class: \S*_Sqlite\b|^CREATE TABLE [^;]*\)\s*STRICT\s*;'
            . '|^\s*[`"]\w+[`"] INTEGER\b[^,]*\bAUTO_?INCREMENT\b~mi', $head) === 1;
    }

    /** `$wants`: selects tables and views by final name; `$tick`: called with the bytes read. */
    public function load(Generator $chunks, callable $tick, ?callable $wants = null): void
    {
        $this->wants = $wants;
        $this->prepare();
        [$at, $from] = [0, 0];
        foreach ($chunks as $chunk) {
            $this->buffer = $at === 0 ? $this->buffer : (string) substr($this->buffer, $at);
            $this->buffer .= $chunk;
            [$at, $from] = [0, max(0, $from - $at)];
            while (($end = strpos($this->buffer, ";\n", $from)) !== false) {
                $isLong = $end - $at > self::LONG;
                $rest = $isLong ? (string) substr($this->buffer, $end + 2) : '';
                $this->take($at, $end);
                $at = $from = $isLong ? 0 : $end + 2;
                $isLong && ($this->buffer = $rest);
            }
            $from = max($at, strlen($this->buffer) - 1);
            if (strlen($this->buffer) - $at > $this->packet) {
                throw $this->tooLong((string) substr($this->buffer, $at));
            }
            $tick(strlen($chunk));
        }
        $this->takeLast((string) substr($this->buffer, $at));
        $this->commit();
        $this->link->run('SET SESSION unique_checks = 1, foreign_key_checks = 1');
    }

    private function prepare(): void
    {
        // One expression checks a whole row: a long row takes many steps.
        ini_set('pcre.backtrack_limit', '1000000000');
        self::sweep($this->link, $this->stage);
        $this->link->run("SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO', unique_checks = 0, foreign_key_checks = 0");
        // Accept what the old server accepted.
        $this->link->attempt('SET SESSION innodb_strict_mode = 0');
        // Each row of a statement may have a warning.
        $this->link->attempt('SET SESSION max_error_count = 65535');
        $this->packet = $this->link->packet() - self::FRAME;
        $this->limit = min(self::JOINED, intdiv($this->packet, 2));
        $this->known = [$this->link->collations(), $this->link->engines()];
    }

    private function takeLast(string $rest): void
    {
        $sql = rtrim(self::uncommented($rest));
        if ($sql === '') {
            return;
        }
        if (substr($sql, -1) !== ';') {
            throw new VigieStop('sql', 'cut', ['words' => substr($sql, 0, 200)]);
        }
        $this->buffer = $sql;
        $this->take(0, strlen($sql) - 1);
    }

    /** Executes the statement at this place of the buffer. */
    private function take(int $at, int $end): void
    {
        $length = strlen($this->head);
        if ($length > 0 && substr_compare($this->buffer, $this->head, $at, $length) === 0) {
            $this->takeRows($at + $length, $end);
            return;
        }
        foreach ([min(self::HEAD, $end - $at), $end - $at] as $length) {
            $sql = self::uncommented(substr($this->buffer, $at, $length));
            if (preg_match(sprintf(self::INSERT, VigieSql::NAME), substr($sql, 0, self::HEAD), $match) === 1) {
                $this->turnTo($match);
                $this->takeRows($at + $length - strlen($sql) + strlen($match[0]), $end);
                return;
            }
        }
        if ($sql === '' || preg_match('~^(?:START TRANSACTION|COMMIT)\s*$~i', $sql) === 1) {
            return;
        }
        if (strlen($sql) > $this->limit) {
            throw $this->tooLong($sql);
        } elseif (stripos($sql, 'CREATE TABLE ') === 0) {
            $this->create($sql);
        } elseif (preg_match(sprintf(self::DROP, VigieSql::NAME), $sql, $match) === 1) {
            $this->forget($this->finalName(VigieSql::plain($match[1]), $sql));
        } else {
            $this->takeView($sql);
        }
    }

    private static function uncommented(string $sql): string
    {
        $comments = '~^(?:\s++|(?:--(?=\s)|\#)[^\n]*+(?:\n|$)|/\*(?![!M])(?:[^*]++|\*(?!/))*+\*/|--$)++~';
        return preg_match($comments, $sql, $match) === 1 ? (string) substr($sql, strlen($match[0])) : $sql;
    }

    private function tooLong(string $sql): VigieStop
    {
        $isNamed = preg_match('~\b(?:INTO|TABLE|VIEW) (' . VigieSql::NAME . ')~', substr($sql, 0, 400), $match) === 1;
        $table = $isNamed ? VigieSql::plain($match[1]) : '';
        return new VigieStop('sql', 'long', ['path' => VigieSql::final($table, $this->prefix) ?? $table]);
    }

    private function finalName(string $name, string $sql): string
    {
        $final = VigieSql::final($name, $this->prefix);
        if ($final === null || preg_match('~[\x00-\x1f]|^$~', $name) === 1) {
            throw VigieCreation::forbidden($sql);
        }
        if (strlen((string) preg_replace('~[\x80-\xbf]~', '', $final)) > 64) {
            throw new VigieStop('sql', 'name', ['path' => $final]);
        }
        return $final;
    }

    private function isWanted(string $name): bool
    {
        return $this->wants === null || ($this->wants)($name);
    }

    private function forget(string $name): void
    {
        if (isset($this->tables[$name])) {
            $this->flush();
            $this->hear();
            [$this->head, $this->target] = ['', null];
            $this->rows -= $this->tables[$name]['rows'];
            $this->link->run('DROP TABLE IF EXISTS ' . VigieLink::quoted($this->tables[$name]['stage']));
        }
        unset($this->tables[$name], $this->views[$name]);
    }

    private function create(string $sql): void
    {
        $creation = new VigieCreation($sql);
        $name = $this->finalName($creation->name, $sql);
        if (isset($this->tables[$name]) || ($this->isForeign !== null && ($this->isForeign)($sql))) {
            throw VigieCreation::forbidden($sql);
        }
        if (!$this->isWanted($name)) {
            return;
        }
        $this->commit();
        $stage = $this->stage . ++$this->count;
        $creation->adapt(...$this->known);
        $this->mapped += $creation->mapped;
        for ($tries = 5; !$this->link->attempt($creation->sql($stage)); $tries--) {
            if ($tries === 0 || !$creation->otherwise($this->link->code())) {
                throw $this->refusal('table', $name);
            }
        }
        $this->tables[$name] = [
            'stage' => $stage, 'rows' => 0, 'columns' => $creation->columns, 'generated' => $creation->generated,
        ];
    }

    private function refusal(string $why, string $table): VigieStop
    {
        return new VigieStop('sql', $why, ['path' => $table, 'words' => $this->link->words()]);
    }

    private function takeView(string $sql): void
    {
        [$name, $made] = VigieSql::view($sql) ?? ['', ''];
        $final = $this->finalName($name, $sql);
        if ($this->isWanted($final)) {
            $this->views[$final] = VigieSql::named("CREATE $made", $this->prefix);
        }
    }

    /** Prepares for rows of another table or column list. */
    private function turnTo(array $insert): void
    {
        $this->flush();
        $name = $this->finalName(VigieSql::plain($insert[1]), $insert[0]);
        [$this->head, $this->target] = [$insert[0], null];
        if (!$this->isWanted($name)) {
            return;
        }
        if (!isset($this->tables[$name])) {
            throw VigieCreation::forbidden($insert[0]);
        }
        $table = $this->tables[$name];
        $list = $insert[2] ?? '';
        preg_match_all('~' . VigieSql::NAME . '~', $list, $match);
        $columns = $list === '' ? $table['columns'] : array_map([VigieSql::class, 'plain'], $match[0]);
        $short = (string) preg_replace('/^\d+_/', '', (string) substr($name, strlen($this->prefix)));
        $special = strpos($name, $this->prefix) === 0 ? self::SPECIAL[$short] ?? null : null;
        $place = $special === null ? false : array_search($special, $columns, true);
        $generated = array_keys(array_intersect($columns, $table['generated']));
        $change = new VigieRowChange($this->prefix, $this->replace, $place === false ? null : $place, $generated);
        $this->target = [
            'name' => $name,
            'begin' => 'INSERT INTO ' . VigieLink::quoted($table['stage']) . " $list VALUES ",
            'change' => $change,
        ];
    }

    private function takeRows(int $at, int $end): void
    {
        $at += strspn($this->buffer, " \t\r\n", $at);
        while (($length = VigieValues::length($this->buffer, $at)) !== null) {
            $gap = strspn($this->buffer, ", \r\n\t", $at + $length);
            $commas = substr_count($this->buffer, ',', $at + $length, $gap);
            $isLast = $at + $length + $gap === $end && $commas === 0;
            if ($this->target !== null) {
                $isLast && $length > self::LONG ? $this->addLong($at, $length) : $this->addShort($at, $length);
            }
            $at += $length + $gap;
            if ($isLast || $at > $end || $commas !== 1) {
                break;
            }
        }
        if (!empty($isLast)) {
            return;
        }
        throw VigieCreation::forbidden($this->head . substr($this->buffer, $at, 200));
    }

    private function addShort(int $at, int $length): void
    {
        $row = substr($this->buffer, $at, $length);
        if ($this->target['change']->isNeeded($row)) {
            $values = VigieValues::split($row);
            array_walk($values, [$this->target['change'], 'change']);
            $row = '(' . implode(',', $values) . ')';
        }
        $this->add($row);
    }

    /** A long row at the end of the buffer: every copy is freed before the next is made. */
    private function addLong(int $at, int $length): void
    {
        $this->flush();
        $this->batch = $this->target['begin'];
        $this->waiting = 1;
        if (!$this->target['change']->isNeeded($this->buffer, $at)) {
            $row = substr($this->buffer, $at, $length);
            $this->buffer = '';
            $this->batch .= $row;
            unset($row);
            $this->flush();
            return;
        }
        $values = VigieValues::split($this->buffer, $at, $at + $length);
        $this->buffer = '';
        foreach (array_keys($values) as $place) {
            $this->target['change']->change($values[$place], $place);
            $this->batch .= $place === 0 ? '(' : ',';
            $this->batch .= $values[$place];
            unset($values[$place]);
        }
        $this->batch .= ')';
        $this->flush();
    }

    private function add(string $row): void
    {
        $length = strlen($this->batch);
        if ($length > 0 && $length + strlen($row) > $this->limit) {
            $this->flush();
        }
        $this->batch .= $this->batch === '' ? $this->target['begin'] : ',';
        $this->batch .= $row;
        $this->waiting++;
    }

    private function flush(): void
    {
        if ($this->waiting === 0) {
            return;
        }
        $name = $this->target['name'];
        if (strlen($this->batch) > $this->packet) {
            throw new VigieStop('sql', 'long', ['path' => $name]);
        }
        $this->hear();
        if ($this->open === 0) {
            $this->link->run('START TRANSACTION');
        }
        // The server writes these rows while the next are read.
        $isSent = $this->link->send($this->batch);
        $this->sent = [$name, $this->waiting];
        $isSent || $this->hear();
        $isFirst = $this->tables[$name]['rows'] === 0;
        $this->tables[$name]['rows'] += $this->waiting;
        $this->rows += $this->waiting;
        $this->open += strlen($this->batch);
        [$this->batch, $this->waiting] = ['', 0];
        // MariaDB keeps and sorts the rows of one transaction into an empty table, at twice the cost.
        if ($isFirst || $this->open > self::TRANSACTION) {
            $this->commit();
        }
    }

    private function hear(): void
    {
        [$name, $count] = $this->sent ?? ['', 0];
        $isThere = $this->sent === null || ($this->link->hear() && $this->link->written() === $count);
        $this->sent = null;
        if (!$isThere) {
            throw $this->refusal('row', $name);
        }
        $name === '' || $this->cut->take($name, $this->tables[$name]['stage']);
    }

    private function commit(): void
    {
        $this->flush();
        $this->hear();
        if ($this->open > 0 && !$this->link->attempt('COMMIT')) {
            throw $this->refusal('row', $this->target['name'] ?? '');
        }
        $this->open = 0;
    }

    /** Adapts the loaded tables to this site; `$plugins`: the plugins to activate. */
    public function settle(VigieSite $site, array $about, array $plugins): void
    {
        (new VigieSettle($this->link, $this->prefix, $this->tables))->settle($site, $about, $plugins);
    }

    public function drop(): void
    {
        self::sweep($this->link, $this->stage);
        $this->tables = [];
    }

    public static function sweep(VigieLink $link, string $stage): void
    {
        $like = VigieLink::text(addcslashes($stage, '\\%_') . '%');
        $pattern = '/^' . preg_quote($stage, '/') . '\d+$/D';
        $link->run('SET SESSION foreign_key_checks = 0');
        foreach ($link->ask("SHOW TABLES LIKE $like") as [$name]) {
            preg_match($pattern, $name) === 1 && $link->run('DROP TABLE IF EXISTS ' . VigieLink::quoted($name));
        }
        $link->run('SET SESSION foreign_key_checks = 1, unique_checks = 1');
    }
}
