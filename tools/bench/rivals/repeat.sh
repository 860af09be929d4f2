#!/bin/bash
# repeat.sh COUNT COMMAND…: prints "microseconds exit-code" for each run, then two lines of processor times: of the
# shell and of its children. This is a shell script because it starts processes faster than Node.
count=$1
shift
for ((n = 0; n < count; n++)); do
  since=${EPOCHREALTIME/./}
  "$@" </dev/null >/dev/null
  code=$?
  echo "$((${EPOCHREALTIME/./} - since)) $code"
done
times
