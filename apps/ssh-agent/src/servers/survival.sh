# Does the child live whose connection has ended? Its start time tells it from another one that got its number.
lives() {
  if [ -n "$2" ]; then [ "$(cut -d' ' -f22 "/proc/$1/stat" 2>/dev/null)" = "$2" ]; else kill -0 "$1" 2>/dev/null; fi
}
sleep 1
if lives "$1" "$2"; then
  echo alive
  kill "$1"
else
  echo gone
fi
