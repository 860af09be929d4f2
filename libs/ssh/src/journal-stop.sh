# Ends an operation, or takes its place before it begins. $1: how many seconds it has to clean up.
umask 077

# TERM goes to each process once, so that a script cleans up once.
signal() {
  read -r was pid start rest <"$run/who"
  born "$pid"
  if [ "$born" = "$start" ] && kill -s "$1" -- "-$pid" && [ "$1" = TERM ]; then return; fi
  for left in $(carriers); do kill -s "$1" "$left"; done
} 2>/dev/null

# Whether it is over within so many seconds.
ends() {
  tries=$(($1 * 5))
  while [ ! -f "$run/code" ] && lives; do
    [ "$tries" -gt 0 ] || return
    tries=$((tries - 1))
    nap
  done
}

if [ ! -d "$run" ]; then
  # Not named as an attempt: whoever gives up would remove it.
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
if [ -f "$run/code" ] || ! lives; then echo finished && exit; fi
: >"$run/stopped"
signal TERM
if ! ends "$1"; then
  signal KILL
  ends 10 || exit
  # Where nobody is left to write an exit code, its place is not kept.
  rm -f "$run/code.part"
fi
echo stopped
