# Stops an operation, or keeps it from beginning by creating its `run` folder. $1: seconds to clean up before KILL.
umask 077

# Sends TERM only once to each process, so that a script cleans up once.
signal() {
  read -r was pid start rest <"$run/who"
  born "$pid"
  if [ "$born" = "$start" ] && kill -s "$1" -- "-$pid" && [ "$1" = TERM ]; then return; fi
  for left in $(carriers); do kill -s "$1" "$left"; done
} 2>/dev/null

# Once the script has ended, sends TERM once to its leftover processes in other groups, which the first TERM did not reach.
terminate_leftovers() {
  [ -f "$run/code" ] && [ -z "$sent" ] || return 0
  sent=yes
  read -r was pid rest <"$run/who"
  for left in $(carriers); do
    read -r stat <"/proc/$left/stat" || continue
    set -- ${stat##*) }
    [ "$3" = "$pid" ] || kill -s TERM "$left"
  done
} 2>/dev/null

# Waits up to $1 seconds for all processes to end, because a leftover process still writes and keeps the lock.
wait_for_end() {
  tries=$(($1 * 5))
  while is_alive; do
    terminate_leftovers
    [ "$tries" -gt 0 ] || return
    tries=$((tries - 1))
    nap
  done
}

if [ ! -d "$run" ]; then
  # The name differs from an attempt's, because `withdraw` removes attempts.
  attempt=$journal/.stop-$$
  mkdir -p "$attempt" && cd "$attempt" && echo 1 >format && echo "$boot - - none stop" >who && echo 1 >code &&
    : >stopped && : >progress && : >out && echo 'stopped before it began' >err || exit
  cd / && mv "$attempt" "$run" 2>/dev/null
  rm -rf "$attempt" "$run/.stop-$$"
  read -r mine 2>/dev/null <"$run/who"
  if [ "${mine##* }" = stop ]; then echo stopped && exit; fi
  [ -d "$run" ] || exit
fi
read -r format <"$run/format"
if [ "$format" -gt 1 ]; then echo "newer $format" && exit; fi
if [ -f "$run/code" ] && [ ! -f "$run/stopped" ] || ! is_alive; then echo finished && exit; fi
: >"$run/stopped"
sent=
signal TERM
if ! wait_for_end "$1"; then
  signal KILL
  wait_for_end 10 || exit
  # No process is left to write an exit code, so its reserved file goes.
  rm -f "$run/code.part"
fi
echo stopped
