# Shared beginning of every journal script. $1: the folder of all operations ('' for the default), $2: the kernel's file
# with the boot id, $3: the operation's id. A single rename creates the complete folder `run` when the operation begins:
# without it the operation has not begun, and with it the operation never begins again. All later formats keep this rule.
root=${1:-${HOME:?}/.vigie/operations}
bootfile=$2
id=$3
journal=$root/$id
run=$journal/run
boot=
{ read -r boot <"$bootfile"; } 2>/dev/null
boot=${boot:--}
shift 3

# Gives up this attempt and every other that still waits, so that none begins the operation later. Fails when another
# attempt has begun the operation meanwhile, which then explains any error here.
withdraw() {
  for other in "$journal"/.new-*; do
    [ ! -e "$other" ] || mv "$other" "$journal/.old-${other##*/.new-}" 2>/dev/null
  done
  for other in "$journal"/.old-*; do
    [ ! -e "$other" ] || rm -rf "$other"
  done
  [ -d "$run" ] || rmdir "$journal" 2>/dev/null
  [ ! -d "$run" ]
}

nap() { sleep 0.2 2>/dev/null || sleep 1; }

# Sets `born` to the start time of a process, in ticks since boot, because its pid may have been reused. Zombies count as
# dead.
born() {
  born=
  read -r stat <"/proc/$1/stat" || return
  set -- ${stat##*) }
  case $1 in Z | X) return 1 ;; esac
  born=${20}
} 2>/dev/null

# Lists the processes of the script, which all inherit its variable, even in other process groups.
carriers() { grep -lsF "VIGIE_OPERATION=$id" /proc/[0-9]*/environ | tr -dc '0-9\n'; }

# Succeeds while the runner, or any process that a killed runner left behind, is alive.
is_alive() {
  read -r was pid start rest <"$run/who" || return
  [ "$was" = "$boot" ] || return
  if [ -r /proc/self/stat ]; then
    born "$pid"
    [ "$born" = "$start" ] || [ -n "$(carriers)" ]
  else
    kill -0 "$pid"
  fi
} 2>/dev/null
