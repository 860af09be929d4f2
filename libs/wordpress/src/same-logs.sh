# Whether logs are as they were: of each its path, its size and its inode, which is 0 where it was not there. Starting PHP
# to find nothing takes ten times as long.
while [ $# -ge 3 ]; do
  folder=${1%/*}
  if [ "$3" -eq 0 ]; then
    [ -x "${folder:-/}" ] && [ ! -e "$1" ] || exit 0
  else
    [ "$(stat -L -c '%s %i' "$1" 2>/dev/null)" = "$2 $3" ] || exit 0
  fi
  shift 3
done
echo same
