# Runs a program in PHP that comes on descriptor 4, as whoever owns the site where its code is going to run.
# $1: the PHP, $2: what it is given, $3: seconds it may take, $4: a site whose code it runs, or nothing.
php=$1 given=$2 seconds=$3 site=$4

# What is given is not in the command line, and not in a file.
exec 3<<GIVEN
$given
GIVEN

say() { printf 'as\t%s\n' "$1"; }

# It ends by itself, so that what was said until then is not lost.
limit=
if timeout -k 5 1 true >/dev/null 2>&1; then limit="timeout -k 5 $seconds"; fi
slow=
if nice -n 10 true >/dev/null 2>&1; then slow='nice -n 10'; fi

# -q: a PHP that is made for web servers prints headers otherwise, and is refused before.
go() { $slow $limit "$@" "$php" -q -d display_errors=0 -d log_errors=0 -d html_errors=0 -d memory_limit=512M <&4; }

# Adds who owns what lies there itself. What a link leads to is chosen by whoever made it.
add_owner() {
  set -- "./$1" $(ls -ldn "./$1" 2>/dev/null | head -n 1)
  case $2 in l*) return 1 ;; esac
  [ "${4:-0}" -gt 0 ] 2>/dev/null || return 0
  [ "$uid" -eq 0 ] || [ "$uid" = "$4" ] || return 1
  uid=$4
  set -- $(ls -ld "$1" 2>/dev/null | head -n 1)
  name=$3
}

# Whoever owns the code that runs; of root's code, who owns what it writes.
find_owner() {
  uid=0 name=
  add_owner wp-load.php || return 1
  [ -L ./wp-includes ] || add_owner wp-includes/version.php || return 1
  for place in wp-content wp-content/uploads wp-content/plugins; do
    [ "$uid" -eq 0 ] || return 0
    add_owner "$place" || [ "$place" != wp-content ] || return 1
  done
}

# The rights of the account, not those of a group that a file was given to; never the group of root.
find_group() {
  case $name in -* | *[!A-Za-z0-9._-]*) name= ;; esac
  [ -n "$name" ] && [ "$(id -u "$name" 2>/dev/null)" = "$uid" ] || name=
  gid=$(id -g "${name:-$uid}" 2>/dev/null) || gid=
  [ "${gid:-0}" -gt 0 ] 2>/dev/null || gid=65534 name=
}

if [ -z "$site" ]; then
  go
  exit
fi
# From here on it is this folder, whatever a link on the way to it says later.
cd -P -- "$site" 2>/dev/null && [ -e ./wp-load.php ] || { say no-wordpress && exit 93; }
if [ "$(id -u)" -ne 0 ]; then
  say login
  go
  exit
fi
find_owner || { say unsure-owner && exit 94; }
[ "$uid" -gt 0 ] || { say root-owned && exit 91; }
find_group
# Nothing of root's surroundings goes along.
clean="env -i PATH=$PATH LC_ALL=C HOME=/"
case $PATH in *[!A-Za-z0-9/:._-]*) clean='env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C HOME=/' ;; esac
if setpriv "--reuid=$uid" "--regid=$gid" --clear-groups true 2>/dev/null; then
  groups=--clear-groups
  if [ -n "$name" ] && setpriv "--reuid=$uid" "--regid=$gid" --init-groups true 2>/dev/null; then groups=--init-groups; fi
  say owner
  go setpriv "--reuid=$uid" "--regid=$gid" "$groups" --inh-caps=-all $clean
elif [ -n "$name" ] && $clean runuser -u "$name" -- true 2>/dev/null; then
  say owner
  go $clean runuser -u "$name" -- $clean
elif [ -n "$name" ] && $clean su -s /bin/sh "$name" -c true 2>/dev/null </dev/null; then
  say owner
  $clean "php=$php" "limit=$limit" "slow=$slow" "clean=$clean" su -s /bin/sh "$name" \
    -c '$slow $limit $clean "$php" -q -d display_errors=0 -d log_errors=0 -d html_errors=0 -d memory_limit=512M' <&4
else
  say no-tool
  exit 92
fi
