<?php
/**
 * Plugin Name: Cale à fichiers
 * Description: An object cache that keeps each value in a file of its own.
 * Version: 1.0.1
 */
define('CALE_FOLDER', WP_CONTENT_DIR . '/cale');

class Cale {
    public array $here = [];
    public array $passing = ['counts' => true, 'plugins' => true];
    public array $global = [];
    public int $blog = 1;

    public function file($group, $key): string {
        $prefix = isset($this->global[$group]) ? '' : $this->blog . ':';
        return CALE_FOLDER . '/' . md5("$prefix$group:$key");
    }

    public function get($key, $group, &$found) {
        $group = $group ?: 'default';
        $file = $this->file($group, $key);
        if (!array_key_exists($file, $this->here) && !isset($this->passing[$group])) {
            $text = is_file($file) ? file_get_contents($file) : false;
            [$until, $value] = $text === false ? [1, null] : unserialize($text);
            if ($until === 0 || $until > time()) {
                $this->here[$file] = $value;
            }
        }
        $found = array_key_exists($file, $this->here);
        $value = $found ? $this->here[$file] : false;
        return is_object($value) ? clone $value : $value;
    }

    public function set($key, $value, $group, $seconds): bool {
        $group = $group ?: 'default';
        $file = $this->file($group, $key);
        $this->here[$file] = is_object($value) ? clone $value : $value;
        if (isset($this->passing[$group])) {
            return true;
        }
        is_dir(CALE_FOLDER) || mkdir(CALE_FOLDER, 0755);
        $part = $file . '.' . getmypid();
        file_put_contents($part, serialize([$seconds > 0 ? time() + $seconds : 0, $value]));
        return rename($part, $file);
    }

    public function delete($key, $group): bool {
        $file = $this->file($group ?: 'default', $key);
        $was = array_key_exists($file, $this->here) || is_file($file);
        unset($this->here[$file]);
        is_file($file) && unlink($file);
        return $was;
    }
}

function wp_cache_init() {
    $GLOBALS['wp_object_cache'] = new Cale();
}

function wp_cache_get($key, $group = '', $force = false, &$found = null) {
    return $GLOBALS['wp_object_cache']->get($key, $group, $found);
}

function wp_cache_set($key, $value, $group = '', $seconds = 0) {
    return $GLOBALS['wp_object_cache']->set($key, $value, $group, (int) $seconds);
}

function wp_cache_add($key, $value, $group = '', $seconds = 0) {
    wp_cache_get($key, $group, false, $found);
    return !$found && !wp_suspend_cache_addition() && wp_cache_set($key, $value, $group, $seconds);
}

function wp_cache_replace($key, $value, $group = '', $seconds = 0) {
    wp_cache_get($key, $group, false, $found);
    return $found && wp_cache_set($key, $value, $group, $seconds);
}

function wp_cache_delete($key, $group = '') {
    return $GLOBALS['wp_object_cache']->delete($key, $group);
}

function wp_cache_incr($key, $offset = 1, $group = '') {
    $value = max(0, (int) wp_cache_get($key, $group) + $offset);
    return wp_cache_set($key, $value, $group) ? $value : false;
}

function wp_cache_decr($key, $offset = 1, $group = '') {
    return wp_cache_incr($key, -$offset, $group);
}

function wp_cache_flush() {
    array_map('unlink', glob(CALE_FOLDER . '/*') ?: []);
    $GLOBALS['wp_object_cache']->here = [];
    return true;
}

function wp_cache_add_global_groups($groups) {
    $GLOBALS['wp_object_cache']->global += array_fill_keys((array) $groups, true);
}

function wp_cache_add_non_persistent_groups($groups) {
    $GLOBALS['wp_object_cache']->passing += array_fill_keys((array) $groups, true);
}

function wp_cache_switch_to_blog($blog) {
    $GLOBALS['wp_object_cache']->blog = (int) $blog;
}

function wp_cache_supports($feature) {
    return false;
}

function wp_cache_close() {
    return true;
}
