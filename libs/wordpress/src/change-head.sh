# What the operations on one item have in common.
take_lines php site seconds operation site_id item action has_package aside young order

asides=${HOME:?}/.vigie/asides
place=$asides/$site_id/$item
package=${HOME:?}/.vigie/packages/$operation.zip
skip=- allowance=0 free=0 inodes=- locked=0 tables=- whole=-

# The last column but one of the last line, whatever the name of the device is.
left() { df "$1" "$2" 2>/dev/null | sed -n '$s/.* \([0-9][0-9]*\)  *[0-9][0-9]*% .*/\1/p'; }

# Runs a part of the program; its code says how to go on.
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

# Of so many bytes: each megabyte has a second beside what any change may take.
give_time() {
  seconds=$((seconds + 1 + ${1:-0} / 1048576))
  [ -z "$limit" ] || limit="timeout -k 5 $seconds"
}

# How many entries a copy holds; nothing of one that is not whole.
held() { tail -c 1536 "$1" 2>/dev/null | head -n 1 | sed -n 's/^{"count":\([0-9][0-9]*\),"sha256":"[0-9a-f]*"}$/\1/p'; }

# Whether a copy holds tables, by what it says of itself at its beginning.
holds_tables() { head -c 65536 "$1" | tr -d '\000' | grep -q '^    "tables": {'; }

# Gives a copy the name that says what it is, whatever ended the operation that wrote it.
keep() {
  [ -f "$1.part" ] || return 0
  case $(held "$1.part") in
  '') rm -f "$1.part" ;;
  0) mv "$1.part" "$1.note" ;;
  *) mv "$1.part" "$1.tar" ;;
  esac
}

# When it took the lock of WordPress: beside that it may have been told to stop.
lock_of() { sed -n '/^[0-9][0-9]*$/p' "$mine.lock" 2>/dev/null | head -n 1; }

over() {
  tell "{\"is\":\"over\",\"code\":$1,\"seconds\":$seconds}"
  exit 1
}

bytes() { echo $(($(wc -c <"$1"))); }
