# Stores the task from standard input (the runner, the script, its input and a last line) and starts the runner only when
# the task is complete. The first line with the word reports the result.
mask=$(umask)
umask 077
word=$1 mode=$2 wait=$3 lock=$4 runner=$5 script=$6 input=$7 sum=$8
attempt=$journal/.new-$word

say() {
  echo "$word $*"
  exit
}

# Reports an operation that has begun already.
report_existing() {
  [ -d "$run" ] || return
  read -r format <"$run/format"
  [ "${format:-0}" -le 1 ] || say newer "$format"
  if [ -f "$run/code" ] || ! is_alive; then state=finished; else state=attached; fi
  read -r was pid start held rest <"$run/who"
  say "$state" "$held"
} 2>/dev/null

fail() {
  ! withdraw || say "$1"
  report_existing
  exit
}

digest() {
  if command -v sha256sum; then set -- sha256sum
  elif command -v shasum; then set -- shasum -a 256
  elif command -v openssl; then set -- openssl dgst -sha256
  elif command -v busybox; then set -- busybox sha256sum
  else return 1; fi >/dev/null
  "$@" <"$attempt/task"
}

size() { echo $(($(wc -c <"$attempt/$1"))); }

part() { tail -c "+$1" "$attempt/task" | head -c "$2" >"$attempt/$3" && [ "$(size "$3")" -eq "$2" ]; }

report_existing
trap 'rm -rf "$attempt"; rmdir "$journal" 2>/dev/null; exit 143' HUP TERM
mkdir -p "$attempt" && cat >"$attempt/task" || fail failed
[ "$(size task)" -eq $((runner + script + input + ${#word} + 2)) ] || fail cut
[ "$(tail -c $((${#word} + 2)) "$attempt/task")" = "#$word" ] || fail cut
if got=$(digest); then case $got in *"$sum"*) ;; *) fail cut ;; esac fi
part 1 "$runner" runner && part $((runner + 1)) "$script" script &&
  part $((runner + script + 1)) "$input" input && printf '%s\n' "$lock" >"$attempt/lock" || fail failed
rm -f "$attempt/task"
trap - HUP TERM

# The runner may wait for its folder. It writes to this connection until the operation has begun, and then detaches.
set -- sh "$attempt/runner" "$root" "$bootfile" "$id" "$word" "$mask" "$wait"
if [ "$mode" = attached ]; then
  "$@" </dev/null 2>&1
else
  if command -v setsid; then set -- setsid "$@"
  elif command -v busybox && busybox setsid true; then set -- busybox setsid "$@"
  elif command -v perl; then set -- perl -MPOSIX -e 'POSIX::setsid(); exec @ARGV' "$@"
  else set -- nohup "$@"; fi >/dev/null 2>&1
  { "$@" </dev/null 2>&1 & } | cat
fi
fail failed
