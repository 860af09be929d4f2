#!/bin/sh
# Backs up every site of a group, updates its plugins and themes, and restores them all if an update fails.
# WordPress itself is left out, since an archive holds the content and the database of a site, and not its core.
# usage: update-with-way-back.sh GROUP
set -u
archives=$(mktemp)
trap 'rm -f "$archives"' EXIT
tab=$(printf '\t')

vigie backup --group "$1" >"$archives" || exit
vigie update --group "$1" --plugins --themes --yes >&2
status=$?
# Only 1 says that an update failed: nothing was changed after 2 and 3, and after 4 it may still be under way.
[ "$status" -eq 1 ] || exit "$status"
while IFS=$tab read -r site archive _; do
  vigie restore "$site" "$archive" --yes >&2 </dev/null || status=4
done <"$archives"
exit "$status"
