#!/usr/bin/env bash
# Makes the key files the first time and gives each process its own, readable by the user `node` alone. With `rotate`, does
# one step of a rotation and gives them again; its exit code, 3, says that the next step waits for another run.
set -euo pipefail

share() {
  for share in /share/*/; do
    install --owner=node --group=node --mode=0400 "/keys/$(basename "$share").json" "$share/keys.json"
  done
}

[ -e /keys/gateway.json ] || node tools/run.mjs keys --out /keys
# Before a step too: a run that was cut short may not have shared its own, and the next step counts on that.
share
[ "${1:-}" = rotate ] || exit 0
code=0
node tools/run.mjs keys rotate --in /keys || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"
share
[ "$code" -eq 0 ] || echo "Les fichiers sont portés, et la même commande attend d’être relancée."
exit "$code"
