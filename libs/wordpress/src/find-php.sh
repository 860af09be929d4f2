# Each PHP of the command line: version, kind, extensions that matter, path. $1: the one to ask first.
seen=' '
found=0
for php in "$1" $(command -v php 2>/dev/null) /usr/bin/php[0-9]* /usr/local/bin/php* /usr/local/php*/bin/php \
  /opt/cpanel/ea-php*/root/usr/bin/php /opt/plesk/php/*/bin/php /opt/alt/php*/usr/bin/php \
  /usr/local/lsws/lsphp*/bin/php /opt/bitnami/php/bin/php; do
  case $php in *-fpm* | *-cgi* | *-config* | *ize* | *dbg*) continue ;; /*) ;; *) continue ;; esac
  [ -f "$php" ] && [ -x "$php" ] || continue
  real=$(readlink -f "$php" 2>/dev/null) || real=$php
  case $seen in *" $real "*) continue ;; esac
  seen="$seen$real "
  found=$((found + 1))
  [ "$found" -le 12 ] || break
  said=$("$php" -q -d display_errors=0 -r 'echo PHP_VERSION, " ", PHP_SAPI;
foreach (["json", "tokenizer", "mysqli", "pdo_sqlite"] as $name) { echo extension_loaded($name) ? " $name" : ""; }' \
    </dev/null 2>/dev/null | head -c 200 | head -n 1)
  printf 'php\t%s\t%s\n' "$said" "$php"
done
