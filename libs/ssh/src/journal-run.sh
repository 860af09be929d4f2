# Runs an operation, once. Many may try at the same time, each in a folder of its own: the one whose folder becomes `run`
# has begun it.
umask 077
word=$1 mask=$2 wait=$3
attempt=$journal/.new-$word

# In a shell of its own: where whoever listened is gone, saying something ends it, which must not end what has begun.
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

# Waits for the folder, as long as the operation may; 1 means that somebody has it, another code that none can be had.
hold() {
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
# Through a file: nothing of the data is in a command line.
IFS= read -r lock <"$attempt/lock" || quit failed
if [ -n "$lock" ]; then
  (cd "$lock" && : 9<"$lock") || quit failed
  exec 9<"$lock"
  # Whatever the script starts keeps the lock as long as it lives.
  hold
  case $? in 0) held=held ;; 1) quit locked ;; *) held=unavailable ;; esac
fi

cd "$attempt" || quit failed
# The exit code has its place on the disk before it is known: the disk may be full by then.
born $$ || born=-
echo 1 >format && echo "$boot $$ $born $held $word" >who && echo '   ' >code.part &&
  : >progress && : >out && : >err && [ -s code.part ] && [ -s who ] || quit failed
cd "${HOME:-/}" || cd /
mv "$attempt" "$run" 2>/dev/null
read -r mine 2>/dev/null <"$run/who"
[ "${mine##* }" = "$word" ] || quit failed
# A loss of power must not undo it.
sync "$run/who" "$run" "$journal" "$root" 2>/dev/null
rm -rf "$journal"/.new-* "$run"/.new-*
say started "$held"
exec >/dev/null 2>&1

# What a site prints has no end, and is on the account of whoever logs in: nobody reads what comes after so many blocks
# of 512 bytes. Each writer appends, so that it goes on at the new end.
bound() {
  trap '' HUP TERM
  while sleep 1 && kill -0 $$; do
    find "$run/out" "$run/err" "$run/progress" -size +131072 -exec sh -c ': >"$1"' - {} \;
  done
}

bound 9<&- &
bounding=$!
# A script that is stopped may clean up, and its exit code is written.
trap : HUP TERM
umask "$mask"
VIGIE_OPERATION=$id sh "$run/script" <"$run/input" >>"$run/out" 2>>"$run/err" 3>>"$run/progress"
printf '%-3s\n' $? 1<>"$run/code.part" && mv "$run/code.part" "$run/code"
kill -s KILL "$bounding"
