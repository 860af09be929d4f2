# Tells whether a child has outlived its connection. Its start time tells it from a later process with the same id.
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
