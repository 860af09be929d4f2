# The order is that of the operation to undo; this operation has an id of its own.
# A rollback cannot be stopped: halfway the site is in no usable state.
trap '' HUP TERM
rm -f "$package"
name_copy "$own"
copy=
for kind in tar note back; do
  [ -n "$copy" ] || [ ! -f "$own.$kind" ] || copy=$own.$kind
done
if [ -z "$copy" ]; then
  if is_unsplit "$operation"; then
    bytes=$(sed -n "s/^copy [0-9]* \([0-9]*\) $operation .*/\1/p" "$updates_folder"/*.lock | head -n 1)
    report "{\"is\":\"aside\",\"bytes\":${bytes:-0},\"is_copy\":true,\"has_tables\":false}"
    report '{"is":"failed","code":"not_rolled_back","why":"room"}'
    exit 1
  fi
  # Nothing changes without a copy, but the copy may have been deleted since.
  if [ "$together" = - ]; then changed_by=$operation; else changed_by=$together; fi
  if grep -q '"is":"changing"' "$HOME/.vigie/operations/$changed_by/run/progress" 2>/dev/null; then
    report '{"is":"failed","code":"not_rolled_back","why":"copy"}'
    exit 1
  fi
  report '{"is":"said","text":"Rien n’avait encore été modifié."}'
  report '{"is":"done"}'
  exit
fi
locked=$(lock_time "$own")
# An operation that ended normally has deleted this note.
if holds_tables "$copy" && { [ ! -f "$own.lock" ] || grep -qx tables "$own.lock"; }; then tables=tables; fi
# Restoring old tables would discard later writes: only a user may ask for that. A rollback that began continues.
if [ "$max_age" != - ] && [ "$tables" = tables ] && [ ! -f "$own.tables-back" ] && [ -n "$(find "$copy" -mmin "+$max_age")" ]; then
  report "{\"is\":\"aside\",\"bytes\":$(size_of "$copy"),\"is_copy\":true,\"has_tables\":true}"
  report '{"is":"failed","code":"not_rolled_back","why":"late","touched":false}'
  exit 1
fi
# Tables are restored once: after that, visitors write to them.
if true >>"$own.tables-back"; then exec 8>>"$own.tables-back"; else exec 8>/dev/null; fi
if [ -s "$own.tables-back" ]; then tables=-; fi
exec 6<"$copy"
extend_limit "$(size_of "$copy")"
report '{"is":"changing"}'
run_step put-back
code=$?
skip=skip
if [ "$code" -eq 0 ]; then
  exec 6<"$copy"
  run_step restore-options
  code=$?
fi
case $code in
11) exit 1 ;;
12) ;;
*) report_end "$code" ;;
esac
# Keeps the copy, because the caller may repeat the rollback.
[ "$copy" = "$own.back" ] || mv "$copy" "$own.back"
