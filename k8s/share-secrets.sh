#!/usr/bin/env bash
# Creates the secrets of an installation the first time, in a folder of this machine, and applies them to the cluster, with
# separate keys for each process. With `rotate`, runs one step of a key rotation and waits until every process has its
# file; exit code 3 means that the same command must be run again.
#
#   k8s/share-secrets.sh FOLDER [rotate]
#
# FOLDER holds all passwords and keys: keep a copy that no machine of the cluster can reach.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:?k8s/share-secrets.sh FOLDER [rotate]}
processes=(gateway auth-svc sites-svc dns-svc ssh-agent)
tries=${VIGIE_SHARE_TRIES:-90}

cluster() { kubectl --namespace vigie "$@"; }

random_password() { openssl rand -hex 24; }

quietly() {
  local output
  output=$("$@" 2>&1) || { echo "$output" >&2; return 1; }
}

make_passwords() {
  local nats redis postgres part=$folder/passwords.part
  nats=$(random_password) redis=$(random_password) postgres=$(random_password)
  rm -rf "$part" && mkdir "$part"
  printf 'postgres://vigie:%s@postgres:5432/vigie?sslmode=verify-full' "$postgres" > "$part/owner-url"
  printf '%s' "$postgres" > "$part/database-password"
  printf 'tls://vigie:%s@nats:4222' "$nats" > "$part/nats-url"
  printf 'user: vigie\npassword: "%s"\n' "$nats" > "$part/nats.conf"
  printf 'rediss://:%s@redis:6379' "$redis" > "$part/redis-url"
  printf 'requirepass %s\n' "$redis" > "$part/redis.conf"
  printf '%s' "$VIGIE_ADMIN_EMAIL" > "$part/admin-email"
  random_password > "$part/admin-password"
  mv "$part" "$folder/passwords"
}

# Creates an authority that signs this one certificate, then deletes the authority's key.
make_certificate() {
  local part=$folder/tls.part
  rm -rf "$part" && mkdir "$part"
  quietly openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=Vigie' \
    -keyout "$part/ca.key" -out "$part/ca.crt" -addext basicConstraints=critical,CA:TRUE \
    -addext keyUsage=critical,keyCertSign
  quietly openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=vigie' \
    -keyout "$part/tls.key" -out "$part/tls.csr"
  printf 'subjectAltName=DNS:nats,DNS:redis,DNS:postgres\nextendedKeyUsage=serverAuth\n' > "$part/extensions"
  quietly openssl x509 -req -in "$part/tls.csr" -CA "$part/ca.crt" -CAkey "$part/ca.key" -CAcreateserial -days 3650 \
    -extfile "$part/extensions" -out "$part/tls.crt"
  rm "$part/ca.key" "$part/tls.csr" "$part/extensions" "$part/ca.srl"
  mv "$part" "$folder/tls"
}

# Applies server-side, because kubectl would otherwise copy the secret into an annotation.
apply_secret() {
  local name=$1
  shift
  cluster create secret generic "$name" --dry-run=client --output=yaml "$@" |
    cluster apply --server-side --force-conflicts --filename=- > /dev/null
  echo "secret/$name"
}

apply_keys() {
  for process in "${processes[@]}"; do
    apply_secret "keys-$process" --from-file=keys.json="$folder/keys/$process.json"
  done
}

# A node takes up to a minute to update a mounted secret.
wait_for_keys() {
  local process pod wanted
  for process in "${processes[@]}"; do
    wanted=$(sha256sum < "$folder/keys/$process.json")
    for pod in $(cluster get pods --selector="app.kubernetes.io/name=$process" --output=name); do
      for try in $(seq "$tries"); do
        [ "$(cluster exec "$pod" -- sha256sum < /dev/null /run/keys/keys.json | cut -d' ' -f1)" = "${wanted%% *}" ] && break
        [ "$try" -lt "$tries" ] || { echo "$pod n’a pas encore ses clés : relancez la même commande." >&2; exit 1; }
        sleep 2
      done
    done
  done
}

umask 077
mkdir -p "$folder"
if [ ! -e "$folder/passwords" ]; then
  : "${VIGIE_ADMIN_EMAIL:?donnez l’adresse du premier administrateur}"
  make_passwords
fi
[ -e "$folder/tls" ] || make_certificate
[ -e "$folder/keys/gateway.json" ] || node "$root/tools/run.mjs" keys --out "$folder/keys"

if [ "${2:-}" != rotate ]; then
  passwords=$folder/passwords
  apply_secret bus --from-file="$passwords/nats-url" --from-file="$passwords/redis-url" \
    --from-file="$passwords/nats.conf" --from-file="$passwords/redis.conf"
  apply_secret database --from-file="$passwords/owner-url" --from-file=password="$passwords/database-password"
  apply_secret administrator --from-file=email="$passwords/admin-email" --from-file=password="$passwords/admin-password"
  apply_secret tls --from-file="$folder/tls/ca.crt" --from-file="$folder/tls/tls.crt" --from-file="$folder/tls/tls.key"
  apply_keys
  exit 0
fi
# An interrupted run may not have shared its files yet, and the next step needs every process to have them.
apply_keys
wait_for_keys
code=0
node "$root/tools/run.mjs" keys rotate --in "$folder/keys" || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"
apply_keys
wait_for_keys
exit "$code"
