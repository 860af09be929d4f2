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
        foreach ($order['asks'] as $ask) {
            try {
                $answer[] = [self::class, $ask['is']]($ask);
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
    private static function pack(array $ask): array
    {
        $base = new VigieDatabase($ask['site']['prefix']);
        $base->survey([]);
        $archive = new VigieArchive($ask['file'], 1, static function (): void {
        });
        $archive->begin('database.sql', '.', 0, time());
        (new VigieDump($base, [$archive, 'append']))->write([]);
        $archive->end();
        $base->close();
        $about = new VigieAbout(self::site($ask['site']), $base, []);
        return ['about' => json_decode($about->json('00000000'), true)];
    }

    private static function chunks(array $ask): Generator
    {
        $chunk = $ask['chunk'] ?? self::CHUNK;
        foreach (isset($ask['sql']) ? str_split($ask['sql'], $chunk) : [] as $text) {
            yield $text;
        }
        if (isset($ask['file'])) {
            $file = fopen($ask['file'], 'rb');
            fseek($file, $ask['from'] ?? 0);
            while (($text = (string) fread($file, $chunk)) !== '') {
                yield $text;
            }
        }
    }

    private static function load(array $ask): array
    {
        $site = self::site($ask['site']);
        $link = new VigieLink();
        $replace = new VigieReplace($ask['pairs'] ?? VigieReplace::pairs($ask['about'] ?? [], $site));
        $load = new VigieLoad($link, $site->prefix, $ask['stage'], $replace);
        $load->isForeign = empty($ask['strict']) ? null : [$link, 'reachesOut'];
        $heard = 0;
        $without = $ask['without'] ?? null;
        $began = microtime(true);
        try {
            $load->load(self::chunks($ask), static function (int $bytes) use (&$heard): void {
                $heard += $bytes;
            }, $without === null ? null : static function (string $name) use ($without): bool {
                return !in_array($name, $without, true);
            });
        } catch (VigieStop $stop) {
            $there = array_column($link->ask('SHOW TABLES'), 0);
            $load->drop();
            return ['stop' => $stop->facts, 'there' => $there, 'left' => array_column($link->ask('SHOW TABLES'), 0)];
        }
        $seconds = microtime(true) - $began;
        isset($ask['loses']) && $link->run($ask['loses']);
        $lost = VigieRestoreCheck::lostRows($link, $load->tables, $ask['noted'] ?? []);
        if (isset($ask['plugins'])) {
            $load->settle($site, $ask['about'], $ask['plugins']);
        }
        $failed = [];
        if (!empty($ask['swap'])) {
            foreach ($load->tables as $name => $table) {
                $link->run('RENAME TABLE ' . VigieLink::quoted($table['stage']) . ' TO ' . VigieLink::quoted($name));
            }
            $note = $ask['about']['Vigie'] ?? [];
            $failed = array_merge(
                VigieDefinitions::apply($link, $site->prefix, $note, $load->views, array_keys($load->tables)),
                VigieDefinitions::apply($link, $site->prefix, $note, $load->views, array_keys($load->tables))
            );
        }
        isset($ask['breaks']) && $link->run($ask['breaks']);
        $themes = ['template' => $ask['about']['Template'] ?? '', 'stylesheet' => $ask['about']['Stylesheet'] ?? ''];
        $live = isset($ask['breaks']) ? VigieRestoreCheck::lostLive($link, $site, $load->tables, $ask['plugins'], $themes) : [];
        return [
            'lost' => $lost, 'live' => $live, 'cut' => $load->cut->columns, 'mapped' => $load->mapped, 'tables' => $load->tables, 'views' => $load->views, 'rows' => $load->rows, 'heard' => $heard,
            'failed' => $failed, 'memory' => memory_get_peak_usage(true), 'seconds' => $seconds,
        ];
    }

    private static function define(array $ask): array
    {
        return VigieDefinitions::apply(new VigieLink(), $ask['prefix'], $ask['note'], $ask['views'] ?? [], $ask['tables'] ?? []);
    }

    private static function sweep(array $ask): array
    {
        VigieLoad::sweep(new VigieLink(), $ask['stage']);
        return [];
    }

    /** Clears leftover tables and lists the rest. `later`: days from now; `live`: an operation whose lock is held. */
    private static function clear(array $ask): array
    {
        $live = new VigieLink();
        isset($ask['live']) && $live->hold(VigieTableSwap::lockOf($ask['live']));
        $link = new VigieLink();
        $link->run('SET SESSION timestamp = UNIX_TIMESTAMP() + 86400 * ' . ($ask['later'] ?? 0));
        VigieLeftTables::clear($link, [$ask['base'], $ask['content'] ?? $ask['base']], 'wp_', false);
        return array_column($link->ask('SHOW TABLES'), 0);
    }

    /** The same during an inspection of the site. */
    private static function look(array $ask): array
    {
        $link = new VigieLink();
        $link->run('SET SESSION timestamp = UNIX_TIMESTAMP() + 86400 * 8');
        VigieLeftTables::sweep($link, [$ask['base'], $ask['content'] ?? $ask['base']]);
        return array_column($link->ask('SHOW TABLES'), 0);
    }

    /** Swaps tables while `holds` locks some, or else undoes a swap; lists the tables afterwards. */
    private static function swap(array $ask): array
    {
        $other = new VigieLink();
        isset($ask['holds']) && $other->run($ask['holds']);
        $link = new VigieLink();
        $swap = new VigieTableSwap($link, $ask['operation'], $ask['tables']);
        $isDone = isset($ask['holds']) ? $swap->exchange() : $swap->undo();
        empty($ask['drops']) || $swap->drop();
        $other->close();
        return ['done' => $isDone, 'there' => array_column($link->ask('SHOW TABLES'), 0)];
    }

    /** Writes a rollback copy of one file and one table. */
    private static function putAside(array $ask): array
    {
        $out = fopen($ask['file'], 'wb+');
        $made = ['ForeignKeys' => [], 'Triggers' => [], 'Views' => [], 'Unread' => []];
        $roots = ['roots' => ['license.txt'], 'targets' => ['license.txt'], 'bytes' => 1];
        $about = ['format' => 1, 'operation' => $ask['operation'], 'kind' => 'core', 'base' => $ask['base'], 'tables' => $made];
        $copy = new VigieAside($out, $about + $roots);
        $copy->add("{$ask['base']}/license.txt", 'files/license.txt');
        $copy->addTables($ask['sql']);
        $copy->finish();
        return [];
    }

    /** Restores that rollback copy. */
    private static function putBack(array $ask): array
    {
        VigieTell::hush();
        // The configuration defines the database constants a second time, with warnings.
        error_reporting(E_ALL & ~E_WARNING);
        chdir($ask['site']['path']);
        $stream = fopen($ask['file'], 'rb');
        $copy = VigiePutBack::open(self::descriptorOf($ask['file']));
        $copy->putBack(true, new VigieTablesBack($ask, $ask['operation'], $copy->about['tables']));
        fclose($stream);
        return array_column((new VigieLink())->ask('SHOW TABLES'), 0);
    }

    private static function descriptorOf(string $file): int
    {
        $open = array_filter(glob('/proc/self/fd/*'), static function (string $one) use ($file): bool {
            return @readlink($one) === $file;
        });
        return (int) basename((string) current($open));
    }

    /** The words that users see after WordPress died. */
    private static function died(array $ask): array
    {
        try {
            (VigieBoot::dying())($ask['said']);
        } catch (RuntimeException $error) {
            return VigieBoot::fatal([
                'message' => "Uncaught $error\n  thrown",
                'file' => $error->getFile(),
                'line' => $error->getLine(),
            ]);
        }
        return [];
    }

    private static function objectCache(array $ask): array
    {
        return ['said' => VigieObjectCache::clear($ask['content'], $ask['servers'] ?? [])];
    }

    /** Bytes that each way of reading a copy reads, and the error after somebody changed it. */
    private static function copy(array $ask): array
    {
        $out = fopen($ask['file'], 'wb+');
        $copy = new VigieAside($out, ['format' => 1, 'roots' => [], 'tables' => ['Unread' => []], 'version' => '6.1']);
        for ($left = $ask['pieces']; $left > 0; $left--) {
            $copy->addTables(str_repeat('x', 1048576));
        }
        $copy->finish();
        return VigieCopyTests::read(self::descriptorOf($ask['file']), $ask['file']);
    }

    private static function own(array $ask): array
    {
        return (new VigieNeighbours(new VigieLink(), $ask['prefix'], $ask['network'] ?? false, $ask['sites'] ?? null))->own([]);
    }

    /** Checks the free space in the database's folder, for sizes that fit and do not. */
    private static function room(array $ask): array
    {
        $folder = (string) VigieRoom::ofTables(new VigieLink());
        VigieRoom::check([$folder => $ask['fits']], $folder);
        VigieRoom::check([$folder => $ask['bytes']], $folder);
        return [];
    }

    private static function reaches(array $ask): array
    {
        return array_map([new VigieLink(), 'reachesOut'], $ask['texts']);
    }

    private static function isSqlite(array $ask): bool
    {
        return VigieLoad::isSqlite($ask['sql']);
    }

    /** Replaces values, and says whether PHP can unserialize them before and after. */
    private static function replace(array $ask): array
    {
        $below = $ask['below'] ?? [];
        $pairs = $ask['pairs'] ?? VigieReplace::pairs($ask['about'], self::site($ask['site']), $below);
        $replace = new VigieReplace($pairs);
        $values = array_map(static function (string $text) use ($replace): array {
            $made = $replace->value($text);
            $reads = [@unserialize($text) !== false, @unserialize($made) !== false];
            return ['made' => $made, 'reads' => $reads];
        }, $ask['values'] ?? []);
        return ['pairs' => $pairs, 'needed' => $replace->isNeeded(), 'values' => $values];
    }

    /** Replacing in serialized data must equal serializing replaced data; returns the differences. */
    private static function fuzz(array $ask): array
    {
        mt_srand($ask['seed']);
        $replace = new VigieReplace($ask['pairs']);
        $wrong = [];
        $changed = 0;
        for ($turn = 0; $turn < $ask['turns']; $turn++) {
            $data = self::data(0);
            $text = serialize(is_string($data) ? [$data] : $data);
            $made = $replace->value($text);
            $wanted = serialize(self::moved(is_string($data) ? [$data] : $data, $ask['pairs']));
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

    private static function moved($data, array $pairs)
    {
        if (is_string($data)) {
            $inner = preg_match('/^a:1:\{i:0;/', $data) === 1 ? @unserialize($data) : false;
            return $inner === false ? strtr($data, $pairs) : serialize(self::moved($inner, $pairs));
        }
        if (is_object($data) || is_array($data)) {
            $moved = [];
            foreach ((array) $data as $key => $value) {
                $moved[is_string($key) ? strtr($key, $pairs) : $key] = self::moved($value, $pairs);
            }
            return is_object($data) ? (object) $moved : $moved;
        }
        return $data;
    }
}

/** Reads a rollback copy as a rollback does. */
final class VigieCopyTests extends VigieReadAside
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
                self::about($descriptor);
            }),
            'open' => $bytes(static function () use ($descriptor, &$copy): void {
                $copy = self::open($descriptor);
            }),
            'skip' => $bytes(static function () use (&$copy): void {
                iterator_count($copy->checked());
            }),
            'tables' => $bytes(static function () use (&$copy): void {
                iterator_count($copy->tables());
            }),
        ];
        touch($file, 1);
        try {
            iterator_count($copy->checked());
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
