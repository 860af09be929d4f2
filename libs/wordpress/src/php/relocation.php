<?php
/** Adapts loaded tables to the site before they go live: addresses, plugins, theme. */
final class VigieRelocation
{
    private const ADDRESSES = ['siteurl', 'home'];
    private const UPLOAD_OPTIONS = ['upload_path', 'upload_url_path'];
    /** The migration plugin's own settings stay with the site. */
    private const PLUGIN = 'all-in-one-wp-migration';
    private const META_KEYS = ['capabilities', 'user_level', 'user-settings', 'user-settings-time', 'dashboard_quick_press_last_post_id'];

    private $link;
    private $prefix;
    private $tables;

    /** `$tables`: the result of a load. */
    public function __construct(VigieConnection $link, string $prefix, array $tables)
    {
        $this->link = $link;
        $this->prefix = $prefix;
        $this->tables = $tables;
    }

    public function relocate(VigieSite $site, array $about, array $plugins): void
    {
        $site->isNetwork && $this->moveNetwork($site, (string) ($about['SiteURL'] ?? ''));
        foreach (array_keys($this->tables) as $name) {
            if (preg_match('/^' . preg_quote($this->prefix, '/') . '(?:\d+_)?options$/D', (string) $name) === 1) {
                // WordPress rebuilds them when they are missing.
                $this->setOption($this->stagedTable((string) $name), 'rewrite_rules', '');
            }
        }
        if (!isset($this->tables["{$this->prefix}options"])) {
            return;
        }
        $options = $this->stagedTable("{$this->prefix}options");
        $this->keepOwnOptions($options, $site);
        $migrationPlugin = array_filter($site->activePlugins(), static function (string $file): bool {
            return strpos($file, self::PLUGIN) === 0;
        });
        $active = array_values(array_unique(array_merge(array_filter($plugins, 'is_string'), $migrationPlugin)));
        sort($active);
        $this->setOption($options, 'active_plugins', serialize($active));
        foreach (['template' => 'Template', 'stylesheet' => 'Stylesheet'] as $option => $key) {
            if (is_string($about[$key] ?? null) && $about[$key] !== '') {
                $this->setOption($options, $option, $about[$key]);
            }
        }
        $this->renamePrefixedRows((string) ($about['Database']['Prefix'] ?? ''), $options);
    }

    /** Renames the network's sites: their tables store host and path apart, not an address. */
    private function moveNetwork(VigieSite $site, string $oldAddress): void
    {
        [$oldHost, $oldPath] = VigieReplacements::hostAndPath($oldAddress);
        [$host, $path] = VigieReplacements::hostAndPath($site->address('siteurl'));
        if ($oldHost === '' || $host === '' || [$oldHost, $oldPath] === [$host, $path]) {
            return;
        }
        // Subdomains are made of the domain without www.
        [$bare, $newBare] = array_map([VigieReplacements::class, 'withoutWww'], [$oldHost, $host]);
        [$from, $to, $first, $last] = array_map([VigieConnection::class, 'literal'], [$oldHost, $host, $bare, $newBare]);
        $below = VigieConnection::literal('%.' . addcslashes($bare, '\\%_'));
        [$fromPath, $toPath] = array_map([VigieConnection::class, 'literal'], [$oldPath, $path]);
        $isOfNetwork = "(domain IN ($from, $first) OR domain LIKE $below)";
        foreach (['blogs', 'site'] as $name) {
            if (!isset($this->tables[$this->prefix . $name])) {
                continue;
            }
            $table = $this->stagedTable($this->prefix . $name);
            $rest = 'SUBSTR(path, CHAR_LENGTH(' . $fromPath . ') + 1)';
            $isBelow = "LEFT(path, CHAR_LENGTH($fromPath)) = $fromPath";
            $this->link->execute("UPDATE $table SET path = CONCAT($toPath, $rest) WHERE $isOfNetwork AND $isBelow");
            $name = "CONCAT(LEFT(domain, CHAR_LENGTH(domain) - CHAR_LENGTH($first)), $last)";
            $this->link->execute("UPDATE $table SET domain = IF(domain = $from, $to, $name) WHERE $isOfNetwork");
        }
    }

    private function stagedTable(string $name): string
    {
        return VigieConnection::quoteName($this->tables[$name]['stage']);
    }

    private function setOption(string $table, string $option, string $value): void
    {
        [$name, $text] = [VigieConnection::literal($option), VigieConnection::literal($value)];
        $this->link->execute("UPDATE $table SET option_value = $text WHERE option_name = $name");
        if ($option !== 'rewrite_rules' && $this->link->query("SELECT 1 FROM $table WHERE option_name = $name") === []) {
            $this->link->execute("INSERT INTO $table (option_name, option_value, autoload) VALUES ($name, $text, 'yes')");
        }
    }

    /** Copies these options from the live table; one without a row there keeps the archive's value. */
    private function keepOwnOptions(string $options, VigieSite $site): void
    {
        $liveTable = VigieConnection::quoteName("{$this->prefix}options");
        $names = self::literalList(array_merge(self::ADDRESSES, self::UPLOAD_OPTIONS));
        $isLive = $this->link->tryExecute("SELECT 1 FROM $liveTable LIMIT 0");
        $existing = $isLive ? $this->link->query("SELECT option_name FROM $liveTable WHERE option_name IN ($names)") : [];
        $existing = array_column($existing, 0);
        foreach (array_diff(self::UPLOAD_OPTIONS, $existing) as $option) {
            // The archive's folder may not exist here, so the default is used.
            [$name, $text] = array_map([VigieConnection::class, 'literal'], [$option, $site->options[$option] ?? '']);
            $this->link->execute("UPDATE $options SET option_value = $text WHERE option_name = $name");
        }
        if (!$isLive) {
            return;
        }
        $copied = "option_name LIKE 'ai1wm\\_%'" . ($existing === [] ? '' : ' OR option_name IN (' . self::literalList($existing) . ')');
        $this->link->execute("DELETE FROM $options WHERE $copied");
        $columns = 'option_name, option_value, autoload';
        $this->link->execute("INSERT INTO $options ($columns) SELECT $columns FROM $liveTable WHERE $copied");
    }

    private static function literalList(array $names): string
    {
        return implode(', ', array_map([VigieConnection::class, 'literal'], $names));
    }

    /** Renames rows that a dump wrote with its own prefix. */
    private function renamePrefixedRows(string $oldPrefix, string $options): void
    {
        $roles = VigieConnection::literal("{$this->prefix}user_roles");
        $hasRoles = $this->link->query("SELECT 1 FROM $options WHERE option_name = $roles") !== [];
        if ($oldPrefix === '' || $oldPrefix === $this->prefix || $hasRoles) {
            return;
        }
        $old = VigieConnection::literal("{$oldPrefix}user_roles");
        $this->link->execute("UPDATE $options SET option_name = $roles WHERE option_name = $old");
        if (isset($this->tables["{$this->prefix}usermeta"])) {
            $meta = $this->stagedTable("{$this->prefix}usermeta");
            foreach (self::META_KEYS as $key) {
                [$to, $from] = [VigieConnection::literal($this->prefix . $key), VigieConnection::literal($oldPrefix . $key)];
                $this->link->execute("UPDATE $meta SET meta_key = $to WHERE meta_key = $from");
            }
        }
    }
}
