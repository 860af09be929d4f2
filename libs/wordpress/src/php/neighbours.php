<?php
/** Other installations in the database of a site, whose tables begin like its own: nobody asked for these. */
final class VigieNeighbours
{
    /** Tables of an archive that were left alone, some of them. */
    public $left = [];
    private const MOST_TOLD = 20;

    private $link;
    private $prefix;
    private $names = [];
    private $views = [];
    /** What the tables of others begin with. */
    private $others = [];
    /** Whether no other installation has its tables there. */
    private $isAlone = true;

    /** `$sites`: numbers of those of a network that does not know them itself; null takes any number for one of them. */
    public function __construct(VigieLink $link, string $prefix, bool $isNetwork, ?array $sites = null)
    {
        $this->link = $link;
        $this->prefix = $prefix = $link->folded($prefix);
        foreach ($link->ask('SHOW FULL TABLES') as [$name, $kind]) {
            $name = $link->folded($name);
            // Nothing that we write brings a sequence back.
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

    /** What the tables of each installation among these begin with. */
    public static function prefixes(array $names): array
    {
        $there = array_flip($names);
        $prefixes = [];
        foreach ($names as $name) {
            // Each has these, whoever its users are.
            if (preg_match('/^(.*)options$/sD', $name, $match) === 1 && isset($there["$match[1]posts"])) {
                $prefixes[] = $match[1];
            }
        }
        return $prefixes;
    }

    /** Numbers of the sites of a network, where it says so: another installation may have the prefix of one more. */
    private function sites(): array
    {
        $blogs = "{$this->prefix}blogs";
        $isThere = in_array($blogs, $this->names, true);
        return $isThere ? array_column($this->link->ask('SELECT blog_id FROM ' . VigieLink::quoted($blogs)), 0) : [];
    }

    /** `$table`: by the name that it has on the site. */
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
        // Of a table that no prefix names nobody knows whose it is.
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

    /** Tables of this site that are none of these; views too, unless some of them may be known to nobody. */
    public function own(array $but, bool $isOfViews = true): array
    {
        $known = array_flip(array_merge(array_map([$this->link, 'folded'], $but), $isOfViews ? [] : $this->views));
        return array_values(array_filter($this->names, function (string $name) use ($known): bool {
            return strpos($name, $this->prefix) === 0 && !isset($known[$name]) && !$this->isForeign($name);
        }));
    }
}
