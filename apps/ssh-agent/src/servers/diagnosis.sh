# Prints what a host can do, as lines of a word, a tab and a value. It leaves only a sleep behind, which ends by itself.
say() { printf '%s\t%s\n' "$1" "$2"; }

say system "$(uname -snrm 2>/dev/null)"
say user "$(id -un 2>/dev/null)"
say time "$(date +%s 2>/dev/null)"

# Writes a file, reads it and removes it, readable by its owner only.
umask 077
if folder=$(mktemp -d "${HOME:-/nonexistent}/.vigie-XXXXXX" 2>&1); then
  echo whole >"$folder/file" 2>/dev/null
  read=$(cat "$folder/file" 2>/dev/null)
  # Removed before printing: once the connection is closed, printing ends this script.
  rm -f "$folder/file"
  rmdir "$folder"
  [ "$read" = whole ] && say files "$HOME" || say nofiles "$HOME"
else
  say nofiles "$folder"
fi

# Starts a child that should outlive the connection, as an operation does.
if command -v setsid >/dev/null 2>&1; then
  setsid sleep 90 >/dev/null 2>&1 </dev/null &
else
  nohup sleep 90 >/dev/null 2>&1 </dev/null &
fi
say child "$! $(cut -d' ' -f22 "/proc/$!/stat" 2>/dev/null)"

for path in "${HOME:-/}" /tmp; do
  df -Pk "$path" 2>/dev/null | tail -n 1 | while IFS= read -r line; do say disk "$line"; done
  df -Pi "$path" 2>/dev/null | tail -n 1 | while IFS= read -r line; do say inodes "$line"; done
done

ask() { say php "$("$1" -n -r 'echo PHP_VERSION, " ", PHP_SAPI;' </dev/null 2>/dev/null | head -c 60) $1"; }
each_php ''
say end ''
