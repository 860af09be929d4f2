#!/usr/bin/env bash
# Makes the key files that are missing and gives each process its own, readable by the user `node` alone.
set -euo pipefail

node tools/run.mjs keys /keys
for share in /share/*/; do
  install --owner=node --group=node --mode=0400 "/keys/$(basename "$share").json" "$share/keys.json"
done
