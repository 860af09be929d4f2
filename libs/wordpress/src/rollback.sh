# The order is that of the operation that is undone; this one has an id of its own.
mine=$place/$operation
# Nobody stops it: halfway the site is neither as it was nor as it should be.
trap '' HUP TERM
rm -f "$package"
keep "$mine"
copy=
for kind in tar note back; do
  [ -n "$copy" ] || [ ! -f "$mine.$kind" ] || copy=$mine.$kind
done
if [ -z "$copy" ]; then
  # Nothing was changed without one; but one may have been removed since.
  if grep -q '"is":"changing"' "$HOME/.vigie/operations/$operation/run/progress" 2>/dev/null; then
    tell '{"is":"failed","code":"not_rolled_back","why":"copy"}'
    exit 1
  fi
  tell '{"is":"said","text":"Rien n’avait encore été modifié."}'
  tell '{"is":"done"}'
  exit
fi
locked=$(lock_of)
# What came to its end has no such note any more.
if holds_tables "$copy" && { [ ! -f "$mine.lock" ] || grep -qx tables "$mine.lock"; }; then tables=tables; fi
# Long after, it would take away what was written meanwhile: whoever wants that says so. What was begun goes on.
if [ "$young" != - ] && [ "$tables" = tables ] && [ ! -f "$mine.tables-back" ] && [ -n "$(find "$copy" -mmin "+$young")" ]; then
  tell "{\"is\":\"aside\",\"bytes\":$(bytes "$copy"),\"is_copy\":true,\"has_tables\":true}"
  tell '{"is":"failed","code":"not_rolled_back","why":"late","touched":false}'
  exit 1
fi
# They come back once: from then on visitors write to them.
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
# What is there is what it holds; it is kept for whoever asks again.
[ "$copy" = "$mine.back" ] || mv "$copy" "$mine.back"
