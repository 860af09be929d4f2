# Whether this is root, then of each: version, kind, extensions that matter, path. $1: the one to ask first.
ask() {
  said=$("$1" -q -d display_errors=0 -r 'echo PHP_VERSION, " ", PHP_SAPI;
foreach (["json", "tokenizer", "mysqli", "pdo_sqlite"] as $name) { echo extension_loaded($name) ? " $name" : ""; }
echo function_exists("posix_seteuid") ? " posix" : "";' \
    </dev/null 2>/dev/null | head -c 200 | head -n 1)
  printf 'php\t%s\t%s\n' "$said" "$1"
}
[ "$(id -u)" -ne 0 ] || echo root
each_php "$1"
