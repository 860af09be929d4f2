#!/usr/bin/env bash
# Makes the key files the first time and gives each process its own, readable by the user `node` alone. With `rotate`, one
# step of a rotation before that; its exit code, 3, says that the next one waits for another run.
set -euo pipefail

[ -e /keys/gateway.json ] || node tools/run.mjs keys --out /keys
code=0
if [ "${1:-}" = rotate ]; then node tools/run.mjs keys rotate --in /keys || code=$?; fi
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"
for share in /share/*/; do
  install --owner=node --group=node --mode=0400 "/keys/$(basename "$share").json" "$share/keys.json"
done
[ "$code" -eq 0 ] || echo "Les fichiers sont portés, et la même commande attend d’être relancée."
exit "$code"
