# Exit codes of the PHP step: 11 an item failed, 12 all items have their ends, 13 nothing was changed.
# Only these may be taken from the note, which the site's own code can write to.
printf '%s %s\n' $items >"$own.items" && flush "$own.items" || {
  report '{"is":"apart"}'
  finish 13 untouched
}
exec 6>"$own.part"
run_unstopped updates
trap '' HUP TERM
case $code in
12) ;;
13) finish 13 untouched ;;
11) finish 11 ;;
*)
  has_begun && finish "$code"
  report '{"is":"apart"}'
  finish 13 untouched
  ;;
esac
# From here on the copies need no lock of WordPress, even if another operation splits them.
echo ended >&8
exec 6<&- 8>&-
touch "$own.part"
name_copy "$own"
keep_allowance
finish 12
