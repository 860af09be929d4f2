<?php
/** Lets tests call the classes that load dumps: requests as JSON on standard input, answers on standard output. */
final class VigieLoadTests
{
    private const CHUNK = 524288;

    public static function run(): void
    {
        $order = json_decode((string) stream_get_contents(STDIN), true);
        foreach ($order['constants'] ?? [] as $name => $value) {
            define($name, $value);
        }
        $answer = [];
        foreach ($order['asks'] as $request) {
            try {
                $answer[] = [self::class, $request['is']]($request);
            } catch (VigieStop $stop) {
                $answer[] = ['stop' => $stop->facts];
            }
        }
        // Reading a site mutes output, so the answer goes to STDOUT directly.
        fwrite(STDOUT, json_encode($answer, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE));
    }

    private static function site(array $about): VigieSite
    {
        $site = new VigieSite();
        foreach ($about as $name => $value) {
            $site->$name = $value;
        }
        return $site;
    }

    /** Writes a dump as a backup does. */
    private static function pack(array $request): array
    {
        $base = new VigieDatabase($request['site']['prefix']);
        $base->readSchema([]);
        $archive = new VigieArchive($request['file'], 1, static function (): void {
        });
        $archive->begin('database.sql', '.', 0, time());
        (new VigieDump($base, [$archive, 'append']))->write([]);
        $archive->end();
        $base->close();
        $about = new VigiePackageJson(self::site($request['site']), $base, []);
        return ['about' => json_decode($about->json('00000000'), true)];
    }

    private static function chunks(array $request): Generator
    {
        $chunk = $request['chunk'] ?? self::CHUNK;
        foreach (isset($request['sql']) ? str_split($request['sql'], $chunk) : [] as $text) {
            yield $text;
        }
        if (isset($request['file'])) {
            $file = fopen($request['file'], 'rb');
            fseek($file, $request['from'] ?? 0);
            while (($text = (string) fread($file, $chunk)) !== '') {
                yield $text;
            }
        }
    }

    private static function load(array $request): array
    {
        $site = self::site($request['site']);
        $link = new VigieConnection();
        $replace = new VigieReplace($request['pairs'] ?? VigieReplace::pairs($request['about'] ?? [], $site));
        $load = new VigieLoad($link, $site->prefix, $request['stage'], $replace);
        $load->isCrossDatabase = empty($request['strict']) ? null : [$link, 'isCrossDatabase'];
        [$heard, $pieces] = [0, 0];
        $load->workMeanwhile = static function () use (&$pieces): bool {
            return ++$pieces < 100;
        };
        $without = $request['without'] ?? null;
        $began = microtime(true);
        try {
            $load->load(self::chunks($request), static function (int $bytes) use (&$heard): void {
                $heard += $bytes;
            }, $without === null ? null : static function (string $name) use ($without): bool {
                return !in_array($name, $without, true);
            });
        } catch (VigieStop $stop) {
            $there = array_column($link->query('SHOW TABLES'), 0);
            $load->drop();
            return ['stop' => $stop->facts, 'there' => $there, 'left' => array_column($link->query('SHOW TABLES'), 0)];
        }
        $seconds = microtime(true) - $began;
        isset($request['loses']) && $link->execute($request['loses']);
        $lost = VigieRestoreCheck::lostRows($link, $load->tables, $request['noted'] ?? []);
        if (isset($request['plugins'])) {
            $load->relocate($site, $request['about'], $request['plugins']);
        }
        $failed = [];
        if (!empty($request['swap'])) {
            foreach ($load->tables as $name => $table) {
                $link->execute('RENAME TABLE ' . VigieConnection::quoteName($table['stage']) . ' TO ' . VigieConnection::quoteName($name));
            }
            $note = $request['about']['Vigie'] ?? [];
            $failed = array_merge(
                VigieDefinitions::createAll($link, $site->prefix, $note, $load->views, array_keys($load->tables)),
                VigieDefinitions::createAll($link, $site->prefix, $note, $load->views, array_keys($load->tables))
            );
        }
        isset($request['breaks']) && $link->execute($request['breaks']);
        $themes = ['template' => $request['about']['Template'] ?? '', 'stylesheet' => $request['about']['Stylesheet'] ?? ''];
        $live = isset($request['breaks']) ? VigieRestoreCheck::lostLive($link, $site, $load->tables, $request['plugins'], $themes) : [];
        return [
            'lost' => $lost, 'live' => $live, 'cut' => $load->truncated->columns, 'mapped' => $load->mappedCollations, 'tables' => $load->tables, 'views' => $load->views, 'rows' => $load->rows, 'heard' => $heard, 'pieces' => $pieces,
            'failed' => $failed, 'memory' => memory_get_peak_usage(true), 'seconds' => $seconds,
        ];
    }

    private static function define(array $request): array
    {
        return VigieDefinitions::createAll(new VigieConnection(), $request['prefix'], $request['note'], $request['views'] ?? [], $request['tables'] ?? []);
    }

    private static function sweep(array $request): array
    {
        VigieLoad::dropStaged(new VigieConnection(), $request['stage']);
        return [];
    }

    /** Clears leftover tables and lists the rest. `later`: days from now; `live`: an operation whose lock is held. */
    private static function clear(array $request): array
    {
        $live = new VigieConnection();
        isset($request['live']) && $live->lock(VigieTableSwap::lockName($request['live']));
        $link = new VigieConnection();
        $link->execute('SET SESSION timestamp = UNIX_TIMESTAMP() + 86400 * ' . ($request['later'] ?? 0));
        VigieLeftoverTables::clear($link, [$request['base'], $request['content'] ?? $request['base']], 'wp_', false);
        return array_column($link->query('SHOW TABLES'), 0);
    }

    /** The same during an inspection of the site. */
    private static function inspection(array $request): array
    {
        $link = new VigieConnection();
        $link->execute('SET SESSION timestamp = UNIX_TIMESTAMP() + 86400 * 8');
        VigieLeftoverTables::dropUnused($link, [$request['base'], $request['content'] ?? $request['base']]);
        return array_column($link->query('SHOW TABLES'), 0);
    }

    /** Swaps tables while `holds` locks some, or else undoes a swap; lists the tables afterwards. */
    private static function swap(array $request): array
    {
        $other = new VigieConnection();
        isset($request['holds']) && $other->execute($request['holds']);
        $link = new VigieConnection();
        $swap = new VigieTableSwap($link, $request['operation'], $request['tables']);
        $isDone = isset($request['holds']) ? $swap->swap() : $swap->undo();
        empty($request['drops']) || $swap->drop();
        $other->close();
        return ['done' => $isDone, 'there' => array_column($link->query('SHOW TABLES'), 0)];
    }

    /** Writes a rollback copy of one file and one table. */
    private static function writeCopy(array $request): array
    {
        $out = fopen($request['file'], 'wb+');
        $made = ['ForeignKeys' => [], 'Triggers' => [], 'Views' => [], 'Unread' => []];
        $roots = ['roots' => ['license.txt'], 'targets' => ['license.txt'], 'bytes' => 1];
        $about = ['format' => 1, 'operation' => $request['operation'], 'kind' => 'core', 'base' => $request['base'], 'tables' => $made];
        $copy = new VigieRollbackCopy($out, $about + $roots);
        $copy->add("{$request['base']}/license.txt", 'files/license.txt');
        $copy->addTables($request['sql']);
        $copy->finish();
        return [];
    }

    /** Restores that rollback copy. */
    private static function restoreCopy(array $request): array
    {
        VigieOperation::mute();
        // The configuration defines the database constants a second time, with warnings.
        error_reporting(E_ALL & ~E_WARNING);
        chdir($request['site']['path']);
        $stream = fopen($request['file'], 'rb');
        $copy = VigieRollback::open(self::descriptorOf($request['file']));
        $copy->restore(true, new VigieTablesRestore($request, $request['operation'], $copy->about['tables']));
        fclose($stream);
        return array_column((new VigieConnection())->query('SHOW TABLES'), 0);
    }

    private static function descriptorOf(string $file): int
    {
        $open = array_filter(glob('/proc/self/fd/*'), static function (string $one) use ($file): bool {
            return @readlink($one) === $file;
        });
        return (int) basename((string) current($open));
    }

    /** The words that users see after WordPress died. */
    private static function died(array $request): array
    {
        try {
            (VigieBoot::dieHandler())($request['said']);
        } catch (RuntimeException $error) {
            return VigieBoot::fatalFields([
                'message' => "Uncaught $error\n  thrown",
                'file' => $error->getFile(),
                'line' => $error->getLine(),
            ]);
        }
        return [];
    }

    private static function objectCache(array $request): array
    {
        return ['said' => VigieObjectCache::clear($request['content'], $request['servers'] ?? [])];
    }

    /** Bytes that each way of reading a copy reads, and the error after somebody changed it. */
    private static function copy(array $request): array
    {
        $out = fopen($request['file'], 'wb+');
        $copy = new VigieRollbackCopy($out, ['format' => 1, 'roots' => [], 'tables' => ['Unread' => []], 'version' => '6.1']);
        for ($left = $request['pieces']; $left > 0; $left--) {
            $copy->addTables(str_repeat('x', 1048576));
        }
        $copy->finish();
        return VigieRollbackCopyTests::read(self::descriptorOf($request['file']), $request['file']);
    }

    private static function ownTables(array $request): array
    {
        return (new VigieForeignTables(new VigieConnection(), $request['prefix'], $request['network'] ?? false, $request['sites'] ?? null))->ownTables([]);
    }

    /** Checks the free space in the database's folder, for sizes that fit and do not. */
    private static function room(array $request): array
    {
        $folder = (string) VigieRoom::databaseFolder(new VigieConnection());
        VigieRoom::check([$folder => $request['fits']], $folder);
        VigieRoom::check([$folder => $request['bytes']], $folder);
        return [];
    }

    private static function crossDatabase(array $request): array
    {
        return array_map([new VigieConnection(), 'isCrossDatabase'], $request['texts']);
    }

    private static function isSqlite(array $request): bool
    {
        return VigieLoad::isSqlite($request['sql']);
    }

    /** Replaces values, and says whether PHP can unserialize them before and after. */
    private static function replace(array $request): array
    {
        $below = $request['below'] ?? [];
        $pairs = $request['pairs'] ?? VigieReplace::pairs($request['about'], self::site($request['site']), $below);
        $replace = new VigieReplace($pairs);
        $values = array_map(static function (string $text) use ($replace): array {
            $made = $replace->value($text);
            $reads = [@unserialize($text) !== false, @unserialize($made) !== false];
            return ['made' => $made, 'reads' => $reads];
        }, $request['values'] ?? []);
        return ['pairs' => $pairs, 'needed' => $replace->isNeeded(), 'values' => $values];
    }

    /** Replacing in serialized data must equal serializing replaced data; returns the differences. */
    private static function fuzz(array $request): array
    {
        mt_srand($request['seed']);
        $replace = new VigieReplace($request['pairs']);
        $wrong = [];
        $changed = 0;
        for ($round = 0; $round < $request['turns']; $round++) {
            $data = self::data(0);
            $text = serialize(is_string($data) ? [$data] : $data);
            $made = $replace->value($text);
            $wanted = serialize(self::replacedData(is_string($data) ? [$data] : $data, $request['pairs']));
            $changed += $made === $text ? 0 : 1;
            if ($made !== $wanted && count($wrong) < 3) {
                $wrong[] = [bin2hex($text), bin2hex($made), bin2hex($wanted)];
            }
        }
        return ['wrong' => $wrong, 'changed' => $changed];
    }

    private static function data(int $depth)
    {
        $kind = mt_rand(0, $depth > 5 ? 6 : 10);
        $words = ['http://ancien.fr', 'été', '";}', "\0", 'x s:3:"abc";', 'https:\/\/ancien.fr\/x', '🎉', '}', '\\', ''];
        $text = '';
        for ($left = mt_rand(0, 4); $left > 0; $left--) {
            $text .= $words[mt_rand(0, count($words) - 1)];
        }
        switch ($kind) {
            case 0:
                return null;
            case 1:
                return mt_rand(0, 1) === 1;
            case 2:
                return mt_rand() - mt_rand();
            case 3:
                return mt_rand() / mt_rand(1, 1000000) * [1, -1e300, 1e-300][mt_rand(0, 2)];
            case 4:
            case 5:
            case 6:
                return $text;
            case 7:
                return serialize([self::data($depth + 1)]);
            case 8:
                $object = new stdClass();
                $object->{'a' . mt_rand(0, 9) . 'http://ancien.fr'} = self::data($depth + 1);
                $object->b = self::data($depth + 1);
                return $object;
            default:
                $list = [];
                for ($left = mt_rand(0, 5); $left > 0; $left--) {
                    $list[mt_rand(0, 2) === 0 ? "c$left http://ancien.fr" : $left] = self::data($depth + 1);
                }
                return $list;
        }
    }

    private static function replacedData($data, array $pairs)
    {
        if (is_string($data)) {
            $inner = preg_match('/^a:1:\{i:0;/', $data) === 1 ? @unserialize($data) : false;
            return $inner === false ? strtr($data, $pairs) : serialize(self::replacedData($inner, $pairs));
        }
        if (is_object($data) || is_array($data)) {
            $moved = [];
            foreach ((array) $data as $key => $value) {
                $moved[is_string($key) ? strtr($key, $pairs) : $key] = self::replacedData($value, $pairs);
            }
            return is_object($data) ? (object) $moved : $moved;
        }
        return $data;
    }
}

/** Reads a rollback copy as a rollback does. */
final class VigieRollbackCopyTests extends VigieReadRollbackCopy
{
    public static function read(int $descriptor, string $file): array
    {
        $bytes = static function (callable $work): int {
            $read = static function (): int {
                return preg_match('/^rchar: (\d+)/', (string) file_get_contents('/proc/self/io'), $match) ? (int) $match[1] : 0;
            };
            $before = $read();
            $work();
            return $read() - $before;
        };
        $copy = null;
        $read = [
            'about' => $bytes(static function () use ($descriptor): void {
                self::descriptionOf($descriptor);
            }),
            'open' => $bytes(static function () use ($descriptor, &$copy): void {
                $copy = self::open($descriptor);
            }),
            'skip' => $bytes(static function () use (&$copy): void {
                iterator_count($copy->verifiedEntries());
            }),
            'tables' => $bytes(static function () use (&$copy): void {
                iterator_count($copy->tableDump());
            }),
        ];
        touch($file, 1);
        try {
            iterator_count($copy->verifiedEntries());
            return $read;
        } catch (VigieStop $stop) {
            return $read + ['stop' => $stop->facts['code']];
        }
    }
}

/** With `mkdir` disabled, simulates a kill at the moment a folder is made. */
if (!function_exists('mkdir')) {
    function mkdir(): bool
    {
        exit(137);
    }
}

/** Stands for WordPress's own function. */
function is_wp_error($what): bool
{
    return $what instanceof Throwable;
}

VigieLoadTests::run();
