#!/usr/bin/env bash
# Makes the key files the first time and gives each process its own, readable by the user `node` alone.
set -euo pipefail

[ -e /keys/gateway.json ] || node tools/run.mjs keys --out /keys
for share in /share/*/; do
  install --owner=node --group=node --mode=0400 "/keys/$(basename "$share").json" "$share/keys.json"
done
