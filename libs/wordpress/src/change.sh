# Exit codes of the PHP steps: 0 continue in a new process, 11 failed and reported, 12 done and reported, 13 refused
# with nothing touched, 20 the site does not start, 21 the copy still needs a sync to disk, 22 the tables could not be
# restored later.

# Reports the rollback copy that one PHP process wrote, before another one continues.
report_copy() {
  flush "$own.part"
  count_entries "$own.part"
  if [ "${entries:-0}" -gt 0 ]; then is_copy=true; else is_copy=false; fi
  if holds_tables "$own.part"; then has_tables=true; else has_tables=false; fi
  report "{\"is\":\"aside\",\"bytes\":$(size_of "$own.part"),\"is_copy\":$is_copy,\"has_tables\":$has_tables}"
}

# Notes that tables are about to change, so that a rollback restores them from the copy.
note_tables() {
  [ "${item%%.*}" = core ] || return 0
  echo tables >&8 || return 1
  flush "$own.lock"
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
    if is_unsplit "$copy_id"; then report '{"is":"refused","code":"no_room","why":"write"}'
    else report '{"is":"refused","code":"copy_gone"}'; fi
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
    locked=$(lock_time "$own")
    run_unstopped release-locks
    report '{"is":"refused","code":"no_room","why":"write"}'
    finish 13 untouched
  }
  report '{"is":"changing"}'
  run_unstopped put-back
  if [ "$code" -eq 0 ]; then
    locked=$(lock_time "$own")
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
keep_allowance
finish 12
