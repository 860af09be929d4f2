# Version, kind, extensions that matter, path. $1: the one to ask first.
ask() {
  said=$("$1" -q -d display_errors=0 -r 'echo PHP_VERSION, " ", PHP_SAPI;
foreach (["json", "tokenizer", "mysqli", "pdo_sqlite"] as $name) { echo extension_loaded($name) ? " $name" : ""; }' \
    </dev/null 2>/dev/null | head -c 200 | head -n 1)
  printf 'php\t%s\t%s\n' "$said" "$1"
}
each_php "$1"
