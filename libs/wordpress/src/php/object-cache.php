<?php
/** Empties the object cache of a site, where that is possible without running its code. */
final class VigieObjectCache
{
    private const MAX_BYTES = 1048576;
    private const REDIS = '/WP_REDIS_|\$redis_server\b|ObjectCachePro/';
    /** Redis on several servers: emptying one of them is not enough. */
    private const SPREAD = ['WP_REDIS_CLUSTER', 'WP_REDIS_SERVERS', 'WP_REDIS_SHARDS', 'WP_REDIS_SENTINEL'];

    /** Returns why the cache may not be empty, or null. `$servers`: from the configuration. */
    public static function clear(string $content, array $servers): ?string
    {
        $code = VigieFiles::read("$content/object-cache.php", self::MAX_BYTES);
        if ($code === null || self::memoryCacheWarning($content) !== null) {
            return self::memoryCacheWarning($content);
        }
        $name = self::dropInName($content);
        try {
            if (preg_match(self::REDIS, $code) === 1) {
                self::clearRedis((array) ($servers['redis'] ?? []));
            } else {
                return "Vigie ne sait pas vider le cache d’objets de ce site (\u{ab}\u{a0}$name\u{a0}\u{bb}) sans lancer son"
                    . " code\u{a0}: WordPress le vide juste après la réouverture.";
            }
        } catch (Throwable $error) {
            // The restore has succeeded, whatever goes wrong with the cache.
            $words = VigieStop::factsOf($error)['words'];
            return "Le cache d’objets de ce site (\u{ab}\u{a0}$name\u{a0}\u{bb}) n’a pas pu être vidé avant sa"
                . " réouverture\u{a0}: $words. WordPress le vide juste après.";
        }
        return null;
    }

    /** Why a cache in the web server's memory cannot be emptied; null for other caches. */
    public static function memoryCacheWarning(string $content): ?string
    {
        $code = (string) VigieFiles::read("$content/object-cache.php", self::MAX_BYTES);
        if (preg_match('/\bapcu_(?:store|add|fetch)\b/', $code) !== 1) {
            return null;
        }
        $name = self::dropInName($content);
        return "Le cache d’objets de ce site (\u{ab}\u{a0}$name\u{a0}\u{bb}) est dans la mémoire du serveur web (APCu), que"
            . " Vigie ne peut pas vider\u{a0}: si le site montre d’anciens contenus, redémarrez PHP (php-fpm) sur le serveur.";
    }

    private static function dropInName(string $content): string
    {
        $heads = VigieFiles::headers("$content/object-cache.php", ['name' => 'Plugin Name']);
        return ($heads['name'] ?? '') === '' ? 'object-cache.php' : $heads['name'];
    }

    /** `$named`: servers from a variable, for drop-ins without constants. */
    private static function clearRedis(array $named): void
    {
        if (defined('WP_REDIS_DISABLED') && WP_REDIS_DISABLED) {
            return;
        }
        if (array_filter(self::SPREAD, 'defined') !== []) {
            throw new VigieStop('cache', '', ['words' => 'Redis y est sur plusieurs serveurs']);
        }
        $config = defined('WP_REDIS_CONFIG') ? (array) constant('WP_REDIS_CONFIG') : $named;
        $setting = static function (string $key, $default) use ($config) {
            $constant = 'WP_REDIS_' . strtoupper($key);
            return $config[$key] ?? (defined($constant) ? constant($constant) : $default);
        };
        $salt = defined('WP_CACHE_KEY_SALT') ? WP_CACHE_KEY_SALT : '';
        $prefix = trim((string) $setting('prefix', $salt));
        if ($prefix === '') {
            // Other keys may belong to other sites.
            throw new VigieStop('cache', '', ['words' => 'rien n’y distingue ce site des autres (WP_REDIS_PREFIX)']);
        }
        $redis = new VigieRedis(self::redisAddress($setting));
        $password = $setting('password', $config['auth'] ?? '');
        if (!in_array($password, ['', null, false], true)) {
            $redis->command('AUTH', ...array_map('strval', array_values((array) $password)));
        }
        $redis->command('SELECT', (string) (int) $setting('database', 0));
        $redis->deletePrefix($prefix);
    }

    /** An empty host is set for the web server's process only. */
    private static function redisAddress(callable $setting): string
    {
        $host = (string) $setting('host', '127.0.0.1');
        $path = $setting('scheme', 'tcp') === 'unix' ? (string) $setting('path', $host) : $host;
        if ($path === '') {
            throw new VigieStop('cache', '', ['words' => 'wp-config.php ne dit pas ici où il est']);
        }
        if ($path[0] === '/') {
            return "unix://$path";
        }
        $kind = preg_match('~^(?:tls|rediss)$~', (string) $setting('scheme', 'tcp')) === 1 ? 'tls' : 'tcp';
        $bare = (string) preg_replace('~^\w+://~', '', $host);
        return "$kind://" . (substr_count($bare, ':') > 1 ? "[$bare]" : $bare) . ':' . (int) $setting('port', 6379);
    }
}

final class VigieRedis
{
    private const SECONDS = 5;
    /** Seconds: the site is closed meanwhile. */
    private const MAX_SECONDS = 15.0;
    private const MAX_BYTES = 1048576;
    private const MAX_ITEMS = 100000;
    private $socket;
    private $end;

    public function __construct(string $address)
    {
        $this->end = microtime(true) + self::MAX_SECONDS;
        $this->socket = self::connect($address);
    }

    public static function connect(string $address)
    {
        $socket = @stream_socket_client($address, $code, $words, self::SECONDS);
        if (!$socket) {
            throw new VigieStop('cache', '', ['words' => "$address ne répond pas ($words)"]);
        }
        stream_set_timeout($socket, self::SECONDS);
        return $socket;
    }

    public function command(string ...$words)
    {
        $text = '*' . count($words) . "\r\n";
        foreach ($words as $word) {
            $text .= '$' . strlen($word) . "\r\n$word\r\n";
        }
        if (@fwrite($this->socket, $text) !== strlen($text)) {
            throw self::lostConnection();
        }
        return $this->readReply();
    }

    private function readReply(int $depth = 0)
    {
        $line = (string) @fgets($this->socket, 1024);
        [$kind, $rest] = [$line[0] ?? '', rtrim((string) substr($line, 1))];
        $max = $kind === '$' ? self::MAX_BYTES : self::MAX_ITEMS;
        if (microtime(true) > $this->end || $depth > 3 || (strpbrk($kind, '$*') !== false && (int) $rest > $max)) {
            throw self::lostConnection();
        }
        switch ($kind) {
            case '+':
            case ':':
                return $rest;
            case '$':
                return $rest === '-1' ? null : substr($this->readBytes((int) $rest + 2), 0, -2);
            case '*':
                $all = [];
                for ($left = (int) $rest; $left > 0; $left--) {
                    $all[] = $this->readReply($depth + 1);
                }
                return $all;
            case '-':
                throw new VigieStop('cache', '', ['words' => substr($rest, 0, 200)]);
            default:
                throw self::lostConnection();
        }
    }

    private function readBytes(int $length): string
    {
        for ($text = ''; strlen($text) < $length; $text .= $bytes) {
            $bytes = @fread($this->socket, $length - strlen($text));
            if ($bytes === false || $bytes === '') {
                throw self::lostConnection();
            }
        }
        return $text;
    }

    private static function lostConnection(): VigieStop
    {
        return new VigieStop('cache', '', ['words' => 'Redis ne répond plus']);
    }

    /** Deletes the keys with this prefix: others may use the database too. */
    public function deletePrefix(string $prefix): void
    {
        $like = addcslashes($prefix, '\\*?[]^') . '*';
        $cursor = '0';
        do {
            [$cursor, $keys] = $this->command('SCAN', $cursor, 'MATCH', $like, 'COUNT', '1000');
            $keys === [] || $this->command('DEL', ...$keys);
        } while ($cursor !== '0');
    }
}
