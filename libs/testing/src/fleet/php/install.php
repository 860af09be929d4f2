<?php
// Installs WordPress into the database that the wp-config.php of a folder names: `php -- root url mode`.
[, $root, $url, $mode] = $argv;
$host = preg_replace('~^https?://~', '', $url);
$_SERVER += ['HTTP_HOST' => $host, 'SERVER_NAME' => $host, 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
$_SERVER['PHP_SELF'] = '/index.php';
define('WP_INSTALLING', true);
if ($mode === 'network') {
    define('WP_ALLOW_MULTISITE', true);
}

function wp_new_blog_notification() {}

require $root . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_http_request', fn () => new WP_Error('none', 'No network while it is installed.'));
wp_install('Golden', 'capitaine', 'capitaine@example.org', true, '', 'golden-password');
update_option('siteurl', $url);
update_option('home', $url);
update_option('permalink_structure', '/%postname%/');
switch_theme('phare');
for ($number = 1; $number <= 12; $number++) {
    wp_insert_post([
        'post_title' => "Article $number",
        'post_content' => "<!-- wp:paragraph --><p>Texte de l’article $number.</p><!-- /wp:paragraph -->",
        'post_status' => 'publish',
    ]);
}
if ($mode === 'network') {
    require ABSPATH . 'wp-admin/includes/network.php';
    foreach ($wpdb->tables('ms_global') as $table => $name) {
        $wpdb->$table = $name;
    }
    install_network();
    $made = populate_network(1, $host, 'capitaine@example.org', 'Réseau', '/', false);
    if (is_wp_error($made) && $made->get_error_code() !== 'no_wildcard_dns') {
        throw new Exception($made->get_error_message());
    }
}
echo 'installed';
