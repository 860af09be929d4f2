<?php
/** The strings to replace when a site moves: its addresses and paths, in every notation. */
final class VigieMoves
{
    private $pairs = [];

    /** `$below`: addresses of the network's sites. */
    public static function pairs(array $about, VigieSite $site, array $below): array
    {
        $moves = new self();
        $moves->addAddresses($about, $site, $below);
        $moves->addPaths($about, $site);
        return $moves->pairs;
    }

    /** A string of package.json, without its trailing slash. */
    public static function text(array $about, string $key): string
    {
        return is_string($about[$key] ?? null) ? rtrim($about[$key], '/') : '';
    }

    private function addAddresses(array $about, VigieSite $site, array $below): void
    {
        $words = is_array($about['WordPress'] ?? null) ? $about['WordPress'] : [];
        [$siteUrl, $homeUrl] = [$site->address('siteurl'), $site->address('home')];
        $inner = static function (string $name, string $usual) use ($site): string {
            return rtrim((string) ($site->options[$name] ?? $usual), '/');
        };
        // Old address, new address, and the old one that would mean the same site.
        $all = [
            [self::text($about, 'SiteURL'), $siteUrl, $siteUrl],
            [self::text($about, 'InternalSiteURL'), $siteUrl, $inner('siteurl', $siteUrl)],
            [self::text($about, 'HomeURL'), $homeUrl, $homeUrl],
            [self::text($about, 'InternalHomeURL'), $homeUrl, $inner('home', $homeUrl)],
        ];
        $uploads = [self::text($words, 'UploadsURL'), rtrim($site->uploadsUrl(), '/')];
        $isSame = $uploads[0] === '' || $uploads[0] === $uploads[1];
        foreach ($all as [$old, , $same]) {
            $isSame = $isSame && ($old === '' || $old === $same);
        }
        if ($isSame) {
            return;
        }
        $isMail = empty($about['NoEmailReplace']);
        // Addresses as written come before those with or without www.
        foreach ([0, 1] as $turn) {
            foreach ($all as [$old, $new]) {
                $one = $new === '' ? null : self::both($old)[$turn] ?? null;
                if ($one !== null) {
                    $this->addAddress($one, $new);
                    $isMail && $this->addMail($one, $new);
                }
            }
        }
        foreach ($below as $one) {
            $this->addBelow($one, $all[0][0], $siteUrl, $isMail);
        }
        $this->addUploads(...$uploads);
    }

    /** Replaces the address of a network's site with its own subdomain or folder. */
    private function addBelow(string $url, string $old, string $new, bool $isMail): void
    {
        [$host, $path] = self::partsOf($url);
        [$oldHost, $oldPath] = self::partsOf($old);
        [$newHost, $newPath] = self::partsOf($new);
        $moved = $newHost === '' ? null : self::hostOf($host, $oldHost, $newHost);
        if ($moved === null || self::bare($host) === self::bare($oldHost)) {
            return;
        }
        $isBelow = strncmp($path, $oldPath, strlen($oldPath)) === 0;
        $is = $isBelow ? $newPath . substr($path, strlen($oldPath)) : $path;
        $scheme = stripos($new, 'https:') === 0 ? 'https' : 'http';
        [$from, $to] = [rtrim("http://$host$path", '/'), rtrim("$scheme://$moved$is", '/')];
        $this->addAddress($from, $to);
        $isMail && $this->addMail($from, $to);
    }

    /** The new host of a network's site; null for a host outside the network's domain. */
    public static function hostOf(string $host, string $old, string $new): ?string
    {
        if ($host === $old || $old === '') {
            return $old === '' ? null : $new;
        }
        $first = (string) substr($host, 0, -strlen(self::bare($old)));
        $isBelow = $first . self::bare($old) === $host && ($first === '' || substr($first, -1) === '.');
        return $isBelow ? $first . self::bare($new) : null;
    }

    /** The domain of which subdomains are made. */
    public static function bare(string $host): string
    {
        return (string) preg_replace('~^www\.~i', '', $host);
    }

    /** Host with port, and path with slashes. */
    public static function partsOf(string $address): array
    {
        $parts = parse_url($address) ?: [];
        $host = strtolower($parts['host'] ?? '') . (isset($parts['port']) ? ":{$parts['port']}" : '');
        return [$host, rtrim($parts['path'] ?? '', '/') . '/'];
    }

    /** The address with www and without. */
    private static function both(string $url): array
    {
        if (preg_match('~^(https?)://(www\.)?([^/]+.*)$~i', $url, $match) !== 1) {
            return [];
        }
        $other = $match[2] === '' ? 'www.' : '';
        return [$url, "$match[1]://$other$match[3]"];
    }

    /** `$end`: a suffix that keeps longer names from matching. */
    private function addAddress(string $old, string $new, string $end = ''): void
    {
        $bare = (string) preg_replace('~^https?:~i', '', $old) . $end;
        $target = (string) preg_replace('~^https?:~i', '', $new) . $end;
        $scheme = stripos($new, 'https:') === 0 ? 'https:' : 'http:';
        foreach (['=\'', '="'] as $sign) {
            $this->add($sign . substr($bare, 2), $sign . substr($target, 2));
        }
        foreach (["http:$bare" => $scheme . $target, "https:$bare" => $scheme . $target, $bare => $target] as $was => $is) {
            $this->addText($was, $is);
        }
    }

    /** Every encoding of a string inside other text. */
    private function addText(string $old, string $new): void
    {
        $this->add($old, $new);
        $this->add(urlencode($old), urlencode($new));
        $this->add(rawurlencode($old), rawurlencode($new));
        $this->add(str_replace('/', '\/', $old), str_replace('/', '\/', $new));
    }

    private function addMail(string $old, string $new): void
    {
        $to = self::bare((string) parse_url($new, PHP_URL_HOST));
        $from = (string) parse_url($old, PHP_URL_HOST);
        if ($from !== '' && $to !== '') {
            $this->add("@$from", "@$to");
        }
    }

    private function addUploads(string $old, string $new): void
    {
        foreach (self::both($old) as $one) {
            $this->addAddress($one, $new, '/');
        }
        $path = rtrim((string) parse_url($old, PHP_URL_PATH), '/') . '/';
        $target = rtrim((string) parse_url($new, PHP_URL_PATH), '/') . '/';
        if ($path !== '/' && $target !== '/') {
            foreach (['=\'', '="', ''] as $sign) {
                $this->add($sign . $path, $sign . $target);
            }
        }
    }

    private function addPaths(array $about, VigieSite $site): void
    {
        $words = is_array($about['WordPress'] ?? null) ? $about['WordPress'] : [];
        $content = self::text($words, 'Content');
        $root = self::text($words, 'Absolute');
        if (($content === '' || $content === $site->content) && ($root === '' || $root === $site->root)) {
            return;
        }
        $content === '' || $this->addText($content, $site->content);
        // Without the slash it would match the beginning of longer paths.
        $root === '' || $this->addText("$root/", "$site->root/");
    }

    /** The first replacement of a string wins. */
    private function add(string $old, string $new): void
    {
        $this->pairs += [$old => $new];
    }
}
