# What the owner of a site runs. $1: shell or wp, $2: the PHP for WP-CLI, $3: the command, or the quoted arguments of WP-CLI.
if [ "${HOME:-/}" = / ]; then
  account=$(id -un 2>/dev/null)
  case $account in
  '' | -* | *[!A-Za-z0-9._-]*) ;;
  *) eval "home=~$account" && [ -d "$home" ] && HOME=$home ;;
  esac
fi
kind=$1 php=$2
if [ "$kind" = shell ]; then
  unset kind php account home
  exec /bin/sh -c -- "$3"
fi
eval "set -- $3"
for wp in "$(command -v wp 2>/dev/null)" /usr/local/bin/wp /usr/bin/wp "$HOME/bin/wp" "$HOME/.local/bin/wp" \
  "$HOME/wp-cli.phar" /usr/local/bin/wp-cli.phar; do
  case $wp in /*) ;; *) continue ;; esac
  [ -f "$wp" ] && [ -r "$wp" ] || continue
  first=
  read -r first <"$wp"
  # A wrapper that is no PHP program chooses its PHP by this variable.
  case $first in '#!'*php* | '<?php'*) exec "$php" -d memory_limit=512M "$wp" "$@" "--path=$PWD" ;; esac
  [ ! -x "$wp" ] || WP_CLI_PHP=$php exec "$wp" "$@" "--path=$PWD"
done
echo "no-wp-cli $VIGIE_OPERATION"
exit 127
