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

    /** Staged name and number of rows of each table, by final name. */
    public $tables = [];
    /** CREATE VIEW by final name. */
    public $views = [];
    public $rows = 0;
    public $truncated;
    /** Replaced collations, and the check that refuses a CREATE TABLE that names another database. */
    public $mappedCollations = [];
    public $isCrossDatabase = null;
    /** Does a piece of other work while the server writes rows; returns false once there is none. */
    public $workMeanwhile = null;
    private $link;
    private $prefix;
    private $stage;
    private $replace;
    private $wants = null;
    private $serverFeatures = [];
    private $maxPacket = 0;
    private $maxBatch = 0;
    private $count = 0;
    private $buffer = '';
    /** The beginning of the current INSERT, and its table. */
    private $insertHead = '';
    private $target = null;
    private $batch = '';
    private $batchRows = 0;
    private $openBytes = 0;
    /** Table and rows of an INSERT that the server has not answered. */
    private $unanswered = null;

    public function __construct(VigieConnection $link, string $prefix, string $stage, VigieReplace $replace)
    {
        $this->link = $link;
        $this->prefix = $prefix;
        $this->stage = $stage;
        $this->replace = $replace;
        $this->truncated = new VigieTruncatedValues($link);
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
                $this->takeStatement($at, $end);
                $at = $from = $isLong ? 0 : $end + 2;
                $isLong && ($this->buffer = $rest);
            }
            $from = max($at, strlen($this->buffer) - 1);
            if (strlen($this->buffer) - $at > $this->maxPacket) {
                throw $this->tooLong((string) substr($this->buffer, $at));
            }
            $tick(strlen($chunk));
        }
        $this->takeLast((string) substr($this->buffer, $at));
        $this->commit();
        $this->link->execute('SET SESSION unique_checks = 1, foreign_key_checks = 1');
    }

    private function prepare(): void
    {
        // One expression checks a whole row: a long row takes many steps.
        ini_set('pcre.backtrack_limit', '1000000000');
        self::dropStaged($this->link, $this->stage);
        $this->link->execute("SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO', unique_checks = 0, foreign_key_checks = 0");
        // Accept what the old server accepted.
        $this->link->tryExecute('SET SESSION innodb_strict_mode = 0');
        // Each row of a statement may have a warning.
        $this->link->tryExecute('SET SESSION max_error_count = 65535');
        $this->maxPacket = $this->link->maxPacket() - self::FRAME;
        $this->maxBatch = min(self::JOINED, intdiv($this->maxPacket, 2));
        $this->serverFeatures = [$this->link->collations(), $this->link->engines()];
    }

    private function takeLast(string $rest): void
    {
        $sql = rtrim(self::withoutComments($rest));
        if ($sql === '') {
            return;
        }
        if (substr($sql, -1) !== ';') {
            throw new VigieStop('sql', 'cut', ['words' => substr($sql, 0, 200)]);
        }
        $this->buffer = $sql;
        $this->takeStatement(0, strlen($sql) - 1);
    }

    /** Executes the statement at this place of the buffer. */
    private function takeStatement(int $at, int $end): void
    {
        $length = strlen($this->insertHead);
        if ($length > 0 && substr_compare($this->buffer, $this->insertHead, $at, $length) === 0) {
            $this->takeRows($at + $length, $end);
            return;
        }
        foreach ([min(self::HEAD, $end - $at), $end - $at] as $length) {
            $sql = self::withoutComments(substr($this->buffer, $at, $length));
            if (preg_match(sprintf(self::INSERT, VigieSql::NAME), substr($sql, 0, self::HEAD), $match) === 1) {
                $this->startInsert($match);
                $this->takeRows($at + $length - strlen($sql) + strlen($match[0]), $end);
                return;
            }
        }
        if ($sql === '' || preg_match('~^(?:START TRANSACTION|COMMIT)\s*$~i', $sql) === 1) {
            return;
        }
        if (strlen($sql) > $this->maxBatch) {
            throw $this->tooLong($sql);
        } elseif (stripos($sql, 'CREATE TABLE ') === 0) {
            $this->createTable($sql);
        } elseif (preg_match(sprintf(self::DROP, VigieSql::NAME), $sql, $match) === 1) {
            $this->forgetTable($this->finalName(VigieSql::unquoted($match[1]), $sql));
        } else {
            $this->takeView($sql);
        }
    }

    private static function withoutComments(string $sql): string
    {
        $comments = '~^(?:\s++|(?:--(?=\s)|\#)[^\n]*+(?:\n|$)|/\*(?![!M])(?:[^*]++|\*(?!/))*+\*/|--$)++~';
        return preg_match($comments, $sql, $match) === 1 ? (string) substr($sql, strlen($match[0])) : $sql;
    }

    private function tooLong(string $sql): VigieStop
    {
        $isNamed = preg_match('~\b(?:INTO|TABLE|VIEW) (' . VigieSql::NAME . ')~', substr($sql, 0, 400), $match) === 1;
        $table = $isNamed ? VigieSql::unquoted($match[1]) : '';
        return new VigieStop('sql', 'long', ['path' => VigieSql::finalName($table, $this->prefix) ?? $table]);
    }

    private function finalName(string $name, string $sql): string
    {
        $final = VigieSql::finalName($name, $this->prefix);
        if ($final === null || preg_match('~[\x00-\x1f]|^$~', $name) === 1) {
            throw VigieCreateTable::forbidden($sql);
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

    private function forgetTable(string $name): void
    {
        if (isset($this->tables[$name])) {
            $this->flush();
            $this->receive();
            [$this->insertHead, $this->target] = ['', null];
            $this->rows -= $this->tables[$name]['rows'];
            $this->link->execute('DROP TABLE IF EXISTS ' . VigieConnection::quoteName($this->tables[$name]['stage']));
        }
        unset($this->tables[$name], $this->views[$name]);
    }

    private function createTable(string $sql): void
    {
        $creation = new VigieCreateTable($sql);
        $name = $this->finalName($creation->name, $sql);
        if (isset($this->tables[$name]) || ($this->isCrossDatabase !== null && ($this->isCrossDatabase)($sql))) {
            throw VigieCreateTable::forbidden($sql);
        }
        if (!$this->isWanted($name)) {
            return;
        }
        $this->commit();
        $stage = $this->stage . ++$this->count;
        $creation->adapt(...$this->serverFeatures);
        $this->mappedCollations += $creation->mappedCollations;
        for ($tries = 5; !$this->link->tryExecute($creation->sql($stage)); $tries--) {
            if ($tries === 0 || !$creation->adaptToError($this->link->errorCode())) {
                throw $this->refusal('table', $name);
            }
        }
        $this->tables[$name] = [
            'stage' => $stage, 'rows' => 0, 'columns' => $creation->columns, 'generated' => $creation->generated,
        ];
    }

    private function refusal(string $why, string $table): VigieStop
    {
        return new VigieStop('sql', $why, ['path' => $table, 'words' => $this->link->errorMessage()]);
    }

    private function takeView(string $sql): void
    {
        [$name, $statement] = VigieSql::parseView($sql) ?? ['', ''];
        $final = $this->finalName($name, $sql);
        if ($this->isWanted($final)) {
            $this->views[$final] = VigieSql::withPrefix("CREATE $statement", $this->prefix);
        }
    }

    /** Prepares for rows of another table or column list. */
    private function startInsert(array $insert): void
    {
        $this->flush();
        $name = $this->finalName(VigieSql::unquoted($insert[1]), $insert[0]);
        [$this->insertHead, $this->target] = [$insert[0], null];
        if (!$this->isWanted($name)) {
            return;
        }
        if (!isset($this->tables[$name])) {
            throw VigieCreateTable::forbidden($insert[0]);
        }
        $table = $this->tables[$name];
        $list = $insert[2] ?? '';
        preg_match_all('~' . VigieSql::NAME . '~', $list, $match);
        $columns = $list === '' ? $table['columns'] : array_map([VigieSql::class, 'unquoted'], $match[0]);
        $short = (string) preg_replace('/^\d+_/', '', (string) substr($name, strlen($this->prefix)));
        $special = strpos($name, $this->prefix) === 0 ? self::SPECIAL[$short] ?? null : null;
        $index = $special === null ? false : array_search($special, $columns, true);
        $generated = array_keys(array_intersect($columns, $table['generated']));
        $change = new VigieRowChange($this->prefix, $this->replace, $index === false ? null : $index, $generated);
        $this->target = [
            'name' => $name,
            'begin' => 'INSERT INTO ' . VigieConnection::quoteName($table['stage']) . " $list VALUES ",
            'change' => $change,
        ];
    }

    private function takeRows(int $at, int $end): void
    {
        $at += strspn($this->buffer, " \t\r\n", $at);
        while (($length = VigieValues::rowLength($this->buffer, $at)) !== null) {
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
        throw VigieCreateTable::forbidden($this->insertHead . substr($this->buffer, $at, 200));
    }

    private function addShort(int $at, int $length): void
    {
        $row = substr($this->buffer, $at, $length);
        if ($this->target['change']->isNeeded($row)) {
            $values = VigieValues::splitRow($row);
            array_walk($values, [$this->target['change'], 'change']);
            $row = '(' . implode(',', $values) . ')';
        }
        $this->addRow($row);
    }

    /** A long row at the end of the buffer: every copy is freed before the next is made. */
    private function addLong(int $at, int $length): void
    {
        $this->flush();
        $this->batch = $this->target['begin'];
        $this->batchRows = 1;
        if (!$this->target['change']->isNeeded($this->buffer, $at)) {
            $row = substr($this->buffer, $at, $length);
            $this->buffer = '';
            $this->batch .= $row;
            unset($row);
            $this->flush();
            return;
        }
        $values = VigieValues::splitRow($this->buffer, $at, $at + $length);
        $this->buffer = '';
        foreach (array_keys($values) as $index) {
            $this->target['change']->change($values[$index], $index);
            $this->batch .= $index === 0 ? '(' : ',';
            $this->batch .= $values[$index];
            unset($values[$index]);
        }
        $this->batch .= ')';
        $this->flush();
    }

    private function addRow(string $row): void
    {
        $length = strlen($this->batch);
        if ($length > 0 && $length + strlen($row) > $this->maxBatch) {
            $this->flush();
        }
        $this->batch .= $this->batch === '' ? $this->target['begin'] : ',';
        $this->batch .= $row;
        $this->batchRows++;
    }

    private function flush(): void
    {
        if ($this->batchRows === 0) {
            return;
        }
        $name = $this->target['name'];
        if (strlen($this->batch) > $this->maxPacket) {
            throw new VigieStop('sql', 'long', ['path' => $name]);
        }
        $this->receive();
        $this->openBytes === 0 && $this->link->execute('START TRANSACTION');
        // The server writes these rows while the next are read.
        $isSent = $this->link->sendAsync($this->batch);
        $this->unanswered = [$name, $this->batchRows];
        $isSent || $this->receive();
        $isFirst = $this->tables[$name]['rows'] === 0;
        $this->tables[$name]['rows'] += $this->batchRows;
        $this->rows += $this->batchRows;
        $this->openBytes += strlen($this->batch);
        [$this->batch, $this->batchRows] = ['', 0];
        // MariaDB keeps and sorts the rows of one transaction into an empty table, at twice the cost.
        if ($isFirst || $this->openBytes > self::TRANSACTION) {
            $this->commit();
        }
    }

    private function receive(): void
    {
        while ($this->workMeanwhile !== null && !$this->link->hasAnswer()) {
            $this->workMeanwhile = ($this->workMeanwhile)() ? $this->workMeanwhile : null;
        }
        [$name, $count] = $this->unanswered ?? ['', 0];
        $isWritten = $this->unanswered === null || ($this->link->receive() && $this->link->affectedRows() === $count);
        $this->unanswered = null;
        if (!$isWritten) {
            throw $this->refusal('row', $name);
        }
        $name === '' || $this->truncated->noteWarnings($name, $this->tables[$name]['stage']);
    }

    private function commit(): void
    {
        $this->flush();
        $this->receive();
        if ($this->openBytes > 0 && !$this->link->tryExecute('COMMIT')) {
            throw $this->refusal('row', $this->target['name'] ?? '');
        }
        $this->openBytes = 0;
    }

    /** Adapts the loaded tables to this site; `$plugins`: the plugins to activate. */
    public function relocate(VigieSite $site, array $about, array $plugins): void
    {
        (new VigieRelocation($this->link, $this->prefix, $this->tables))->relocate($site, $about, $plugins);
    }

    public function drop(): void
    {
        self::dropStaged($this->link, $this->stage);
        $this->tables = [];
    }

    public static function dropStaged(VigieConnection $link, string $stage): void
    {
        $like = VigieConnection::literal(addcslashes($stage, '\\%_') . '%');
        $pattern = '/^' . preg_quote($stage, '/') . '\d+$/D';
        $link->execute('SET SESSION foreign_key_checks = 0');
        foreach ($link->query("SHOW TABLES LIKE $like") as [$name]) {
            preg_match($pattern, $name) === 1 && $link->execute('DROP TABLE IF EXISTS ' . VigieConnection::quoteName($name));
        }
        $link->execute('SET SESSION foreign_key_checks = 1, unique_checks = 1');
    }
}
