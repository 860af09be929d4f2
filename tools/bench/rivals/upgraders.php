<?php
// Redirects requests for WordPress.org to $org and loads the upgraders.
add_filter('pre_http_request', function ($done, $args, $asked) use ($org) {
    if (str_starts_with($asked, "$org/")) {
        return $done;
    }
    $path = preg_replace('~^https?://(api|downloads)\.wordpress\.org~', '', $asked, 1, $isOurs);
    if (!$isOurs) {
        return new WP_Error('offline', 'No internet for benches.');
    }
    return (new WP_Http())->request($org . $path, ['reject_unsafe_urls' => false] + $args);
}, 10, 3);
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
