<?php
/** The strings to replace when a site moves: its addresses and paths, in every notation. */
final class VigieReplacements
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
    public static function stringOf(array $about, string $key): string
    {
        return is_string($about[$key] ?? null) ? rtrim($about[$key], '/') : '';
    }

    private function addAddresses(array $about, VigieSite $site, array $below): void
    {
        $wordPress = is_array($about['WordPress'] ?? null) ? $about['WordPress'] : [];
        [$siteUrl, $homeUrl] = [$site->address('siteurl'), $site->address('home')];
        $inner = static function (string $name, string $default) use ($site): string {
            return rtrim((string) ($site->options[$name] ?? $default), '/');
        };
        // Old address, new address, and the old one that would mean the same site.
        $addresses = [
            [self::stringOf($about, 'SiteURL'), $siteUrl, $siteUrl],
            [self::stringOf($about, 'InternalSiteURL'), $siteUrl, $inner('siteurl', $siteUrl)],
            [self::stringOf($about, 'HomeURL'), $homeUrl, $homeUrl],
            [self::stringOf($about, 'InternalHomeURL'), $homeUrl, $inner('home', $homeUrl)],
        ];
        $uploads = [self::stringOf($wordPress, 'UploadsURL'), rtrim($site->uploadsUrl(), '/')];
        $isSame = $uploads[0] === '' || $uploads[0] === $uploads[1];
        foreach ($addresses as [$old, , $same]) {
            $isSame = $isSame && ($old === '' || $old === $same);
        }
        if ($isSame) {
            return;
        }
        $replacesMail = empty($about['NoEmailReplace']);
        // Addresses as written come before those with or without www.
        foreach ([0, 1] as $variant) {
            foreach ($addresses as [$old, $new]) {
                $address = $new === '' ? null : self::withAndWithoutWww($old)[$variant] ?? null;
                if ($address !== null) {
                    $this->addAddress($address, $new);
                    $replacesMail && $this->addMail($address, $new);
                }
            }
        }
        foreach ($below as $address) {
            $this->addNetworkSite($address, $addresses[0][0], $siteUrl, $replacesMail);
        }
        $this->addUploads(...$uploads);
    }

    /** Replaces the address of a network's site with its own subdomain or folder. */
    private function addNetworkSite(string $url, string $old, string $new, bool $replacesMail): void
    {
        [$host, $path] = self::hostAndPath($url);
        [$oldHost, $oldPath] = self::hostAndPath($old);
        [$newHost, $newPath] = self::hostAndPath($new);
        $moved = $newHost === '' ? null : self::movedHost($host, $oldHost, $newHost);
        if ($moved === null || self::withoutWww($host) === self::withoutWww($oldHost)) {
            return;
        }
        $isBelow = strncmp($path, $oldPath, strlen($oldPath)) === 0;
        $targetPath = $isBelow ? $newPath . substr($path, strlen($oldPath)) : $path;
        $scheme = stripos($new, 'https:') === 0 ? 'https' : 'http';
        [$from, $to] = [rtrim("http://$host$path", '/'), rtrim("$scheme://$moved$targetPath", '/')];
        $this->addAddress($from, $to);
        $replacesMail && $this->addMail($from, $to);
    }

    /** The new host of a network's site; null for a host outside the network's domain. */
    public static function movedHost(string $host, string $old, string $new): ?string
    {
        if ($host === $old || $old === '') {
            return $old === '' ? null : $new;
        }
        $first = (string) substr($host, 0, -strlen(self::withoutWww($old)));
        $isBelow = $first . self::withoutWww($old) === $host && ($first === '' || substr($first, -1) === '.');
        return $isBelow ? $first . self::withoutWww($new) : null;
    }

    /** The domain of which subdomains are made. */
    public static function withoutWww(string $host): string
    {
        return (string) preg_replace('~^www\.~i', '', $host);
    }

    /** Host with port, and path with slashes. */
    public static function hostAndPath(string $address): array
    {
        $parts = parse_url($address) ?: [];
        $host = strtolower($parts['host'] ?? '') . (isset($parts['port']) ? ":{$parts['port']}" : '');
        return [$host, rtrim($parts['path'] ?? '', '/') . '/'];
    }

    private static function withAndWithoutWww(string $url): array
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
        foreach (['=\'', '="'] as $quote) {
            $this->add($quote . substr($bare, 2), $quote . substr($target, 2));
        }
        foreach (["http:$bare" => $scheme . $target, "https:$bare" => $scheme . $target, $bare => $target] as $from => $to) {
            $this->addText($from, $to);
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
        $to = self::withoutWww((string) parse_url($new, PHP_URL_HOST));
        $from = (string) parse_url($old, PHP_URL_HOST);
        if ($from !== '' && $to !== '') {
            $this->add("@$from", "@$to");
        }
    }

    private function addUploads(string $old, string $new): void
    {
        foreach (self::withAndWithoutWww($old) as $address) {
            $this->addAddress($address, $new, '/');
        }
        $path = rtrim((string) parse_url($old, PHP_URL_PATH), '/') . '/';
        $target = rtrim((string) parse_url($new, PHP_URL_PATH), '/') . '/';
        if ($path !== '/' && $target !== '/') {
            foreach (['=\'', '="', ''] as $quote) {
                $this->add($quote . $path, $quote . $target);
            }
        }
    }

    private function addPaths(array $about, VigieSite $site): void
    {
        $wordPress = is_array($about['WordPress'] ?? null) ? $about['WordPress'] : [];
        $content = self::stringOf($wordPress, 'Content');
        $root = self::stringOf($wordPress, 'Absolute');
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
