<?php
/** Recognizes the tables of other installations in the same database, which must not be touched. */
final class VigieForeignTables
{
    /** Some tables of the archive that were not restored because they are foreign. */
    public $skipped = [];
    private const MAX_REPORTED = 20;

    private $link;
    private $prefix;
    private $names = [];
    private $views = [];
    /** Prefixes of the other installations. */
    private $otherPrefixes = [];
    /** Whether no other installation has tables there. */
    private $isAlone = true;

    /** `$sites`: numbers of the network's sites, if it has lost its own list; null accepts any number. */
    public function __construct(VigieConnection $link, string $prefix, bool $isNetwork, ?array $sites = null)
    {
        $this->link = $link;
        $this->prefix = $prefix = $link->foldCase($prefix);
        foreach ($link->query('SHOW FULL TABLES') as [$name, $kind]) {
            $name = $link->foldCase($name);
            // A dump cannot restore sequences.
            $kind === 'SEQUENCE' || ($this->names[] = $name);
            $kind === 'VIEW' && ($this->views[] = $name);
        }
        $sites = $isNetwork ? $this->networkSites() ?: $sites : [];
        foreach (array_diff(self::installationPrefixes($this->names), [$prefix, '']) as $other) {
            $isNumber = preg_match('/^' . preg_quote($prefix, '/') . '(\d+)_$/D', $other, $match) === 1;
            $isOfNetwork = $isNetwork && $isNumber && ($sites === null || in_array($match[1], $sites, true));
            $this->isAlone = $this->isAlone && $isOfNetwork;
            if (!$isOfNetwork && strpos($other, $prefix) === 0) {
                $this->otherPrefixes[] = $other;
            }
        }
    }

    /** Prefixes of all installations among these tables. */
    public static function installationPrefixes(array $names): array
    {
        $existing = array_flip($names);
        $prefixes = [];
        foreach ($names as $name) {
            // Every installation has an options and a posts table; users may be shared.
            if (preg_match('/^(.*)options$/sD', $name, $match) === 1 && isset($existing["$match[1]posts"])) {
                $prefixes[] = $match[1];
            }
        }
        return $prefixes;
    }

    /** Site numbers of the network: a higher number may be another installation. */
    private function networkSites(): array
    {
        $blogs = "{$this->prefix}blogs";
        $hasList = in_array($blogs, $this->names, true);
        return $hasList ? array_column($this->link->query('SELECT blog_id FROM ' . VigieConnection::quoteName($blogs)), 0) : [];
    }

    /** `$table`: its name on the site. */
    public function has(string $table): bool
    {
        $isForeign = $this->isForeign($this->link->foldCase($table));
        if ($isForeign && count($this->skipped) < self::MAX_REPORTED && !in_array($table, $this->skipped, true)) {
            $this->skipped[] = $table;
        }
        return $isForeign;
    }

    private function isForeign(string $name): bool
    {
        // Without the prefix, a table could belong to any of the installations.
        if (strpos($name, $this->prefix) !== 0) {
            return !$this->isAlone;
        }
        foreach ($this->otherPrefixes as $other) {
            if (strpos($name, $other) === 0) {
                return true;
            }
        }
        return false;
    }

    /** The site's own tables except the given ones; optionally without views. */
    public function ownTables(array $except, bool $withViews = true): array
    {
        $excluded = array_flip(array_merge(array_map([$this->link, 'foldCase'], $except), $withViews ? [] : $this->views));
        return array_values(array_filter($this->names, function (string $name) use ($excluded): bool {
            return strpos($name, $this->prefix) === 0 && !isset($excluded[$name]) && !$this->isForeign($name);
        }));
    }
}
