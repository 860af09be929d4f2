<?php
// Adds a second site to a network: `php -- root host`.
[, $root, $host] = $argv;
$_SERVER += ['HTTP_HOST' => $host, 'SERVER_NAME' => $host, 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET'];
$_SERVER['PHP_SELF'] = '/index.php';
require $root . '/wp-load.php';
add_filter('pre_http_request', fn () => new WP_Error('none', 'No network while it is installed.'));
$blog = wpmu_create_blog($host, '/voisin/', 'Voisin', 1, ['public' => 1], 1);
if (is_wp_error($blog)) {
    throw new Exception($blog->get_error_message());
}
switch_to_blog($blog);
switch_theme('phare');
update_option('permalink_structure', '/%postname%/');
restore_current_blog();
echo 'added';
