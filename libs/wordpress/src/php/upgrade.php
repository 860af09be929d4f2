<?php
/** Changes one item, and keeps track of whether the site was touched. */
final class VigieUpgrade
{
    /** Error codes with which WordPress reports that nothing was changed. */
    private const UNTOUCHED_CODES = [
        'no_package', 'download_failed', 'up_to_date', 'locked', 'fs_unavailable', 'fs_error', 'incompatible_archive',
        'incompatible_archive_no_plugins', 'incompatible_archive_theme_no_style', 'incompatible_archive_empty',
        'incompatible_php_required_version', 'incompatible_wp_required_version', 'php_not_compatible',
        'mysql_not_compatible', 'php_mysql_not_compatible', 'files_not_writable', 'folder_exists', 'vigie_folder',
        'source_read_failed', 'plugin_not_found', 'no_plugin_header', 'plugin_wp_incompatible',
        'plugin_php_incompatible', 'plugin_wp_php_incompatible', 'unexpected_output', 'theme_wp_incompatible',
        'theme_php_incompatible', 'theme_wp_php_incompatible', 'bad_request', 'disk_full_unpack_file',
    ];
    /** Name, method, priority and number of arguments. */
    private const HOOKS = [
        ['upgrader_pre_download', 'noteRefusal', PHP_INT_MAX, 1],
        ['upgrader_source_selection', 'chooseFolder', -PHP_INT_MAX, 2],
        ['upgrader_source_selection', 'checkFolder', PHP_INT_MAX, 1],
        ['upgrader_clear_destination', 'markTouched', -PHP_INT_MAX, 1],
        ['http_api_debug', 'noteDownloadStatus', 10, 5],
        ['pre_http_request', 'blockTableUpgrade', PHP_INT_MAX, 3],
        ['update_feedback', 'flushCache', 1, 1],
    ];
    private $item;
    private $existedBefore;
    private $isTouched = false;
    private $errors = [];
    private $downloadStatus = null;
    /** The error that a plugin shop returned instead of an archive. */
    private $refusal = null;
    private $packagePath = null;
    /** The folder for downloads: WordPress knows one only, so that all updates of a process use the same. */
    private static $folder = null;

    public function __construct(VigieItem $item)
    {
        $this->item = $item;
        $this->existedBefore = $item->isThere();
    }

    public function isUntouched(): bool
    {
        $order = VigieOperation::$order;
        if (in_array($order['action'], ['activate', 'deactivate'], true)) {
            return $this->item->isActive() === ($order['action'] === 'deactivate');
        }
        clearstatcache();
        return !$this->isTouched && $this->existedBefore === $this->item->isThere();
    }

    public function addHooks(): void
    {
        remove_action('upgrader_process_complete', ['Language_Pack_Upgrader', 'async_upgrade'], 20);
        if (VigieOperation::$skipsPlugins || self::isOneOfSeveral()) {
            // Without plugins, an update check would forget the updates that they offer. Several updates check once.
            foreach (['wp_version_check', 'wp_update_plugins', 'wp_update_themes'] as $check) {
                remove_action('upgrader_process_complete', $check);
            }
        }
        foreach (self::HOOKS as [$name, $method, $priority, $count]) {
            add_filter($name, [$this, $method], $priority, $count);
        }
        self::$folder = self::$folder ?? self::temporaryFolder(rtrim(get_temp_dir(), '/'));
        $isMade = @mkdir(self::$folder, 0700);
        if ($isMade && !defined('WP_TEMP_DIR')) {
            define('WP_TEMP_DIR', self::$folder);
        }
        if (VigieOperation::$order['package'] !== null) {
            $this->copyPackage($isMade ? self::$folder . '/package.zip' : wp_tempnam('package.zip'));
        }
    }

    /** The hooks concern one item only. */
    public function removeHooks(): void
    {
        foreach (self::HOOKS as [$name, $method, $priority]) {
            remove_filter($name, [$this, $method], $priority);
        }
    }

    private static function isOneOfSeveral(): bool
    {
        return isset(VigieOperation::$order['together']);
    }

    /** The folder for downloads, known in advance so that a rollback can delete it. */
    public static function temporaryFolder(string $folder): string
    {
        return "$folder/vigie-" . (VigieOperation::$order['together'] ?? VigieOperation::$order['operation']);
    }

    public function noteRefusal($reply)
    {
        $this->refusal = is_wp_error($reply) ? $reply : null;
        return $reply;
    }

    /**
     * Archives may have no top folder: WordPress would invent one, so the files move into a folder with the item's
     * name. Files that macOS adds are ignored.
     */
    public function chooseFolder($source, $unpacked)
    {
        $unpacked = rtrim($unpacked, '/');
        $folder = $this->item->roots[0];
        if (is_wp_error($source) || rtrim($source, '/') !== $unpacked || substr($folder, -4) === '.php') {
            return $source;
        }
        $entries = array_values(preg_grep('~^(?:\.\.?|\.DS_Store|\._.*)$~', scandir($unpacked) ?: [], PREG_GREP_INVERT));
        if ($entries === [$folder] && is_dir("$unpacked/$folder")) {
            return "$unpacked/$folder/";
        }
        // WordPress validates a plugin or theme only when it installs one.
        if (VigieOperation::$order['action'] !== 'install') {
            return $source;
        }
        // One of the files may have the name of the folder.
        $isMoved = @mkdir("$unpacked/.vigie") && @chmod("$unpacked/.vigie", FS_CHMOD_DIR);
        foreach ($entries as $name) {
            $isMoved = $isMoved && @rename("$unpacked/$name", "$unpacked/.vigie/$name");
        }
        $isMoved = $isMoved && @rename("$unpacked/.vigie", "$unpacked/$folder");
        return $isMoved ? "$unpacked/$folder/" : new WP_Error('fs_error', 'rename()');
    }

    /** Refuses another folder: the rollback copy does not contain it. */
    public function checkFolder($source)
    {
        $name = is_wp_error($source) ? '' : basename((string) $source);
        if ($name === '' || $name === $this->item->roots[0] || $this->item->kind === 'core') {
            return $source;
        }
        return substr($this->item->roots[0], -4) === '.php' ? $source : new WP_Error('vigie_folder', $name);
    }

    public function markTouched($value)
    {
        $this->isTouched = true;
        return $value;
    }

    /** Blocks WordPress's own request to upgrade its tables: a separate step does that after it is noted. */
    public function blockTableUpgrade($answer, $args, $url)
    {
        if (preg_match('~/upgrade\.php\?(?:.*&)?step=upgrade_db\b~', (string) $url) !== 1) {
            return $answer;
        }
        return ['headers' => [], 'body' => '', 'response' => ['code' => 200, 'message' => 'OK'], 'cookies' => [], 'filename' => null];
    }

    /** Flushes the cache before the site reopens: the new code would do it later. */
    public function flushCache($text)
    {
        if ($text === __('Disabling Maintenance mode&#8230;')) {
            wp_cache_flush();
            VigieOperation::log(VigieObjectCache::memoryCacheWarning(WP_CONTENT_DIR));
        }
        return $text;
    }

    public function noteDownloadStatus($response, $context, $class, $args, $url): void
    {
        if (!empty($args['stream'])) {
            $this->downloadStatus = is_wp_error($response) ? 0 : (int) wp_remote_retrieve_response_code($response);
        }
    }

    /** The package belongs to the login: the site gets its own copy, whose hash is checked while it is written. */
    private function copyPackage(string $path): void
    {
        $wanted = VigieOperation::$order['package'];
        $in = @fopen('php://fd/7', 'rb');
        $this->packagePath = $path;
        $out = @fopen($path, 'wb');
        $hash = hash_init('sha256');
        while ($in && $out && !feof($in)) {
            $bytes = (string) fread($in, 262144);
            hash_update($hash, $bytes);
            if (@fwrite($out, $bytes) !== strlen($bytes)) {
                $this->deleteTemporary();
                throw new VigieStop('no_room', 'site');
            }
        }
        if (!$out || !fclose($out) || !hash_equals($wanted['sha256'], hash_final($hash))) {
            $this->deleteTemporary();
            throw new VigieStop('refused_by_wordpress', 'package');
        }
    }

    public function deleteTemporary(): void
    {
        if ($this->packagePath !== null) {
            @unlink($this->packagePath);
        }
        if (self::$folder !== null) {
            VigieItem::remove(self::$folder);
        }
    }

    public function run(): void
    {
        $action = VigieOperation::$order['action'];
        try {
            if ($action === 'activate') {
                $this->activate();
            } elseif ($action === 'deactivate') {
                deactivate_plugins($this->item->files);
            } elseif ($action === 'install') {
                $this->install();
            } else {
                $this->update();
            }
        } finally {
            $this->deleteTemporary();
        }
    }

    private function update(): void
    {
        $item = $this->item;
        $skin = $this->skin();
        if ($item->kind === 'core') {
            $offer = VigieOffers::coreOffer(VigieOperation::$order['to']);
            if ($offer === null) {
                throw new VigieStop('refused_by_wordpress', 'no_offer');
            }
            $this->isTouched = true;
            $this->checkResult((new Core_Upgrader($skin))->upgrade($offer, ['attempt_rollback' => false]));
            return;
        }
        // Puts the file with the offer first.
        VigieOffers::require($item, VigieOperation::$order['to']);
        $keep = ['clear_update_cache' => false];
        if ($item->kind === 'theme') {
            $name = $item->slug;
            $result = (new Theme_Upgrader($skin))->bulk_upgrade([$name], $keep);
        } else {
            $name = $item->files[0];
            $result = (new Plugin_Upgrader($skin))->bulk_upgrade([$name], $keep);
        }
        $this->checkResult(is_array($result) ? ($result[$name] ?? false) : $result);
    }

    private function install(): void
    {
        $isTheme = $this->item->kind === 'theme';
        $upgrader = $isTheme ? new Theme_Upgrader($this->skin()) : new Plugin_Upgrader($this->skin());
        // WordPress checks for updates next: a stale plugin list would make it forget other plugins' updates.
        add_action('upgrader_process_complete', static function () use ($isTheme): void {
            $isTheme ? wp_clean_themes_cache(false) : wp_clean_plugins_cache(false);
        }, 9, 0);
        $options = ['overwrite_package' => true, 'clear_update_cache' => false];
        $this->checkResult($upgrader->install($this->packagePath, $options));
        $this->item = VigieItem::find(VigieOperation::$order);
        if (VigieOperation::$order['activate'] && !$this->item->isActive()) {
            $this->isTouched = true;
            $this->activate();
        }
    }

    private function activate(): void
    {
        $item = $this->item;
        if ($item->kind === 'theme') {
            $requirements = function_exists('validate_theme_requirements') ? validate_theme_requirements($item->slug) : true;
            $theme = wp_get_theme($item->slug);
            $this->checkResult(is_wp_error($requirements) ? $requirements : ($theme->errors() ?: true));
            switch_theme($item->slug);
            return;
        }
        if ($item->files === []) {
            throw new VigieStop('refused_by_wordpress', 'absent');
        }
        $result = activate_plugin($item->files[0]);
        // The plugin printed something, but is active all the same.
        $isDone = is_wp_error($result) && $result->get_error_code() === 'unexpected_output';
        $this->checkResult($result === null || $isDone ? true : $result);
    }

    /** Throws unless WordPress returned a result; an earlier error may explain it. */
    private function checkResult($result): void
    {
        $error = is_wp_error($result) ? $result : ($this->errors[0] ?? null);
        if ($error === null && $result !== false && $result !== null) {
            return;
        }
        $code = $error === null ? '' : (string) $error->get_error_code();
        $data = $error === null ? '' : $error->get_error_data();
        $words = $error === null ? '' : $error->get_error_message() . (is_string($data) && $data !== '' ? " ($data)" : '');
        $this->isTouched = $this->isTouched && !in_array($code, self::UNTOUCHED_CODES, true);
        $fields = ['words' => substr(trim(strip_tags($words)), 0, 800)];
        if ($code === 'no_package' || (in_array($this->downloadStatus, [401, 402, 403], true) && $code === 'download_failed')) {
            throw new VigieStop('licence_required', '', $fields);
        }
        $isShopRefusal = $error !== null && $error === $this->refusal && VigieOperation::$order['action'] === 'update';
        if ($isShopRefusal && self::mentionsLicence($words)) {
            throw new VigieStop('licence_required', 'shop', $fields);
        }
        if ($code === 'download_failed') {
            throw new VigieStop('download_failed', '', $fields);
        }
        if ($code === 'up_to_date') {
            throw new VigieStop('nothing_to_do');
        }
        if ($code === 'locked') {
            throw new VigieStop('wordpress_busy', 'lock');
        }
        if ($code === 'vigie_folder') {
            throw new VigieStop('refused_by_wordpress', 'folder', $fields);
        }
        throw new VigieStop($this->isUntouched() ? 'refused_by_wordpress' : 'failed', 'words', $fields);
    }

    /** Shops have no error code for it; an expired certificate is something else. */
    private static function mentionsLicence(string $words): bool
    {
        $pattern = '~licen[cs]|subscription|abonnement|expired|expirée?|unauthori[sz]ed|forbidden|\b40[123]\b~i';
        return preg_match($pattern, $words) === 1 && stripos($words, 'certificat') === false;
    }

    /** Collects what WordPress would print. The parent class is loaded only now. */
    private function skin(): WP_Upgrader_Skin
    {
        return new class($this->errors) extends WP_Upgrader_Skin {
            private $heard;

            public function __construct(array &$heard)
            {
                parent::__construct();
                $this->heard = &$heard;
            }

            public function header()
            {
            }

            public function footer()
            {
            }

            public function feedback($feedback, ...$args)
            {
                if (!is_scalar($feedback)) {
                    is_wp_error($feedback) && $this->error($feedback);
                    return;
                }
                $text = (string) ($this->upgrader->strings[$feedback] ?? $feedback);
                if ($args && strpos($text, '%') !== false) {
                    $args = array_map('strip_tags', array_map('strval', $args));
                    $text = vsprintf($text, $args);
                }
                $steps = ['downloading_package' => 'download', 'unpack_package' => 'unpack', 'installing_package' => 'change'];
                if (isset($steps[$feedback])) {
                    VigieOperation::reportStep($steps[$feedback]);
                }
                VigieOperation::log($text);
            }

            public function error($errors)
            {
                $this->heard[] = is_wp_error($errors) ? $errors : new WP_Error('words', (string) $errors);
            }
        };
    }
}
