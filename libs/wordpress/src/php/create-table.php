<?php
/** A parsed CREATE TABLE of a dump: refuses what no dump contains, and adapts the rest to this server. */
final class VigieCreateTable
{
    private const HEAD = '~^CREATE TABLE (?:IF NOT EXISTS )?(%s)\s*(?=\()~i';
    private const TOKEN = '~(?:%s)|(?:%s)|[(),]|[^\'"`(),]++~s';
    private const FORBIDDEN = '~\b(?:DATA|INDEX)\s+DIRECTORY\b|\bCONNECTION\s*+=?+\s*+\'\'|\b(?:UNION|SELECT|TABLE|REFERENCES)\b'
        . '|\b(?:ENGINE|TYPE)\s*+=?+\s*+(?:\'\'|``)|^\(\s*LIKE\b~i';
    private const ENGINE = '~\b(?:ENGINE|TYPE)\s*=?\s*(\w+)~i';
    /** Engines that keep their rows elsewhere, or nowhere. */
    private const FOREIGN_ENGINE = '~\b(?:ENGINE|TYPE)\s*=?\s*(?:FEDERATEDX?|CONNECT|SPIDER|S3|MERGE|MRG_MYISAM|SEQUENCE|OQGRAPH|SPHINX\w*)\b~i';
    private const NO_COLUMN = '~^\s*(?:PRIMARY|UNIQUE|KEY|INDEX|FULLTEXT|SPATIAL|CONSTRAINT|CHECK|FOREIGN|PERIOD|VECTOR)\b~i';
    private const COLLATION = '~\b(utf8mb[34]|utf8|ucs2|utf16(?:le)?|utf32)_\w+~i';

    /** The name in the dump. */
    public $name;
    /** Columns that an INSERT without a list fills. */
    public $columns = [];
    public $generated = [];
    /** Unknown collations, and the ones that replace them. */
    public $mappedCollations = [];
    private $parts;
    private $tail;

    public function __construct(string $sql)
    {
        $sql = VigieSql::replaceOutside($sql, static function (string $text): string {
            return $text;
        });
        if (preg_match(sprintf(self::HEAD, VigieSql::NAME), $sql, $match) !== 1) {
            throw self::forbidden($sql);
        }
        $this->name = VigieSql::unquoted($match[1]);
        $this->splitDefinitions(substr($sql, strlen($match[0])));
        // Foreign keys are added after all tables have their final names.
        $this->parts = self::withoutDefinitions($this->parts, 'FOREIGN');
        $bare = VigieSql::skeleton($this->body());
        $isForbidden = $bare === null || preg_match(self::FORBIDDEN, $bare) === 1 || preg_match(self::FOREIGN_ENGINE, $bare) === 1;
        if ($isForbidden || $this->parts === []) {
            throw self::forbidden($sql);
        }
        $this->readColumns();
    }

    public static function forbidden(string $sql): VigieStop
    {
        return new VigieStop('sql', 'forbidden', ['words' => substr($sql, 0, 200)]);
    }

    /** Splits the definitions at their commas, and separates the table options. */
    private function splitDefinitions(string $sql): void
    {
        preg_match_all(sprintf(self::TOKEN, VigieSql::STRING, VigieSql::NAME), $sql, $match);
        [$depth, $part, $this->parts] = [0, '', []];
        foreach ($match[0] ?? [] as $at => $token) {
            $depth += ['(' => 1, ')' => -1][$token] ?? 0;
            if ($depth === 0) {
                $this->parts[] = $part;
                $this->tail = implode('', array_slice($match[0], $at + 1));
                break;
            }
            if ($token === ',' && $depth === 1) {
                $this->parts[] = $part;
                $part = '';
            } elseif ($depth > 1 || $token !== '(' || $part !== '') {
                $part .= $token;
            }
        }
        // An unparsed character would be lost.
        if ($depth !== 0 || $this->tail === null || strlen(implode('', $match[0] ?? [])) !== strlen($sql)) {
            throw self::forbidden($sql);
        }
    }

    private static function withoutDefinitions(array $parts, string $kind): array
    {
        $pattern = '~^\s*(?:CONSTRAINT\s*(?:' . VigieSql::NAME . '|\w+)?\s*)?' . $kind . '\b~i';
        return array_values(array_filter($parts, static function (string $part) use ($pattern): bool {
            return preg_match($pattern, $part) !== 1;
        }));
    }

    private function readColumns(): void
    {
        $name = '~^\s*(' . VigieSql::NAME . '|[\w$]+)~';
        foreach ($this->parts as $part) {
            if (preg_match(self::NO_COLUMN, $part) === 1 || preg_match($name, $part, $match) !== 1) {
                continue;
            }
            $column = $match[1][0] === '`' ? VigieSql::unquoted($match[1]) : $match[1];
            $bare = (string) VigieSql::skeleton($part);
            if (preg_match('~\bAS\s*(?:\(|ROW\b)~i', $bare) === 1) {
                $this->generated[] = $column;
            }
            if (preg_match('~\bINVISIBLE\b~i', $bare) !== 1) {
                $this->columns[] = $column;
            }
        }
    }

    private function body(): string
    {
        return '(' . implode(',', $this->parts) . ')' . $this->tail;
    }

    public function sql(string $name): string
    {
        return 'CREATE TABLE ' . VigieConnection::quoteName($name) . ' ' . $this->body();
    }

    /** Replaces collations and engines that this server does not know. */
    public function adapt(array $collations, array $engines): void
    {
        $available = array_flip(array_map('strtolower', $collations));
        $change = function (string $text) use ($available): string {
            return (string) preg_replace_callback(self::COLLATION, function (array $match) use ($available): string {
                return isset($available[strtolower($match[0])]) ? $match[0] : $this->mapCollation(strtolower($match[0]), $available);
            }, $text);
        };
        foreach ($this->parts as $at => $part) {
            $this->parts[$at] = VigieSql::replaceOutside($part, $change);
        }
        $this->tail = VigieSql::replaceOutside($this->tail, $change);
        $engine = preg_match(self::ENGINE, (string) VigieSql::skeleton($this->tail), $match) === 1 ? strtolower($match[1]) : 'innodb';
        if (!in_array($engine, array_map('strtolower', $engines), true)) {
            $this->useInnoDb();
        }
    }

    private function mapCollation(string $name, array $available): string
    {
        $nearest = self::nearestCollation($name, $available);
        // utf8 and utf8mb3 are two names of one character set.
        if (str_replace('utf8mb3_', 'utf8_', $nearest) !== str_replace('utf8mb3_', 'utf8_', $name)) {
            $this->mappedCollations[$name] = $nearest;
        }
        return $nearest;
    }

    /** The available collation nearest to a missing one. */
    private static function nearestCollation(string $name, array $available): string
    {
        [$set, $kind] = explode('_', $name, 2);
        $others = ['utf8' => 'utf8mb3', 'utf8mb3' => 'utf8'];
        $kinds = preg_match('~_(?:cs|bin)$|^bin$~', $kind) === 1
            ? [$kind, 'bin']
            : [$kind, 'unicode_520_ci', 'unicode_ci', 'general_ci'];
        foreach ($kinds as $candidate) {
            foreach ([$set, $others[$set] ?? $set] as $charset) {
                if (isset($available["{$charset}_$candidate"])) {
                    return "{$charset}_$candidate";
                }
            }
        }
        return $name;
    }

    private function useInnoDb(): void
    {
        $this->tail = VigieSql::replaceOutside($this->tail, static function (string $text): string {
            return (string) preg_replace(self::ENGINE, 'ENGINE=InnoDB', $text);
        });
    }

    /** Changes the statement to avoid the server's error; returns false if there is no other way. */
    public function adaptToError(int $code): bool
    {
        $before = $this->body();
        if ($code === 1030 || $code === 1286) {
            $this->useInnoDb();
        } elseif ($code === 1071 || $code === 1709 || $code === 1118) {
            $this->tail = VigieSql::replaceOutside($this->tail, static function (string $text): string {
                return (string) preg_replace('~\s*\bROW_FORMAT\s*=?\s*\w+~i', '', $text);
            });
            $this->tail .= ' ROW_FORMAT=DYNAMIC';
        } elseif ($code === 1214) {
            $this->parts = self::withoutDefinitions($this->parts, 'FULLTEXT');
        } elseif ($code === 3822) {
            // MySQL has one namespace for CHECK constraints per database, and the live site uses these names.
            $this->parts = preg_replace('~^(\s*)CONSTRAINT ' . VigieSql::NAME . ' CHECK\b~', '$1CHECK', $this->parts);
        }
        return $this->body() !== $before;
    }
}
