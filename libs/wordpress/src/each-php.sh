# Calls `ask` for each command-line PHP: hosting panels install several versions. $1: the PHP to try first.
each_php() {
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
    ask "$php"
  done
}
