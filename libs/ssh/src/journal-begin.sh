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

# Whether the digest of the task, or without one its length and its last line, are as they were sent.
is_whole() {
  if got=$(digest); then case $got in *"$sum"*) return ;; *) return 1 ;; esac fi
  [ "$(wc -c <"$attempt/task")" -eq $((runner + script + input + ${#word} + 2)) ] &&
    [ "$(tail -c $((${#word} + 2)) "$attempt/task")" = "#$word" ]
}

# Splits the task, whose three parts must have their lengths.
split() {
  head -c "$runner" <task >runner && tail -c "+$((runner + 1))" task | head -c "$script" >script &&
    tail -c "+$((runner + script + 1))" task | head -c "$input" >input || return
  set -- $(wc -c runner script input)
  [ "$1 $3 $5" = "$runner $script $input" ]
}

report_existing
trap 'rm -rf "$attempt"; rmdir "$journal" 2>/dev/null; exit 143' HUP TERM
mkdir -p "$attempt" && cat >"$attempt/task" || fail failed
is_whole || fail cut
(cd "$attempt" && split) && printf '%s\n' "$lock" >"$attempt/lock" || fail failed
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
