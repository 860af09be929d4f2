# Prints the state of an operation: a line of numbers, then its progress from an offset and, once it is over, the first
# bytes of its output and the last bytes of its errors.
# $5: the seconds to wait for its end before, if it is not over.
from=$1 most=$2 outs=$3 errs=$4 wait=$5

# Sets `least` to the smaller of two numbers, without starting a process, because this script runs every second.
least() { if [ "$1" -lt "$2" ]; then least=$1; else least=$2; fi; }

if [ ! -d "$run" ]; then
  echo absent
  exit
fi
read -r format <"$run/format"
if [ "$format" -gt 1 ]; then
  echo "newer $format"
  exit
fi
# The runner has a lock on `who` until it ends. A flock that cannot wait so, as busybox's, fails with another code.
waited=0
if [ "$wait" != 0 ] && [ -e "$run/locked" ] && [ ! -e "$run/code" ]; then
  flock -s -E 75 -w "$wait" 8 8<"$run/who" 2>/dev/null
  case $? in 0 | 75) waited=1 ;; esac
fi
read_code() {
  read -r code <"$run/code"
  # A loss of power may leave the file without its text.
  case $code in '' | *[!0-9]*) code=- && return 1 ;; esac
} 2>/dev/null
# The code file comes last again: a runner that ends after the first look has written it when its process is gone.
if read_code; then state=ended
elif is_alive; then state=running
elif read_code; then state=ended
else state=gone; fi
stopped=0
[ ! -e "$run/stopped" ] || stopped=1
# wc prints the size and name of each file.
set -- $(cd "$run" && wc -c progress out err)
progress=$1 out=$3 err=$5
part=0
if [ "$progress" -gt "$from" ]; then least $((progress - from)) "$most" && part=$least; fi
if [ "$state" = running ]; then outs=0 errs=0; fi
least "$out" "$outs" && outs=$least
least "$err" "$errs" && errs=$least
echo "$state $code $stopped $waited $progress $part $out $outs $err $errs"
[ "$part" -eq 0 ] || tail -c "+$((from + 1))" "$run/progress" | head -c "$part"
[ "$outs" -eq 0 ] || head -c "$outs" "$run/out"
[ "$errs" -eq 0 ] || tail -c "+$((err - errs + 1))" "$run/err" | head -c "$errs"
