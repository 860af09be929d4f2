<?php
// Logs the actions that WordPress itself reports, one per line, in a file that no update touches.
(function () {
    $say = function (string $did, array $what) {
        $line = ['did' => $did, 'pid' => getmypid(), 'at' => microtime(true)] + $what;
        file_put_contents('{file}', json_encode($line) . "\n", FILE_APPEND | LOCK_EX);
    };
    add_action('upgrader_process_complete', function ($upgrader, $extra) use ($say) {
        $of = fn ($many, $one) => (array) ($extra[$many] ?? $extra[$one] ?? []);
        $installed = ($extra['action'] ?? '') === 'install' && is_array($upgrader->result) ? [$upgrader->result['destination_name']] : [];
        $items = ($extra['type'] ?? '') === 'core' ? ['wordpress'] : [...$of('plugins', 'plugin'), ...$of('themes', 'theme'), ...$installed];
        foreach ($items as $item) {
            $say($extra['action'] ?? '', ['type' => $extra['type'] ?? '', 'item' => $item]);
        }
    }, 0, 2);
    add_action('activated_plugin', fn ($plugin) => $say('activate', ['type' => 'plugin', 'item' => $plugin]), 0);
    add_action('deactivated_plugin', fn ($plugin) => $say('deactivate', ['type' => 'plugin', 'item' => $plugin]), 0);
    add_action('switch_theme', fn ($name, $theme) => $say('activate', ['type' => 'theme', 'item' => $theme->get_stylesheet()]), 0, 2);
    add_action('wp_upgrade', fn () => $say('migrate', ['type' => 'core', 'item' => 'wordpress']), 0);
})();
