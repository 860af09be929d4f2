#!/usr/bin/env bash
# Makes the secrets of an installation the first time, in a folder of this machine, and gives them to the cluster: each
# process its own keys. With `rotate`, does one step of a rotation of the keys and waits until every process has its file;
# its exit code, 3, says that the same command is to be run again.
#
#   k8s/share-secrets.sh FOLDER [rotate]
#
# FOLDER holds what opens everything: keep a copy where no machine of the cluster reaches it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:?k8s/share-secrets.sh FOLDER [rotate]}
processes=(gateway auth-svc sites-svc dns-svc ssh-agent)
tries=${VIGIE_SHARE_TRIES:-90}

cluster() { kubectl --namespace vigie "$@"; }

word() { openssl rand -hex 24; }

quietly() {
  local said
  said=$("$@" 2>&1) || { echo "$said" >&2; return 1; }
}

make_passwords() {
  local nats redis postgres part=$folder/passwords.part
  nats=$(word) redis=$(word) postgres=$(word)
  rm -rf "$part" && mkdir "$part"
  printf 'postgres://vigie:%s@postgres:5432/vigie?sslmode=verify-full' "$postgres" > "$part/owner-url"
  printf '%s' "$postgres" > "$part/database-password"
  printf 'tls://vigie:%s@nats:4222' "$nats" > "$part/nats-url"
  printf 'user: vigie\npassword: "%s"\n' "$nats" > "$part/nats.conf"
  printf 'rediss://:%s@redis:6379' "$redis" > "$part/redis-url"
  printf 'requirepass %s\n' "$redis" > "$part/redis.conf"
  printf '%s' "$VIGIE_ADMIN_EMAIL" > "$part/admin-email"
  word > "$part/admin-password"
  mv "$part" "$folder/passwords"
}

# An authority that signs this one certificate; its key is thrown away.
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

# Server-side: kubectl would copy the secret into an annotation of itself.
give() {
  local name=$1
  shift
  cluster create secret generic "$name" --dry-run=client --output=yaml "$@" |
    cluster apply --server-side --force-conflicts --filename=- > /dev/null
  echo "secret/$name"
}

give_keys() {
  for process in "${processes[@]}"; do
    give "keys-$process" --from-file=keys.json="$folder/keys/$process.json"
  done
}

# A node takes a minute to hand a new file to its pods.
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
  give bus --from-file="$passwords/nats-url" --from-file="$passwords/redis-url" \
    --from-file="$passwords/nats.conf" --from-file="$passwords/redis.conf"
  give database --from-file="$passwords/owner-url" --from-file=password="$passwords/database-password"
  give administrator --from-file=email="$passwords/admin-email" --from-file=password="$passwords/admin-password"
  give tls --from-file="$folder/tls/ca.crt" --from-file="$folder/tls/tls.crt" --from-file="$folder/tls/tls.key"
  give_keys
  exit 0
fi
# Before a step too: a run that was cut short may not have shared its own, and the next step counts on that.
give_keys
wait_for_keys
code=0
node "$root/tools/run.mjs" keys rotate --in "$folder/keys" || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"
give_keys
wait_for_keys
exit "$code"
