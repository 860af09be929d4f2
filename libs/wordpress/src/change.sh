# Codes of the parts: 0 leaves the rest to a process of its own, 11 has said how it ended, 12 has said that it is done, 13
# has said that nothing was touched, 20 says that the site does not start, 21 that the copy is not on the disk for sure,
# 22 that tables could not come back.
mine=$place/$operation
old() { find "$asides" -type f "$@" -exec rm -f {} +; }

leave() {
  rm -f "$package"
  if [ "$2" = untouched ]; then rm -f "$mine.part" "$mine.lock"; else keep "$mine"; fi
  rmdir "$place" "$asides/$site_id" 2>/dev/null
  case $1 in
  11 | 13) exit 1 ;;
  12) exit 0 ;;
  *) over "$1" ;;
  esac
}

mkdir -p "$place" && true >"$mine.part" && true >"$mine.lock" || {
  tell '{"is":"refused","code":"no_room","why":"write"}'
  leave 13 untouched
}
# Before anything is changed it may be told to stop. What comes first in this note holds: that, or when it took the lock
# of WordPress, which is when it begins.
exec 8>>"$mine.lock"
trap 'echo stop >&8' HUP TERM
old -mtime +7
# Whatever came before it is over: of an item its newest copy is enough, and the one that is asked for.
for left in "$place"/*.part; do
  [ "$left" = "$mine.part" ] || keep "${left%.part}"
done
newest=$(ls -t "$place" | grep '\.tar$' | head -n 1)
find "$place" -type f \( -name '*.tar' -o -name '*.back' -o -name '*.tables-back' \) ! -name "${newest:-.}" ! -name "$aside.tar" -exec rm -f {} +
free=$(left -Pk "$place")
set -- $(du -sk "$asides" 2>/dev/null)
# Kilobytes: a tenth of what would be free without any copy.
allowance=$(((${free:-0} + ${1:-0}) / 10))
inodes=$(left -Pi "$site")
: "${inodes:=-}" "${free:=0}"

# What has begun comes to its end: half of a change is worse than either side of it.
run() {
  (trap '' HUP TERM && part "$1") &
  while wait $!; code=$?; [ "$code" -gt 128 ] && kill -0 $! 2>/dev/null; do :; done
}

# Of a part that was lost: it may have lost its shell alone, and go on.
has_begun() {
  echo stop >&8
  [ "$(head -n 1 "$mine.lock")" != stop ]
}

# What one process has put aside, for another to go on.
put_aside() {
  sync "$mine.part" 2>/dev/null || sync
  if [ "$(held "$mine.part")" -gt 0 ]; then is_copy=true; else is_copy=false; fi
  if holds_tables "$mine.part"; then has_tables=true; else has_tables=false; fi
  tell "{\"is\":\"aside\",\"bytes\":$(bytes "$mine.part"),\"is_copy\":$is_copy,\"has_tables\":$has_tables}"
}

# Noted before they may be others: whoever undoes it brings back what was put aside of them.
touch_tables() {
  [ "${item%%.*}" = core ] || return 0
  echo tables >&8 || return 1
  sync "$mine.lock" 2>/dev/null || sync
  tables=tables
}

# Reads its configuration without WordPress, as the way back will, and learns how much there is in its database.
try_tables() {
  [ "${item%%.*}" = core ] || return 0
  run trial
  give_time "$(head -c 15 "$mine.part" | tr -dc 0-9)"
  exec 6>"$mine.part"
}

exec 6>"$mine.part"
if [ "$action" = restore ]; then
  [ -r "$place/$aside.tar" ] || {
    tell '{"is":"refused","code":"copy_gone"}'
    leave 13 untouched
  }
  exec 7<"$place/$aside.tar"
  skip=skip
  try_tables
  give_time "$(bytes "$place/$aside.tar")"
  run set-aside
  if [ "$code" -eq 0 ]; then
    # Nobody else writes there, and whoever reads it next need not read it twice.
    whole=whole
    run take-locks
  fi
  case $code in
  0) put_aside ;;
  13) leave 13 untouched ;;
  *)
    has_begun || leave "$code" untouched
    put_aside
    leave "$code"
    ;;
  esac
  exec 6<"$place/$aside.tar" 7<&-
  touch_tables || {
    locked=$(lock_of)
    run give-locks
    tell '{"is":"refused","code":"no_room","why":"write"}'
    leave 13 untouched
  }
  tell '{"is":"changing"}'
  run put-back
  if [ "$code" -eq 0 ]; then
    locked=$(lock_of)
    run settle
  fi
else
  if [ "$has_package" = package ]; then exec 7<"$package"; fi
  # Its tables come back by what its configuration says alone: that is tried while WordPress is whole.
  code=1
  try_tables
  if [ "$code" -eq 0 ]; then tables=readable; fi
  run prepare
  # What keeps a site from starting may be what is to be changed.
  if [ "$code" -eq 20 ]; then
    skip=skip
    run prepare
  fi
  if [ "$code" -eq 22 ]; then
    tables=tables
    run trial
    # It went well this time: whoever asks again is helped.
    if [ "$code" -eq 0 ]; then code=1; fi
  fi
  if [ "$code" -eq 21 ]; then
    put_aside
    exec 6<"$mine.part"
    run change
  fi
  exec 6<"$mine.part" 7<&-
  # New code of WordPress changes its tables in a process that has none of the old.
  if [ "$code" -eq 0 ]; then
    touch_tables || leave 1
    run database
  fi
fi
trap '' HUP TERM
case $code in
12) ;;
13) leave 13 untouched ;;
11) leave 11 ;;
*) if has_begun; then leave "$code"; else leave "$code" untouched; fi ;;
esac
exec 6<&- 8>&-

# It was given back.
rm -f "$mine.lock"
# However long it took: whoever brings it back by itself counts from here.
touch "$mine.part"
keep "$mine"
# Of all no more than their share: the oldest go first, and none that a change may still come back by.
set -- $(du -sk "$asides" 2>/dev/null)
while [ "${1:-0}" -gt "$allowance" ]; do
  oldest=$(find "$asides" -type f -name '*.tar' -mmin +360 -exec ls -tr {} + 2>/dev/null | head -n 1)
  [ -n "$oldest" ] && rm -f "$oldest" || break
  set -- $(du -sk "$asides" 2>/dev/null)
done
leave 12
