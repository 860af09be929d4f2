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

# Of the first of these that is not root's: who owns the code, or what it writes.
find_owner() {
  for place in wp-includes/version.php wp-content wp-content/uploads wp-content/plugins; do
    [ -e "$site/$place" ] || continue
    set -- $(ls -ldLn "$site/$place" 2>/dev/null | head -n 1)
    [ "${3:-0}" -gt 0 ] 2>/dev/null || continue
    uid=$3 gid=$4
    set -- $(ls -ldL "$site/$place" 2>/dev/null | head -n 1)
    name=$3
    return 0
  done
  return 1
}

if [ -z "$site" ]; then
  go
  exit
fi
if [ "$(id -u)" -ne 0 ]; then
  say login
  go
  exit
fi
find_owner || { say root-owned && exit 91; }
case $name in -* | *[!A-Za-z0-9._-]*) name= ;; esac
# Nothing of root's surroundings goes along.
clean="env -i PATH=$PATH LC_ALL=C HOME=/"
case $PATH in *[!A-Za-z0-9/:._-]*) clean='env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C HOME=/' ;; esac
if setpriv "--reuid=$uid" "--regid=$gid" --clear-groups true 2>/dev/null; then
  groups=--clear-groups
  if [ -n "$name" ] && setpriv "--reuid=$uid" "--regid=$gid" --init-groups true 2>/dev/null; then groups=--init-groups; fi
  say owner
  go setpriv "--reuid=$uid" "--regid=$gid" "$groups" --inh-caps=-all $clean
elif [ -n "$name" ] && runuser -u "$name" -- true 2>/dev/null; then
  say owner
  go runuser -u "$name" -- $clean
elif [ -n "$name" ] && su -s /bin/sh "$name" -c true 2>/dev/null </dev/null; then
  say owner
  export php limit slow
  su -s /bin/sh "$name" -c '$slow $limit "$php" -q -d display_errors=0 -d log_errors=0 -d memory_limit=512M' <&4
else
  say no-tool
  exit 92
fi
