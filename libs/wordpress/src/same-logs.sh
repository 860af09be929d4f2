# Prints `same` if all logs have the given path, size and inode (0: absent). Starting PHP to find nothing would take ten
# times as long.
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
