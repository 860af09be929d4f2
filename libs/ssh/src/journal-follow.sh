# Looks at an operation: a line of facts, then the progress from an offset, and the ends of its output when it is over.
from=$1 most=$2 outs=$3 errs=$4

# The smaller one of two numbers, in `least`: without a process of its own, as a host is looked at all the time.
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
# In this order: what has died meanwhile wrote its exit code before.
state=running
lives || state=gone
{ read -r code <"$run/code"; } 2>/dev/null && state=ended || code=-
stopped=0
[ ! -e "$run/stopped" ] || stopped=1
# Of each file its size and its name.
set -- $(cd "$run" && wc -c progress out err)
progress=$1 out=$3 err=$5
part=0
if [ "$progress" -gt "$from" ]; then least $((progress - from)) "$most" && part=$least; fi
if [ "$state" = running ]; then outs=0 errs=0; fi
least "$out" "$outs" && outs=$least
least "$err" "$errs" && errs=$least
echo "$state $code $stopped $progress $part $out $outs $err $errs"
[ "$part" -eq 0 ] || tail -c "+$((from + 1))" "$run/progress" | head -c "$part"
[ "$outs" -eq 0 ] || head -c "$outs" "$run/out"
[ "$errs" -eq 0 ] || tail -c "+$((err - errs + 1))" "$run/err" | head -c "$errs"
