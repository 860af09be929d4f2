# Begins a change of one item, or an update of several items together.
delete_copies() { find "$copies" -type f "$@" -exec rm -f {} +; }

finish() {
  [ ! -e "$package" ] || rm -f "$package"
  if [ "$2" = untouched ]; then rm -f "$own.part" "$own.lock" "$own.items"; else name_copy "$own"; fi
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
keep_newest "$item_folder"
measure_free -Pi "$site"
inodes=${free:--}
measure_free -Pk "$item_folder"
: "${free:=0}"
set -- $(du -sk "$copies" 2>/dev/null)
# In kilobytes: a tenth of the space that would be free without any rollback copy.
allowance=$(((free + ${1:-0}) / 10))

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

# Deletes the oldest copies over the allowance, but none younger than six hours: a rollback may need it.
keep_allowance() {
  set -- $(du -sk "$copies" 2>/dev/null)
  while [ "${1:-0}" -gt "$allowance" ]; do
    oldest=$(find "$copies" -type f -name '*.tar' -mmin +360 -exec ls -tr {} + 2>/dev/null | head -n 1)
    [ -n "$oldest" ] && rm -f "$oldest" || break
    set -- $(du -sk "$copies" 2>/dev/null)
  done
}
