# Removes journals of operations that ended, or never began, at least $1 days ago. It renames a journal first, so that
# a half-removed one does not look like an operation that has not begun.
days=+$(($1 - 1))
[ -d "$root" ] || exit 0
find "$root" -mindepth 1 -maxdepth 1 -type d -mtime "$days" | while IFS= read -r journal; do
  id=${journal##*/}
  run=$journal/run
  case $id in
  .gone-*)
    rm -rf "$journal"
    continue
    ;;
  ????????-????-????-????-????????????) ;;
  *) continue ;;
  esac
  if [ -d "$run" ]; then
    [ -n "$(find "$run" -prune -mtime "$days")" ] || continue
    [ -f "$run/code" ] || ! is_alive || continue
  fi
  mv "$journal" "$root/.gone-$id" && rm -rf "$root/.gone-$id" && echo "$id"
done
