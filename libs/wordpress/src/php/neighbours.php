<?php
/** Recognizes the tables of other installations in the same database, which must not be touched. */
final class VigieNeighbours
{
    /** Some tables of the archive that were not restored because they are foreign. */
    public $left = [];
    private const MOST_TOLD = 20;

    private $link;
    private $prefix;
    private $names = [];
    private $views = [];
    /** Prefixes of the other installations. */
    private $others = [];
    /** Whether no other installation has tables there. */
    private $isAlone = true;

    /** `$sites`: numbers of the network's sites, if it has lost its own list; null accepts any number. */
    public function __construct(VigieLink $link, string $prefix, bool $isNetwork, ?array $sites = null)
    {
        $this->link = $link;
        $this->prefix = $prefix = $link->folded($prefix);
        foreach ($link->ask('SHOW FULL TABLES') as [$name, $kind]) {
            $name = $link->folded($name);
            // A dump cannot restore sequences.
            $kind === 'SEQUENCE' || ($this->names[] = $name);
            $kind === 'VIEW' && ($this->views[] = $name);
        }
        $sites = $isNetwork ? $this->sites() ?: $sites : [];
        foreach (array_diff(self::prefixes($this->names), [$prefix, '']) as $other) {
            $isNumber = preg_match('/^' . preg_quote($prefix, '/') . '(\d+)_$/D', $other, $match) === 1;
            $isPart = $isNetwork && $isNumber && ($sites === null || in_array($match[1], $sites, true));
            $this->isAlone = $this->isAlone && $isPart;
            if (!$isPart && strpos($other, $prefix) === 0) {
                $this->others[] = $other;
            }
        }
    }

    /** Prefixes of all installations among these tables. */
    public static function prefixes(array $names): array
    {
        $there = array_flip($names);
        $prefixes = [];
        foreach ($names as $name) {
            // Every installation has an options and a posts table; users may be shared.
            if (preg_match('/^(.*)options$/sD', $name, $match) === 1 && isset($there["$match[1]posts"])) {
                $prefixes[] = $match[1];
            }
        }
        return $prefixes;
    }

    /** Site numbers of the network: a higher number may be another installation. */
    private function sites(): array
    {
        $blogs = "{$this->prefix}blogs";
        $isThere = in_array($blogs, $this->names, true);
        return $isThere ? array_column($this->link->ask('SELECT blog_id FROM ' . VigieLink::quoted($blogs)), 0) : [];
    }

    /** `$table`: its name on the site. */
    public function has(string $table): bool
    {
        $isForeign = $this->isForeign($this->link->folded($table));
        if ($isForeign && count($this->left) < self::MOST_TOLD && !in_array($table, $this->left, true)) {
            $this->left[] = $table;
        }
        return $isForeign;
    }

    private function isForeign(string $name): bool
    {
        // Without the prefix, a table could belong to any of the installations.
        if (strpos($name, $this->prefix) !== 0) {
            return !$this->isAlone;
        }
        foreach ($this->others as $other) {
            if (strpos($name, $other) === 0) {
                return true;
            }
        }
        return false;
    }

    /** The site's own tables except the given ones; optionally without views. */
    public function own(array $but, bool $isOfViews = true): array
    {
        $known = array_flip(array_merge(array_map([$this->link, 'folded'], $but), $isOfViews ? [] : $this->views));
        return array_values(array_filter($this->names, function (string $name) use ($known): bool {
            return strpos($name, $this->prefix) === 0 && !isset($known[$name]) && !$this->isForeign($name);
        }));
    }
}
