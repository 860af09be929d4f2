# Runs an operation once. Several attempts may run at the same time, each in its own folder: the attempt whose folder is
# renamed to `run` begins the operation.
umask 077
word=$1 mask=$2 wait=$3
attempt=$journal/.new-$word

# Prints from a subshell: a write to a closed connection kills the writer, which must not be the runner.
say() { (echo "$word $*") 2>/dev/null; }

quit() {
  rm -rf "$run/.new-$word"
  ! withdraw || say "$1"
  exit
}

if command -v flock; then take() { flock -n 9; }
elif busybox --list | grep -qx flock; then take() { busybox flock -n 9; }
elif command -v perl; then take() { perl -e 'open F, "<&=9"; exit !flock F, 6'; }
else take() { return 127; }; fi >/dev/null 2>&1

# Waits for the lock. Returns 1 when another operation still has it, and another code when the host cannot lock.
acquire_lock() {
  tries=$((wait * 5))
  until take; do
    code=$?
    [ "$code" -eq 1 ] || return "$code"
    [ -d "$attempt" ] && [ ! -d "$run" ] || quit locked
    [ "$tries" -gt 0 ] || return 1
    tries=$((tries - 1))
    nap
  done
}

held=none
# The path comes from a file, so that data never appears in a command line.
IFS= read -r lock <"$attempt/lock" || quit failed
if [ -n "$lock" ]; then
  (cd "$lock" && : 9<"$lock") || quit failed
  exec 9<"$lock"
  # Every process that the script starts inherits the lock and keeps it until it ends.
  acquire_lock
  case $? in 0) held=held ;; 1) quit locked ;; *) held=unavailable ;; esac
fi

cd "$attempt" || quit failed
# Reserve space for the exit code now, because the disk may be full at the end.
born $$ || born=-
echo 1 >format && echo "$boot $$ $born $held $word" >who && echo '   ' >code.part &&
  : >progress && : >out && : >err && [ -s code.part ] && [ -s who ] || quit failed
# Those who follow the operation wait for this lock, which no process of the script keeps. A network folder may never answer.
exec 8<>who
if timeout -s KILL 5 flock -n 8 2>/dev/null; then : >locked; fi
cd "${HOME:-/}" || cd /
mv "$attempt" "$run" 2>/dev/null
read -r mine 2>/dev/null <"$run/who"
[ "${mine##* }" = "$word" ] || quit failed
# Flush to disk, so that a loss of power does not undo the beginning.
sync "$run/who" "$run" "$journal" "$root" 2>/dev/null
for other in "$journal"/.new-* "$run"/.new-*; do
  [ ! -e "$other" ] || rm -rf "$other"
done
say started "$held"
exec >/dev/null 2>&1

# Truncates files over 131072 blocks of 512 bytes, because a site may print without end and fill the account's quota.
# Each writer appends, so that it continues at the new end.
limit_files() {
  trap '' HUP TERM
  while sleep 1 && kill -0 $$; do
    find "$run/out" "$run/err" "$run/progress" -size +131072 -exec sh -c ': >"$1"' - {} \;
  done
}

limit_files 8<&- 9<&- &
limiter=$!
# Ignore the signals here: a stopped script may clean up, and the runner then writes its exit code.
trap : HUP TERM
umask "$mask"
VIGIE_OPERATION=$id sh "$run/script" <"$run/input" >>"$run/out" 2>>"$run/err" 3>>"$run/progress" 8<&-
printf '%-3s\n' $? 1<>"$run/code.part" && mv "$run/code.part" "$run/code"
kill -s KILL "$limiter"
