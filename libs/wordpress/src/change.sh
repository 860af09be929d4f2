# Exit codes of the PHP steps: 0 continue in a new process, 11 failed and reported, 12 done and reported, 13 refused
# with nothing touched, 20 the site does not start, 21 the copy still needs a sync to disk, 22 the tables could not be
# restored later.
own=$item_folder/$operation
delete_copies() { find "$copies" -type f "$@" -exec rm -f {} +; }

finish() {
  rm -f "$package"
  if [ "$2" = untouched ]; then rm -f "$own.part" "$own.lock"; else name_copy "$own"; fi
  rmdir "$item_folder" "$copies/$site_id" 2>/dev/null
  case $1 in
  11 | 13) exit 1 ;;
  12) exit 0 ;;
  *) report_end "$1" ;;
  esac
}

mkdir -p "$item_folder" && true >"$own.part" && true >"$own.lock" || {
  report '{"is":"refused","code":"no_room","why":"write"}'
  finish 13 untouched
}
# Until the change begins it may be stopped. The first line of this note decides: a stop request, or the time when the
# change took WordPress's lock.
exec 8>>"$own.lock"
trap 'echo stop >&8' HUP TERM
delete_copies -mtime +7
# Earlier operations on this item are over: only its newest copy and the requested one are kept.
for leftover in "$item_folder"/*.part; do
  [ "$leftover" = "$own.part" ] || name_copy "${leftover%.part}"
done
newest=$(ls -t "$item_folder" | grep '\.tar$' | head -n 1)
find "$item_folder" -type f \( -name '*.tar' -o -name '*.back' -o -name '*.tables-back' \) ! -name "${newest:-.}" ! -name "$copy_id.tar" -exec rm -f {} +
free=$(free_on -Pk "$item_folder")
set -- $(du -sk "$copies" 2>/dev/null)
# In kilobytes: a tenth of the space that would be free without any rollback copy.
allowance=$(((${free:-0} + ${1:-0}) / 10))
inodes=$(free_on -Pi "$site")
: "${inodes:=-}" "${free:=0}"

# A step that has begun runs to its end: a half-made change is worse than either state.
run_unstopped() {
  (trap '' HUP TERM && run_step "$1") &
  while wait $!; code=$?; [ "$code" -gt 128 ] && kill -0 $! 2>/dev/null; do :; done
}

# After a lost step: PHP may outlive its shell, so a stop request decides whether the change had begun.
has_begun() {
  echo stop >&8
  [ "$(head -n 1 "$own.lock")" != stop ]
}

# Reports the rollback copy that one PHP process wrote, before another one continues.
report_copy() {
  sync "$own.part" 2>/dev/null || sync
  if [ "$(entries_of "$own.part")" -gt 0 ]; then is_copy=true; else is_copy=false; fi
  if holds_tables "$own.part"; then has_tables=true; else has_tables=false; fi
  report "{\"is\":\"aside\",\"bytes\":$(size_of "$own.part"),\"is_copy\":$is_copy,\"has_tables\":$has_tables}"
}

# Notes that tables are about to change, so that a rollback restores them from the copy.
note_tables() {
  [ "${item%%.*}" = core ] || return 0
  echo tables >&8 || return 1
  sync "$own.lock" 2>/dev/null || sync
  tables=tables
}

# Reads the configuration without WordPress, as a rollback will, and measures the database.
measure_tables() {
  [ "${item%%.*}" = core ] || return 0
  run_unstopped trial
  extend_limit "$(head -c 15 "$own.part" | tr -dc 0-9)"
  exec 6>"$own.part"
}

exec 6>"$own.part"
if [ "$action" = restore ]; then
  [ -r "$item_folder/$copy_id.tar" ] || {
    report '{"is":"refused","code":"copy_gone"}'
    finish 13 untouched
  }
  exec 7<"$item_folder/$copy_id.tar"
  skip=skip
  measure_tables
  extend_limit "$(size_of "$item_folder/$copy_id.tar")"
  run_unstopped write-copy
  if [ "$code" -eq 0 ]; then
    # Nobody else writes this copy: the next steps need not verify it again.
    whole=whole
    run_unstopped take-locks
  fi
  case $code in
  0) report_copy ;;
  13) finish 13 untouched ;;
  *)
    has_begun || finish "$code" untouched
    report_copy
    finish "$code"
    ;;
  esac
  exec 6<"$item_folder/$copy_id.tar" 7<&-
  note_tables || {
    locked=$(lock_time)
    run_unstopped release-locks
    report '{"is":"refused","code":"no_room","why":"write"}'
    finish 13 untouched
  }
  report '{"is":"changing"}'
  run_unstopped put-back
  if [ "$code" -eq 0 ]; then
    locked=$(lock_time)
    run_unstopped restore-options
  fi
else
  if [ "$has_package" = package ]; then exec 7<"$package"; fi
  # A rollback knows only the configuration: tests that it is enough while WordPress still works.
  code=1
  measure_tables
  if [ "$code" -eq 0 ]; then tables=readable; fi
  run_unstopped prepare
  # The item to be changed may be what keeps the site from starting: retries without plugins.
  if [ "$code" -eq 20 ]; then
    skip=skip
    run_unstopped prepare
  fi
  if [ "$code" -eq 22 ]; then
    tables=tables
    run_unstopped trial
    # The retry succeeded, so the failure was passing: reports a plain failure, and a new attempt will work.
    if [ "$code" -eq 0 ]; then code=1; fi
  fi
  if [ "$code" -eq 21 ]; then
    report_copy
    exec 6<"$own.part"
    run_unstopped change
  fi
  exec 6<"$own.part" 7<&-
  # The new WordPress upgrades its tables in a process that has loaded none of the old code.
  if [ "$code" -eq 0 ]; then
    note_tables || finish 1
    run_unstopped database
  fi
fi
trap '' HUP TERM
case $code in
12) ;;
13) finish 13 untouched ;;
11) finish 11 ;;
*) if has_begun; then finish "$code"; else finish "$code" untouched; fi ;;
esac
exec 6<&- 8>&-

rm -f "$own.lock"
# The ten minutes within which an automatic rollback may restore tables count from the end of the change.
touch "$own.part"
name_copy "$own"
# Deletes the oldest copies over the allowance, but none younger than six hours: a rollback may need it.
set -- $(du -sk "$copies" 2>/dev/null)
while [ "${1:-0}" -gt "$allowance" ]; do
  oldest=$(find "$copies" -type f -name '*.tar' -mmin +360 -exec ls -tr {} + 2>/dev/null | head -n 1)
  [ -n "$oldest" ] && rm -f "$oldest" || break
  set -- $(du -sk "$copies" 2>/dev/null)
done
finish 12
