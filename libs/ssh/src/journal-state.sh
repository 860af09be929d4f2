# What every script about an operation begins with. $1: the folder of all operations ('' for the usual one), $2: the file
# in which the kernel names its boot, $3: the operation. The folder `run` comes into being whole, by one rename, when the
# operation begins: without it nothing was begun, and with it nothing is begun again. This holds for all later formats.
root=${1:-${HOME:?}/.vigie/operations}
bootfile=$2
id=$3
journal=$root/$id
run=$journal/run
boot=
{ read -r boot <"$bootfile"; } 2>/dev/null
boot=${boot:--}
shift 3

# Gives an attempt up: nothing was begun, and no other attempt that still waits will begin it later. Where one has begun
# it meanwhile, all that went wrong here comes from that.
withdraw() {
  for other in "$journal"/.new-*; do
    mv "$other" "$journal/.old-${other##*/.new-}" 2>/dev/null
  done
  rm -rf "$journal"/.old-*
  rmdir "$journal" 2>/dev/null
  [ ! -d "$run" ]
}

nap() { sleep 0.2 2>/dev/null || sleep 1; }

# When a process started, in `born`, in ticks since the boot: its number alone may be another's by now. Nothing for the
# dead that nobody has buried.
born() {
  born=
  read -r stat <"/proc/$1/stat" || return
  set -- ${stat##*) }
  case $1 in Z | X) return 1 ;; esac
  born=${20}
} 2>/dev/null

# The processes of the script: each inherits its name, wherever it went.
carriers() { grep -lsF "VIGIE_OPERATION=$id" /proc/[0-9]*/environ | tr -dc '0-9\n'; }

# Whether something of the operation runs: the runner, or what it left behind when it was killed.
lives() {
  read -r was pid start rest <"$run/who" || return
  [ "$was" = "$boot" ] || return
  if [ -r /proc/self/stat ]; then
    born "$pid"
    [ "$born" = "$start" ] || [ -n "$(carriers)" ]
  else
    kill -0 "$pid"
  fi
} 2>/dev/null
