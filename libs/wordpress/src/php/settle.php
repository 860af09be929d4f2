<?php
/** Adapts loaded tables to the site before they go live: addresses, plugins, theme. */
final class VigieSettle
{
    private const KEPT = ['siteurl', 'home'];
    private const OWN = ['upload_path', 'upload_url_path'];
    /** The migration plugin's own settings stay with the site. */
    private const PLUGIN = 'all-in-one-wp-migration';
    private const META = ['capabilities', 'user_level', 'user-settings', 'user-settings-time', 'dashboard_quick_press_last_post_id'];

    private $link;
    private $prefix;
    private $tables;

    /** `$tables`: the result of a load. */
    public function __construct(VigieLink $link, string $prefix, array $tables)
    {
        $this->link = $link;
        $this->prefix = $prefix;
        $this->tables = $tables;
    }

    public function settle(VigieSite $site, array $about, array $plugins): void
    {
        $site->isNetwork && $this->moveNetwork($site, (string) ($about['SiteURL'] ?? ''));
        foreach (array_keys($this->tables) as $name) {
            if (preg_match('/^' . preg_quote($this->prefix, '/') . '(?:\d+_)?options$/D', (string) $name) === 1) {
                // WordPress rebuilds them when they are missing.
                $this->set($this->staged((string) $name), 'rewrite_rules', '');
            }
        }
        if (!isset($this->tables["{$this->prefix}options"])) {
            return;
        }
        $options = $this->staged("{$this->prefix}options");
        $this->keep($options, $site);
        $own = array_filter($site->activePlugins(), static function (string $file): bool {
            return strpos($file, self::PLUGIN) === 0;
        });
        $active = array_values(array_unique(array_merge(array_filter($plugins, 'is_string'), $own)));
        sort($active);
        $this->set($options, 'active_plugins', serialize($active));
        foreach (['template' => 'Template', 'stylesheet' => 'Stylesheet'] as $option => $key) {
            if (is_string($about[$key] ?? null) && $about[$key] !== '') {
                $this->set($options, $option, $about[$key]);
            }
        }
        $this->rename((string) ($about['Database']['Prefix'] ?? ''), $options);
    }

    /** Renames the network's sites: their tables store host and path apart, not an address. */
    private function moveNetwork(VigieSite $site, string $was): void
    {
        [$oldHost, $oldPath] = VigieMoves::partsOf($was);
        [$host, $path] = VigieMoves::partsOf($site->address('siteurl'));
        if ($oldHost === '' || $host === '' || [$oldHost, $oldPath] === [$host, $path]) {
            return;
        }
        // Subdomains are made of the domain without www.
        [$bare, $newBare] = array_map([VigieMoves::class, 'bare'], [$oldHost, $host]);
        [$from, $to, $first, $last] = array_map([VigieLink::class, 'text'], [$oldHost, $host, $bare, $newBare]);
        $below = VigieLink::text('%.' . addcslashes($bare, '\\%_'));
        [$fromPath, $toPath] = array_map([VigieLink::class, 'text'], [$oldPath, $path]);
        $isOurs = "(domain IN ($from, $first) OR domain LIKE $below)";
        foreach (['blogs', 'site'] as $name) {
            if (!isset($this->tables[$this->prefix . $name])) {
                continue;
            }
            $table = $this->staged($this->prefix . $name);
            $rest = 'SUBSTR(path, CHAR_LENGTH(' . $fromPath . ') + 1)';
            $isBelow = "LEFT(path, CHAR_LENGTH($fromPath)) = $fromPath";
            $this->link->run("UPDATE $table SET path = CONCAT($toPath, $rest) WHERE $isOurs AND $isBelow");
            $name = "CONCAT(LEFT(domain, CHAR_LENGTH(domain) - CHAR_LENGTH($first)), $last)";
            $this->link->run("UPDATE $table SET domain = IF(domain = $from, $to, $name) WHERE $isOurs");
        }
    }

    private function staged(string $name): string
    {
        return VigieLink::quoted($this->tables[$name]['stage']);
    }

    private function set(string $table, string $option, string $value): void
    {
        [$name, $text] = [VigieLink::text($option), VigieLink::text($value)];
        $this->link->run("UPDATE $table SET option_value = $text WHERE option_name = $name");
        if ($option !== 'rewrite_rules' && $this->link->ask("SELECT 1 FROM $table WHERE option_name = $name") === []) {
            $this->link->run("INSERT INTO $table (option_name, option_value, autoload) VALUES ($name, $text, 'yes')");
        }
    }

    /** Copies these options from the live table; one without a row there keeps the archive's value. */
    private function keep(string $options, VigieSite $site): void
    {
        $shown = VigieLink::quoted("{$this->prefix}options");
        $names = self::list(array_merge(self::KEPT, self::OWN));
        $isShown = $this->link->attempt("SELECT 1 FROM $shown LIMIT 0");
        $there = $isShown ? $this->link->ask("SELECT option_name FROM $shown WHERE option_name IN ($names)") : [];
        $there = array_column($there, 0);
        foreach (array_diff(self::OWN, $there) as $option) {
            // The archive's folder may not exist here, so the default is used.
            [$name, $text] = array_map([VigieLink::class, 'text'], [$option, $site->options[$option] ?? '']);
            $this->link->run("UPDATE $options SET option_value = $text WHERE option_name = $name");
        }
        if (!$isShown) {
            return;
        }
        $copied = "option_name LIKE 'ai1wm\\_%'" . ($there === [] ? '' : ' OR option_name IN (' . self::list($there) . ')');
        $this->link->run("DELETE FROM $options WHERE $copied");
        $columns = 'option_name, option_value, autoload';
        $this->link->run("INSERT INTO $options ($columns) SELECT $columns FROM $shown WHERE $copied");
    }

    private static function list(array $names): string
    {
        return implode(', ', array_map([VigieLink::class, 'text'], $names));
    }

    /** Renames rows that a dump wrote with its own prefix. */
    private function rename(string $was, string $options): void
    {
        $roles = VigieLink::text("{$this->prefix}user_roles");
        $hasRoles = $this->link->ask("SELECT 1 FROM $options WHERE option_name = $roles") !== [];
        if ($was === '' || $was === $this->prefix || $hasRoles) {
            return;
        }
        $old = VigieLink::text("{$was}user_roles");
        $this->link->run("UPDATE $options SET option_name = $roles WHERE option_name = $old");
        if (isset($this->tables["{$this->prefix}usermeta"])) {
            $meta = $this->staged("{$this->prefix}usermeta");
            foreach (self::META as $key) {
                [$to, $from] = [VigieLink::text($this->prefix . $key), VigieLink::text($was . $key)];
                $this->link->run("UPDATE $meta SET meta_key = $to WHERE meta_key = $from");
            }
        }
    }
}
