#!/bin/sh
# Backs up every site of a group, updates its plugins and themes, and restores them all if an update fails.
# WordPress itself is left out, since an archive holds the content and the database of a site, and not its core.
# usage: update-with-way-back.sh GROUP
set -u
archives=$(mktemp) || exit
trap 'if [ $? -ne 0 ] && [ -s "$archives" ]; then echo "archives: $archives" >&2; else rm -f "$archives"; fi' EXIT
vigie backup --group "$1" >"$archives" || exit
# shellcheck disable=SC2046 # The sites that were backed up, by their ids, and no site that has joined the group since.
job=$(vigie update $(cut -f1 "$archives") --plugins --themes --yes --detach)
ordered=$?
[ -n "$job" ] || exit "$ordered"
vigie jobs follow "$job" >&2 && exit "$ordered"
status=$?
# Only 1 says that an update failed: after 4 it may still be under way.
[ "$status" -eq 1 ] || exit "$status"
while read -r site archive _; do
  vigie restore "$site" "$archive" --yes >&2 </dev/null || status=4
done <"$archives"
exit "$status"
