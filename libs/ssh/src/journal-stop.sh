# Ends an operation, or takes its place before it begins. $1: how many seconds it has to clean up.
umask 077

# TERM goes to each process once, so that a script cleans up once.
signal() {
  read -r was pid start rest <"$run/who"
  born "$pid"
  if [ "$born" = "$start" ] && kill -s "$1" -- "-$pid" && [ "$1" = TERM ]; then return; fi
  for left in $(carriers); do kill -s "$1" "$left"; done
} 2>/dev/null

# What the script left behind in a group of its own has heard of nothing: it is asked to end as well, once.
ask_rest() {
  [ -f "$run/code" ] && [ -z "$asked" ] || return 0
  asked=yes
  read -r was pid rest <"$run/who"
  for left in $(carriers); do
    read -r stat <"/proc/$left/stat" || continue
    set -- ${stat##*) }
    [ "$3" = "$pid" ] || kill -s TERM "$left"
  done
} 2>/dev/null

# Whether nothing of it runs within so many seconds: who is left behind still writes, and keeps the folder.
ends() {
  tries=$(($1 * 5))
  while lives; do
    ask_rest
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
if [ -f "$run/code" ] && [ ! -f "$run/stopped" ] || ! lives; then echo finished && exit; fi
: >"$run/stopped"
asked=
signal TERM
if ! ends "$1"; then
  signal KILL
  ends 10 || exit
  # Where nobody is left to write an exit code, its place is not kept.
  rm -f "$run/code.part"
fi
echo stopped
