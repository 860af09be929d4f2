# Exit codes of the PHP steps: 0 continue in a new process, 11 failed and reported, 12 done and reported, 13 refused
# with nothing touched, 20 the site does not start, 21 the copy still needs a sync to disk, 22 the tables could not be
# restored later.
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
# Until the change begins it may be stopped. The first line of this note decides: a stop request, or the time when the
# change took WordPress's lock.
exec 8>>"$mine.lock"
trap 'echo stop >&8' HUP TERM
old -mtime +7
# Earlier operations on this item are over: only its newest copy and the requested one are kept.
for left in "$place"/*.part; do
  [ "$left" = "$mine.part" ] || keep "${left%.part}"
done
newest=$(ls -t "$place" | grep '\.tar$' | head -n 1)
find "$place" -type f \( -name '*.tar' -o -name '*.back' -o -name '*.tables-back' \) ! -name "${newest:-.}" ! -name "$aside.tar" -exec rm -f {} +
free=$(left -Pk "$place")
set -- $(du -sk "$asides" 2>/dev/null)
# In kilobytes: a tenth of the space that would be free without any rollback copy.
allowance=$(((${free:-0} + ${1:-0}) / 10))
inodes=$(left -Pi "$site")
: "${inodes:=-}" "${free:=0}"

# A step that has begun runs to its end: a half-made change is worse than either state.
run() {
  (trap '' HUP TERM && part "$1") &
  while wait $!; code=$?; [ "$code" -gt 128 ] && kill -0 $! 2>/dev/null; do :; done
}

# After a lost step: PHP may outlive its shell, so a stop request decides whether the change had begun.
has_begun() {
  echo stop >&8
  [ "$(head -n 1 "$mine.lock")" != stop ]
}

# Reports the rollback copy that one PHP process wrote, before another one continues.
put_aside() {
  sync "$mine.part" 2>/dev/null || sync
  if [ "$(held "$mine.part")" -gt 0 ]; then is_copy=true; else is_copy=false; fi
  if holds_tables "$mine.part"; then has_tables=true; else has_tables=false; fi
  tell "{\"is\":\"aside\",\"bytes\":$(bytes "$mine.part"),\"is_copy\":$is_copy,\"has_tables\":$has_tables}"
}

# Notes that tables are about to change, so that a rollback restores them from the copy.
touch_tables() {
  [ "${item%%.*}" = core ] || return 0
  echo tables >&8 || return 1
  sync "$mine.lock" 2>/dev/null || sync
  tables=tables
}

# Reads the configuration without WordPress, as a rollback will, and measures the database.
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
    # Nobody else writes this copy: the next steps need not verify it again.
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
  # A rollback knows only the configuration: tests that it is enough while WordPress still works.
  code=1
  try_tables
  if [ "$code" -eq 0 ]; then tables=readable; fi
  run prepare
  # The item to be changed may be what keeps the site from starting: retries without plugins.
  if [ "$code" -eq 20 ]; then
    skip=skip
    run prepare
  fi
  if [ "$code" -eq 22 ]; then
    tables=tables
    run trial
    # The retry succeeded, so the failure was passing: reports a plain failure, and a new attempt will work.
    if [ "$code" -eq 0 ]; then code=1; fi
  fi
  if [ "$code" -eq 21 ]; then
    put_aside
    exec 6<"$mine.part"
    run change
  fi
  exec 6<"$mine.part" 7<&-
  # The new WordPress upgrades its tables in a process that has loaded none of the old code.
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

rm -f "$mine.lock"
# The ten minutes within which an automatic rollback may restore tables count from the end of the change.
touch "$mine.part"
keep "$mine"
# Deletes the oldest copies over the allowance, but none younger than six hours: a rollback may need it.
set -- $(du -sk "$asides" 2>/dev/null)
while [ "${1:-0}" -gt "$allowance" ]; do
  oldest=$(find "$asides" -type f -name '*.tar' -mmin +360 -exec ls -tr {} + 2>/dev/null | head -n 1)
  [ -n "$oldest" ] && rm -f "$oldest" || break
  set -- $(du -sk "$asides" 2>/dev/null)
done
leave 12
