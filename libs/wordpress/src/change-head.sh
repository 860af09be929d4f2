# Shared by the change, rollback and tidy operations of one item.
take_lines php site seconds operation site_id item action has_package aside young order

asides=${HOME:?}/.vigie/asides
place=$asides/$site_id/$item
package=${HOME:?}/.vigie/packages/$operation.zip
skip=- allowance=0 free=0 inodes=- locked=0 tables=- whole=-

# Free blocks or inodes by `df`: the last column but two, even where the device name has spaces.
left() { df "$1" "$2" 2>/dev/null | sed -n '$s/.* \([0-9][0-9]*\)  *[0-9][0-9]*% .*/\1/p'; }

# Runs one step of the PHP program; its exit code says how to go on.
part() {
  program
  exec 5<<GIVEN
$word
$1
$skip
$allowance $free $inodes $locked $tables $whole
$order
GIVEN
  (umask "$mask" && site=$site && go_in_site)
}

# Sets the time limit: one second per megabyte on top of what every change gets.
give_time() {
  seconds=$((seconds + 1 + ${1:-0} / 1048576))
  [ -z "$limit" ] || limit="timeout -k 5 $seconds"
}

# Entries of a rollback copy; prints nothing for an incomplete copy.
held() { tail -c 1536 "$1" 2>/dev/null | head -n 1 | sed -n 's/^{"count":\([0-9][0-9]*\),"sha256":"[0-9a-f]*"}$/\1/p'; }

# Whether the header of a rollback copy lists tables.
holds_tables() { head -c 65536 "$1" | tr -d '\000' | grep -q '^    "tables": {'; }

# Renames a finished .part: .tar with files or tables, .note with neither. An incomplete one is removed.
keep() {
  [ -f "$1.part" ] || return 0
  case $(held "$1.part") in
  '') rm -f "$1.part" ;;
  0) mv "$1.part" "$1.note" ;;
  *) mv "$1.part" "$1.tar" ;;
  esac
}

# When the operation took WordPress's lock, in seconds; the note may also hold a stop request.
lock_of() { sed -n '/^[0-9][0-9]*$/p' "$mine.lock" 2>/dev/null | head -n 1; }

over() {
  tell "{\"is\":\"over\",\"code\":$1,\"seconds\":$seconds}"
  exit 1
}

bytes() { echo $(($(wc -c <"$1"))); }
