# Shared by the change, rollback and tidy operations of one item, and by an update of several items together.
# `together`: the operation that updated this item together with others; `items`: the jobs and folders of several items.
take_lines php site seconds operation site_id item action has_package copy_id max_age together items order

copies=${HOME:?}/.vigie/asides
# The copies of items that were updated together, in one file until all are updated.
updates_folder=$copies/$site_id/updates
item_folder=$copies/$site_id/$item
own=$item_folder/$operation
package=${HOME:?}/.vigie/packages/$operation.zip
skip=- allowance=0 free=0 inodes=- locked=0 tables=- whole=-

# Sets `free` to the free blocks or inodes by `df`: the column before the percentage, even where names have spaces.
measure_free() {
  free= before=
  for column in $(df "$1" "$2" 2>/dev/null); do
    case $before:$column in *[!0-9]*:* | :*) ;; *:[0-9]*%) free=$before ;; esac
    before=$column
  done
}

# Runs one step of the PHP program; its exit code says how to go on.
run_step() {
  program
  exec 5<<INPUT
$word
$1
$skip
$allowance $free $inodes $locked $tables $whole
$order
INPUT
  (umask "$mask" && site=$site && run_in_site)
}

# Sets the time limit: one second per megabyte on top of what every change gets.
extend_limit() {
  seconds=$((seconds + 1 + ${1:-0} / 1048576))
  [ -z "$limit" ] || limit="timeout -k 5 $seconds"
}

# Sets `entries` to those of a rollback copy, and to nothing for an incomplete one. Fails if the copy cannot be read. Without
# a here-document, for which some shells need room in /tmp.
count_entries() {
  entries=$(tail -c 1536 "$1") || return
  entries=${entries%%"$line_end"*}
  digest=${entries##*'"sha256":"'}
  case ${digest%'"}'} in *[!0-9a-f]*) entries= ;; esac
  case $entries in '{"count":'[0-9]*',"sha256":"'*'"}') entries=${entries#*:} entries=${entries%%,*} ;; *) entries= ;; esac
  case $entries in *[!0-9]*) entries= ;; esac
} 2>/dev/null
line_end='
'

# Whether the header of a rollback copy lists tables.
holds_tables() { head -c 65536 "$1" | tr -d '\000' | grep -q '^    "tables": {'; }

# Renames a finished .part: .tar with files or tables, .note with neither. An incomplete one is removed.
name_copy() {
  [ -f "$1.part" ] || return 0
  case $1 in "$updates_folder"/*)
    split_copies "$1"
    return
    ;;
  esac
  count_entries "$1.part" || return
  case $entries in
  '') rm -f "$1.part" ;;
  0) mv "$1.part" "$1.note" ;;
  *) mv "$1.part" "$1.tar" ;;
  esac
}

# When the operation took WordPress's lock, in seconds; the note may also hold a stop request.
lock_time() { sed -n '/^[0-9][0-9]*$/p' "$1.lock" 2>/dev/null | head -n 1; }

# Earlier operations on the item of a folder are over: only its newest copy and the requested one are kept.
keep_newest() {
  for leftover in "$1"/*.part; do
    [ "$leftover" = "$own.part" ] || name_copy "${leftover%.part}"
  done
  newest=
  for kept in "$1"/*.tar; do
    [ -f "$kept" ] && { [ -z "$newest" ] || [ "$kept" -nt "$newest" ]; } && newest=$kept
  done
  for kept in "$1"/*.tar "$1"/*.back "$1"/*.tables-back; do
    case $kept in "$newest" | "$1/$copy_id.tar") ;; *) [ ! -f "$kept" ] || rm -f "$kept" ;; esac
  done
}

# Flushes files to disk.
flush() { sync "$@" 2>/dev/null || sync; }

# Gives the copies of an update of several items their own files, as if each item had been updated alone. May be
# interrupted anywhere and repeated. The note has a line for each copy; it has none if the update never began. The site's
# own code may write to the note too: it names only items of the order, and their places in the file.
split_copies() {
  is_split=yes
  while read -r line offset bytes id name; do
    [ "$line" = copy ] && is_number "$offset" && is_number "$bytes" && grep -qxF "$id $name" "$1.items" &&
      ! grep -qx "drop $id" "$1.lock" || continue
    split_copy "$1" "$copies/$site_id/$name" "$id" && echo "drop $id" >>"$1.lock" || is_split=no
  done <"$1.lock"
  [ "$is_split" = no ] || rm -f "$1.lock" "$1.part" "$1.items"
} 2>/dev/null

is_number() { case $1 in '' | *[!0-9]* | 0?* | ????????????????*) return 1 ;; esac; }

# Copies `bytes` at `offset` of a file into the folder of their item, with the time of WordPress's lock for a rollback.
split_copy() {
  mkdir -p "$2" && keep_newest "$2" || return
  tail -c "+$((offset + 1))" "$1.part" | head -c "$bytes" >"$2/$3.part" && [ "$(size_of "$2/$3.part")" -eq "$bytes" ] &&
    { grep -qx ended "$1.lock" || lock_time "$1" >"$2/$3.lock"; } && touch -r "$1.part" "$2/$3.part" || {
    rm -f "$2/$3.part" "$2/$3.lock"
    rmdir "$2"
    return 1
  }
  flush "$2/$3".*
  name_copy "$2/$3"
  flush "$2" && [ -f "$2/$3.tar" ]
}

# Whether a copy has no file of its own yet, because there was no room for it.
is_unsplit() {
  grep -q "^copy [0-9]* [0-9]* $1 " "$updates_folder"/*.lock && ! grep -qx "drop $1" "$updates_folder"/*.lock
} 2>/dev/null

report_end() {
  report "{\"is\":\"over\",\"code\":$1,\"seconds\":$seconds}"
  exit 1
}

size_of() { echo $(($(wc -c <"$1"))); }

# An interrupted update of several items left its copies in one file.
for leftover_updates in "$updates_folder"/*.part; do
  name_copy "${leftover_updates%.part}"
done
[ ! -d "$updates_folder" ] || rmdir "$updates_folder" 2>/dev/null
