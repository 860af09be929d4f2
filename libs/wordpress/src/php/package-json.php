<?php
/** package.json of an archive: what the plugin's importer reads, and Vigie's own additions. */
final class VigiePackageJson
{
    private const FLAGS = [
        'spam' => 'NoSpamComments', 'revisions' => 'NoPostRevisions', 'media' => 'NoMedia', 'themes' => 'NoThemes',
        'inactive_themes' => 'NoInactiveThemes', 'mu_plugins' => 'NoMustUsePlugins', 'plugins' => 'NoPlugins',
        'inactive_plugins' => 'NoInactivePlugins', 'cache' => 'NoCache', 'database' => 'NoDatabase',
    ];
    /** Placeholder for a number that is not known yet, as long as the final one may be. */
    private const UNKNOWN = 999999999999;
    private const MAX_FILE_BYTES = 65536;

    private $site;
    private $database;
    private $without;
    private $mayBeLost;
    /** Read once, so that the text has the same length at the end as at the beginning. */
    private $description;
    public $entries = null;

    /** `$mayBeLost`: tolerates missing tables of a network that is restored because it lost them. */
    public function __construct(VigieSite $site, VigieDatabase $base, array $without, bool $mayBeLost = false)
    {
        $this->site = $site;
        $this->database = $base;
        $this->without = $without;
        $this->mayBeLost = $mayBeLost;
        $this->description = $this->siteDescription();
    }

    public function json(string $crc): string
    {
        return (string) json_encode(
            $this->description + $this->flags() + ['Vigie' => $this->note($crc)],
            JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR
        );
    }

    private function siteDescription(): array
    {
        $site = $this->site;
        $options = $site->options;
        return [
            'SiteURL' => $site->address('siteurl'),
            'HomeURL' => $site->address('home'),
            'InternalSiteURL' => (string) ($options['siteurl'] ?? ''),
            'InternalHomeURL' => (string) ($options['home'] ?? ''),
            'Plugin' => ['Version' => '7.99'],
            'WordPress' => [
                'Version' => $site->version,
                'Absolute' => "$site->root/",
                'Content' => $site->content,
                'Plugins' => $site->plugins,
                'Themes' => $site->themes,
                'Uploads' => $site->uploads,
                'UploadsURL' => $site->uploadsUrl(),
            ],
            'Database' => [
                'Version' => $this->database->version,
                'Charset' => defined('DB_CHARSET') ? DB_CHARSET : '',
                'Collate' => defined('DB_COLLATE') ? DB_COLLATE : '',
                'Prefix' => $site->prefix,
            ],
            'PHP' => ['Version' => PHP_VERSION, 'System' => PHP_OS, 'Integer' => PHP_INT_SIZE],
            'Plugins' => array_values(array_filter($site->activePlugins(), static function (string $file): bool {
                return strpos($file, 'all-in-one-wp-migration') !== 0;
            })),
            'Template' => (string) ($options['template'] ?? ''),
            'Stylesheet' => (string) ($options['stylesheet'] ?? ''),
            'Uploads' => (string) ($options['upload_path'] ?? ''),
            'UploadsURL' => (string) ($options['upload_url_path'] ?? ''),
            'Server' => ['.htaccess' => $this->encodedFile('.htaccess'), 'web.config' => $this->encodedFile('web.config')],
        ];
    }

    private function encodedFile(string $name): string
    {
        return base64_encode((string) VigieFiles::read($this->site->root . "/$name", self::MAX_FILE_BYTES));
    }

    private function flags(): array
    {
        $flags = [];
        foreach (self::FLAGS as $key => $flag) {
            if (!empty($this->without[$key])) {
                $flags[$flag] = true;
            }
        }
        if (!empty($this->without['files'])) {
            $flags['ExcludedFiles'] = implode(',', $this->without['files']);
        }
        return $flags;
    }

    private function note(string $crc): array
    {
        $tables = [];
        foreach (empty($this->without['database']) ? array_keys($this->database->tables) : [] as $table) {
            $rows = $this->database->rowCounts[$table] ?? self::UNKNOWN;
            $tables[] = ['Name' => VigieSql::unquoted($this->database->placeholderName((string) $table)), 'Rows' => $rows];
        }
        return [
            'Format' => 1,
            'Crc32' => $crc,
            'Entries' => $this->entries ?? self::UNKNOWN,
            'Tables' => $tables,
            'Database' => $tables === [] ? (object) [] : $this->database->definitions(),
        ];
    }

    /** multisite.json, which the plugin's importer wants for a network. */
    public function networkJson(): string
    {
        $base = $this->database;
        $sites = [];
        $blogs = VigieConnection::quoteName($base->prefix . 'blogs');
        foreach ($this->query("SELECT blog_id, site_id FROM $blogs") as [$blog, $network]) {
            $options = $blog === '1' ? $this->site->options : $this->optionsOf($blog);
            $plugins = @unserialize((string) ($options['active_plugins'] ?? ''), ['allowed_classes' => false]);
            $sites[] = [
                'BlogID' => (int) $blog,
                'SiteID' => (int) $network,
                'SiteURL' => $options['siteurl'] ?? '',
                'HomeURL' => $options['home'] ?? '',
                'InternalSiteURL' => $options['siteurl'] ?? '',
                'InternalHomeURL' => $options['home'] ?? '',
                'Plugins' => is_array($plugins) ? array_values($plugins) : [],
                'Template' => $options['template'] ?? '',
                'Stylesheet' => $options['stylesheet'] ?? '',
                'Uploads' => $options['upload_path'] ?? '',
                'UploadsURL' => $options['upload_url_path'] ?? '',
            ];
        }
        $meta = 'SELECT meta_key, meta_value FROM ' . VigieConnection::quoteName($base->prefix . 'sitemeta')
            . " WHERE meta_key IN ('active_sitewide_plugins', 'site_admins')";
        $values = array_map(static function ($text) {
            return @unserialize((string) $text, ['allowed_classes' => false]) ?: [];
        }, array_column($this->query($meta), 1, 0));
        return (string) json_encode([
            'Network' => true,
            'Sites' => $sites,
            'Plugins' => array_keys((array) ($values['active_sitewide_plugins'] ?? [])),
            'Admins' => array_values((array) ($values['site_admins'] ?? [])),
        ], JSON_INVALID_UTF8_SUBSTITUTE);
    }

    private function query(string $sql): array
    {
        return $this->mayBeLost ? $this->database->queryIfExists($sql) : $this->database->query($sql);
    }

    private function optionsOf(string $blog): array
    {
        return array_column($this->query($this->database->optionsQuery(VigieSite::OPTIONS, "{$blog}_")), 1, 0);
    }
}
