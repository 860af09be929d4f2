<?php
/** Finds what keeps a site from starting, and quarantines it. Runs no code of the site, follows no link. */
final class VigieRepairs
{
    private const DROP_INS = [
        'advanced-cache', 'blog-deleted', 'blog-inactive', 'blog-suspended', 'db', 'db-error', 'fatal-error-handler',
        'install', 'maintenance', 'object-cache', 'php-error', 'sunrise',
    ];
    private const RULE = '~^(plugin|theme|must_use|drop_in)/([A-Za-z0-9][A-Za-z0-9._-]{0,194})-([0-9a-f]{12})\z~';
    private const SLUG = '~^[A-Za-z0-9][A-Za-z0-9._-]{0,190}\z~';
    private const DENIED = "<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n"
        . "<IfModule !mod_authz_core.c>\nDeny from all\n</IfModule>\n";
    private const MAX_LISTED = 30;

    private $root;
    private $content;
    private $folders;

    public function __construct(string $root, ?string $content)
    {
        $above = dirname($root);
        $isAbove = @lstat("$root/wp-config.php") === false && !VigieFiles::isFile("$above/wp-settings.php");
        $config = VigieConfig::parse((string) VigieFiles::read(($isAbove ? $above : $root) . '/wp-config.php', 256000));
        $candidates = [$content, $config->text('WP_CONTENT_DIR'), "$root/wp-content"];
        $candidates = array_values(array_filter($candidates, static function ($folder) {
            return is_string($folder) && ($folder[0] ?? '') === '/' && @is_dir($folder);
        }));
        $this->root = $root;
        $this->content = rtrim($candidates[0] ?? "$root/wp-content", '/');
        $this->folders = [
            'plugin' => rtrim($config->text('WP_PLUGIN_DIR') ?? "$this->content/plugins", '/'),
            'theme' => "$this->content/themes",
            'must_use' => rtrim($config->text('WPMU_PLUGIN_DIR') ?? "$this->content/mu-plugins", '/'),
            'drop_in' => $this->content,
        ];
    }

    public function check(array $suspects): array
    {
        $items = [];
        foreach (array_slice($suspects, 0, 10) as $suspect) {
            $items[] = $suspect + $this->findItem((string) $suspect['type'], (string) $suspect['slug']);
        }
        return [
            'root' => $this->root,
            'folder' => $this->quarantineFolder(),
            'maintenance' => $this->maintenance(),
            'found' => $items,
            'aside' => $this->listQuarantined(),
        ];
    }

    public function apply(array $repair): array
    {
        switch ($repair['action']) {
            case 'end_maintenance':
                return $this->endMaintenance((int) $repair['mtime']);
            case 'set_aside':
                return $this->quarantine((string) $repair['type'], (string) $repair['slug'], (string) $repair['mark']);
            case 'put_back':
                return $this->putBack((string) $repair['aside']);
        }
        return ['refused' => 'missing'];
    }

    private function quarantineFolder(): string
    {
        return "$this->content/.vigie-aside";
    }

    private function maintenance(): ?array
    {
        $path = "$this->root/.maintenance";
        clearstatcache(true, $path);
        $stat = @lstat($path);
        if (!$stat) {
            return null;
        }
        $isLink = is_link($path);
        $code = $isLink ? '' : (string) VigieFiles::read($path, 4096, false);
        $isSet = preg_match('/\$upgrading\s*=\s*(\d{1,11})\s*;/', $code, $match) === 1;
        return [
            'path' => $path,
            'mtime' => $stat['mtime'],
            'since' => $isSet ? (int) $match[1] : null,
            'always' => preg_match('/\$upgrading\s*=\s*\\\\?time\s*\(/', $code) === 1,
            'refused' => $isLink ? 'link' : (is_dir($path) ? 'folder' : (is_writable($this->root) ? null : 'read_only')),
        ];
    }

    /** The file or folder of an item; a plugin may be either. */
    private function findItem(string $type, string $slug): array
    {
        $folder = $this->folders[$type] ?? null;
        if ($folder === null || preg_match(self::SLUG, $slug) !== 1) {
            return ['refused' => 'missing'];
        }
        $isDropIn = $type === 'drop_in';
        if ($isDropIn && !in_array($slug, self::DROP_INS, true)) {
            return ['refused' => 'missing'];
        }
        $names = $isDropIn ? ["$slug.php"] : ($type === 'theme' ? [$slug] : [$slug, "$slug.php"]);
        $existing = array_values(array_intersect($names, VigieFiles::listNames($folder)));
        if ($existing === []) {
            return ['refused' => 'missing', 'path' => "$folder/{$names[0]}"];
        }
        $path = "$folder/$existing[0]";
        return ['path' => $path, 'name' => $existing[0], 'refused' => $this->refusalOf($type, $path)];
    }

    private function refusalOf(string $type, string $path): ?string
    {
        clearstatcache(true);
        if (is_link($path)) {
            return 'link';
        }
        $hasExpectedType = is_dir($path) ? $type !== 'drop_in' : is_file($path) && $type !== 'theme';
        if (!$hasExpectedType) {
            return 'missing';
        }
        if ($type === 'theme' && !$this->hasOtherTheme(basename($path))) {
            return 'last_theme';
        }
        $quarantine = $this->quarantineFolder();
        if (is_link($quarantine)) {
            return 'link';
        }
        $isWritable = is_writable(dirname($path)) && (!is_dir($path) || is_writable($path))
            && is_writable(is_dir($quarantine) ? $quarantine : $this->content);
        return $isWritable ? null : 'read_only';
    }

    private function hasOtherTheme(string $name): bool
    {
        foreach (VigieFiles::listNames($this->folders['theme']) as $other) {
            if ($other !== $name && VigieFiles::isFile($this->folders['theme'] . "/$other/style.css")) {
                return true;
            }
        }
        return false;
    }

    private function listQuarantined(): array
    {
        $items = [];
        foreach (is_link($this->quarantineFolder()) ? [] : array_keys($this->folders) as $type) {
            $folder = $this->quarantineFolder() . "/$type";
            foreach (is_link($folder) ? [] : VigieFiles::listNames($folder, 1000) as $name) {
                if (count($items) < self::MAX_LISTED && preg_match(self::RULE, "$type/$name", $match) === 1) {
                    $stat = @lstat("$folder/$name");
                    $items[] = ['id' => "$type/$name", 'at' => $stat ? $stat['ctime'] : null] + $this->originOf("$type/$name");
                }
            }
        }
        return $items;
    }

    /** Where a quarantined item came from, and why it cannot return there. */
    private function originOf(string $id): array
    {
        if (preg_match(self::RULE, $id, $match) !== 1) {
            return ['refused' => 'missing'];
        }
        $from = $this->quarantineFolder() . "/$id";
        $folder = $this->folders[$match[1]];
        $to = "$folder/$match[2]";
        clearstatcache(true);
        $refused = null;
        if (is_link($this->quarantineFolder()) || is_link(dirname($from)) || is_link($from)) {
            $refused = 'link';
        } elseif (@lstat($from) === false) {
            $refused = 'missing';
        } elseif (@lstat($to) !== false) {
            $refused = 'occupied';
        } elseif (!is_dir($folder)) {
            $refused = 'no_folder';
        } elseif (!is_writable($folder) || !is_writable(dirname($from)) || (is_dir($from) && !is_writable($from))) {
            $refused = 'read_only';
        }
        return ['type' => $match[1], 'name' => $match[2], 'from' => $from, 'to' => $to, 'refused' => $refused];
    }

    private function endMaintenance(int $mtime): array
    {
        $maintenance = $this->maintenance();
        if ($maintenance === null || $maintenance['mtime'] !== $mtime) {
            return ['refused' => $maintenance === null ? 'missing' : 'changed'];
        }
        if ($maintenance['refused'] !== null) {
            return ['refused' => $maintenance['refused']];
        }
        return @unlink($maintenance['path']) ? ['done' => $maintenance['path']] : self::failure();
    }

    private function quarantine(string $type, string $slug, string $mark): array
    {
        $found = $this->findItem($type, $slug);
        if ($found['refused'] !== null) {
            return ['refused' => $found['refused']];
        }
        $folder = $this->quarantineFolder() . "/$type";
        $this->createFolder($folder);
        $id = "$type/$found[name]-$mark";
        if (is_link($folder) || !is_dir($folder) || preg_match(self::RULE, $id) !== 1) {
            return ['refused' => 'read_only'];
        }
        return $this->move($found['path'], $this->quarantineFolder() . "/$id") + ['id' => $id];
    }

    private function putBack(string $id): array
    {
        $origin = $this->originOf($id);
        return $origin['refused'] === null ? $this->move($origin['from'], $origin['to']) : ['refused' => $origin['refused']];
    }

    /** Creates the quarantine folder, closed to the web. */
    private function createFolder(string $folder): void
    {
        $quarantine = $this->quarantineFolder();
        @mkdir($quarantine, 0700);
        @mkdir($folder, 0700);
        $files = [
            'index.php' => "<?php\n// Set aside by Vigie, which can put it back.\nhttp_response_code(404);\n",
            '.htaccess' => self::DENIED,
        ];
        foreach ($files as $name => $text) {
            $file = @fopen("$quarantine/$name", 'xb');
            if ($file) {
                fwrite($file, $text);
                fclose($file);
            }
        }
    }

    /** A rename on one file system: it happens completely or not at all. */
    private function move(string $from, string $to): array
    {
        clearstatcache(true);
        $source = @lstat($from);
        $targetFolder = @stat(dirname($to));
        if (!$source || !$targetFolder || $source['dev'] !== $targetFolder['dev']) {
            return ['refused' => 'other_disk'];
        }
        if (@lstat($to) !== false) {
            return ['refused' => 'occupied'];
        }
        return @rename($from, $to) ? ['done' => $to, 'from' => $from] : self::failure();
    }

    private static function failure(): array
    {
        return ['refused' => 'failed', 'why' => VigieAnswer::text(error_get_last()['message'] ?? '', 300)];
    }
}
