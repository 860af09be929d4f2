# The order is that of the operation to undo; this operation has an id of its own.
mine=$place/$operation
# A rollback cannot be stopped: halfway the site is in no usable state.
trap '' HUP TERM
rm -f "$package"
keep "$mine"
copy=
for kind in tar note back; do
  [ -n "$copy" ] || [ ! -f "$mine.$kind" ] || copy=$mine.$kind
done
if [ -z "$copy" ]; then
  # Nothing changes without a copy, but the copy may have been deleted since.
  if grep -q '"is":"changing"' "$HOME/.vigie/operations/$operation/run/progress" 2>/dev/null; then
    tell '{"is":"failed","code":"not_rolled_back","why":"copy"}'
    exit 1
  fi
  tell '{"is":"said","text":"Rien n’avait encore été modifié."}'
  tell '{"is":"done"}'
  exit
fi
locked=$(lock_of)
# An operation that ended normally has deleted this note.
if holds_tables "$copy" && { [ ! -f "$mine.lock" ] || grep -qx tables "$mine.lock"; }; then tables=tables; fi
# Restoring old tables would discard later writes: only a user may ask for that. A rollback that began continues.
if [ "$young" != - ] && [ "$tables" = tables ] && [ ! -f "$mine.tables-back" ] && [ -n "$(find "$copy" -mmin "+$young")" ]; then
  tell "{\"is\":\"aside\",\"bytes\":$(bytes "$copy"),\"is_copy\":true,\"has_tables\":true}"
  tell '{"is":"failed","code":"not_rolled_back","why":"late","touched":false}'
  exit 1
fi
# Tables are restored once: after that, visitors write to them.
if true >>"$mine.tables-back"; then exec 8>>"$mine.tables-back"; else exec 8>/dev/null; fi
if [ -s "$mine.tables-back" ]; then tables=-; fi
exec 6<"$copy"
give_time "$(bytes "$copy")"
tell '{"is":"changing"}'
part put-back
code=$?
skip=skip
if [ "$code" -eq 0 ]; then
  exec 6<"$copy"
  part settle
  code=$?
fi
case $code in
11) exit 1 ;;
12) ;;
*) over "$code" ;;
esac
# Keeps the copy for a caller that asks again.
[ "$copy" = "$mine.back" ] || mv "$copy" "$mine.back"
