#!/usr/bin/env bash
# Creates the key files the first time and gives each process its own, readable by the user `node` alone. With `rotate`,
# runs one step of a rotation and shares the files again; exit code 3 means that another run is needed for the next step.
set -euo pipefail

share() {
  for share in /share/*/; do
    install --owner=node --group=node --mode=0400 "/keys/$(basename "$share").json" "$share/keys.json"
  done
}

[ -e /keys/gateway.json ] || node tools/run.mjs keys --out /keys
# An interrupted run may not have shared its files yet, and the next step needs every process to have them.
share
[ "${1:-}" = rotate ] || exit 0
code=0
node tools/run.mjs keys rotate --in /keys || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"
share
[ "$code" -eq 0 ] || echo "Les fichiers sont portés, et la même commande attend d’être relancée."
exit "$code"
