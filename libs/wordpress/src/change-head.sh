# Shared by the change, rollback and tidy operations of one item.
take_lines php site seconds operation site_id item action has_package copy_id max_age order

copies=${HOME:?}/.vigie/asides
item_folder=$copies/$site_id/$item
package=${HOME:?}/.vigie/packages/$operation.zip
skip=- allowance=0 free=0 inodes=- locked=0 tables=- whole=-

# Free blocks or inodes by `df`: the last column but two, even where the device name has spaces.
free_on() { df "$1" "$2" 2>/dev/null | sed -n '$s/.* \([0-9][0-9]*\)  *[0-9][0-9]*% .*/\1/p'; }

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

# Entries of a rollback copy; prints nothing for an incomplete copy.
entries_of() { tail -c 1536 "$1" 2>/dev/null | head -n 1 | sed -n 's/^{"count":\([0-9][0-9]*\),"sha256":"[0-9a-f]*"}$/\1/p'; }

# Whether the header of a rollback copy lists tables.
holds_tables() { head -c 65536 "$1" | tr -d '\000' | grep -q '^    "tables": {'; }

# Renames a finished .part: .tar with files or tables, .note with neither. An incomplete one is removed.
name_copy() {
  [ -f "$1.part" ] || return 0
  case $(entries_of "$1.part") in
  '') rm -f "$1.part" ;;
  0) mv "$1.part" "$1.note" ;;
  *) mv "$1.part" "$1.tar" ;;
  esac
}

# When the operation took WordPress's lock, in seconds; the note may also hold a stop request.
lock_time() { sed -n '/^[0-9][0-9]*$/p' "$own.lock" 2>/dev/null | head -n 1; }

report_end() {
  report "{\"is\":\"over\",\"code\":$1,\"seconds\":$seconds}"
  exit 1
}

size_of() { echo $(($(wc -c <"$1"))); }
