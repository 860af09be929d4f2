# Runs PHP with the rights of the account that owns the site; the PHP program is on descriptor 4. The including script
# sets php, seconds and site, and defines `report_rights`, which reports the rights that PHP got or why it did not run.

# The time limit stops PHP from inside, so that what it printed until then is not lost.
limit="timeout -k 5 $seconds" slow='nice -n 10'
if ! nice -n 10 timeout -k 5 1 true >/dev/null 2>&1; then
  timeout -k 5 1 true >/dev/null 2>&1 || limit=
  nice -n 10 true >/dev/null 2>&1 || slow=
fi

# -q: a PHP built for web servers would print HTTP headers first.
run_php() { $slow $limit "$@" "$php" -q -d display_errors=0 -d log_errors=0 -d html_errors=0 -d memory_limit=512M <&4; }

# The same by su, which takes a command line: what it needs comes in its environment, and the account in $name.
run_by_su() {
  $clean "php=$php" "limit=$limit" "slow=$slow" "clean=$clean" su -s /bin/sh "$name" \
    -c '$slow $limit $clean "$php" -q -d display_errors=0 -d log_errors=0 -d html_errors=0 -d memory_limit=512M' <&4
}

# Adds the owner of one path. Links are refused: the author of a link chooses the owner of its target.
add_owner() {
  set -- "./$1" $(ls -ldn "./$1" 2>/dev/null | head -n 1)
  case $2 in l*) return 1 ;; esac
  [ "${4:-0}" -gt 0 ] 2>/dev/null || return 0
  [ "$uid" -eq 0 ] || [ "$uid" = "$4" ] || return 1
  uid=$4
  set -- $(ls -ld "$1" 2>/dev/null | head -n 1)
  name=$3
}

# The owner of the code that will run; where root owns the code, the owner of what the site writes.
find_owner() {
  uid=0 name=
  add_owner wp-load.php || return 1
  [ -L ./wp-includes ] || add_owner wp-includes/version.php || return 1
  for folder in wp-content wp-content/uploads wp-content/plugins; do
    [ "$uid" -eq 0 ] || return 0
    add_owner "$folder" || [ "$folder" != wp-content ] || return 1
  done
}

# The primary group of the account, not the group of its files; never root's group.
find_group() {
  case $name in -* | *[!A-Za-z0-9._-]*) name= ;; esac
  [ -n "$name" ] && [ "$(id -u "$name" 2>/dev/null)" = "$uid" ] || name=
  gid=$(id -g "${name:-$uid}" 2>/dev/null) || gid=
  [ "${gid:-0}" -gt 0 ] 2>/dev/null || gid=65534 name=
}

run_as_owner() {
  # Clears root's environment, except the operation id by which the journal finds the process.
  set -- "LC_ALL=C" HOME=/ ${VIGIE_OPERATION:+"VIGIE_OPERATION=$VIGIE_OPERATION"}
  case $PATH in *[!A-Za-z0-9/:._-]*) set -- "$@" PATH=/usr/local/bin:/usr/bin:/bin ;; *) set -- "$@" "PATH=$PATH" ;; esac
  clean="env -i $*"
  if setpriv "--reuid=$uid" "--regid=$gid" --clear-groups true 2>/dev/null; then
    groups=--clear-groups
    if [ -n "$name" ] && setpriv "--reuid=$uid" "--regid=$gid" --init-groups true 2>/dev/null; then groups=--init-groups; fi
    report_rights owner
    run_php setpriv "--reuid=$uid" "--regid=$gid" "$groups" --inh-caps=-all $clean
  elif [ -n "$name" ] && $clean runuser -u "$name" -- true 2>/dev/null; then
    report_rights owner
    run_php $clean runuser -u "$name" -- $clean
  elif [ -n "$name" ] && $clean su -s /bin/sh "$name" -c true 2>/dev/null </dev/null; then
    report_rights owner
    run_by_su
  else
    report_rights no-tool
    return 92
  fi
}

# Enters the site's folder once, so that a link that changes later leads nowhere else. Call it in a subshell.
run_in_site() {
  cd -P -- "$site" 2>/dev/null && [ -e ./wp-load.php ] || { report_rights no-wordpress && return 93; }
  if [ "$(id -u)" -ne 0 ]; then
    report_rights login
    run_php
    return
  fi
  find_owner || { report_rights unsure-owner && return 94; }
  [ "$uid" -gt 0 ] || { report_rights root-owned && return 91; }
  find_group
  run_as_owner
}
