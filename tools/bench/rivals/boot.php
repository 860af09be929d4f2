<?php
// Starts WordPress for one question, as command-line tools do. $1: the site, $2: the question.
[, $path, $question] = $argv;
$_SERVER['HTTP_HOST'] = '127.0.0.1';
$_SERVER['REQUEST_URI'] = '/';
define('WP_ADMIN', true);
chdir($path);
require $path . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
$answers = [
    'core-version' => static function () {
        return get_bloginfo('version');
    },
    'core-update' => static function () {
        return get_site_transient('update_core');
    },
    'plugins' => static function () {
        return [get_plugins(), get_option('active_plugins'), get_site_transient('update_plugins')];
    },
    'themes' => static function () {
        return [array_keys(wp_get_themes()), get_stylesheet(), get_site_transient('update_themes')];
    },
];
echo json_encode($answers[$question]()), "\n";
