# Runs a person's command in the folder of a site, as the account that owns the site. Its output goes to descriptor 3 as
# it comes, between lines of ours. The including script sets `program`, which that account runs (command-program.sh).
umask "$mask"
leader=- dog=- why=

# The rest of the input is the command, with its last line ends.
command=$(cat && echo .)
command=${command%.}

# Sets `session` to that of a process, and fails for one that is over: zombies count as dead.
read_session() {
  session=
  read -r stat <"/proc/$1/stat" || return
  set -- ${stat##*) }
  case $1 in Z | X) return 1 ;; esac
  session=$4
} 2>/dev/null

# Lists the processes of the command: those of its session, and those that took the operation's variable to another one.
list_processes() {
  { read_session "$leader" && echo "$leader"; } 2>/dev/null
  for entry in /proc/[0-9]*; do
    read_session "${entry#/proc/}" && [ "$session" = "$leader" ] && echo "${entry#/proc/}"
  done
  for entry in $(grep -lsF "VIGIE_OPERATION=${VIGIE_OPERATION:?}" /proc/[0-9]*/environ | tr -dc '0-9\n'); do
    read_session "$entry" && [ "$session" != "$own_session" ] && echo "$entry"
  done
}

signal_processes() { for each in $(list_processes); do kill -s "$1" "$each" 2>/dev/null; done; }

# Waits up to $1 fifths of a second for all processes of the command to end.
wait_for_processes() {
  tries=$1
  while [ -n "$(list_processes)" ]; do
    [ "$tries" -gt 0 ] || return
    tries=$((tries - 1))
    sleep 0.2 2>/dev/null || sleep 1
  done
}

# A process may start another one while it is told to end, so KILL is repeated.
end_processes() {
  signal_processes TERM
  wait_for_processes 15 && return
  for again in 1 2 3 4 5; do
    signal_processes KILL
    wait_for_processes 5 && return
  done
}

# Byte by byte, since a whole block would come late.
keep_output() {
  dd bs=1 count="$kept" >&3 2>/dev/null
  rest=$(wc -c)
  [ "$rest" -eq 0 ] || { echo >&3 && report "{\"is\":\"rest\",\"bytes\":$((rest))}"; }
}

# In hundredths of a second since the boot.
read_clock() {
  read -r clock idle </proc/uptime
  clock=${clock%.*}${clock#*.}
}

# Sends ALRM to process $2 at second $1 since the boot. The command may end a `sleep` of ours, so the clock decides.
watch='while read -r now idle </proc/uptime && [ "${now%.*}" -lt "$1" ]; do sleep $(($1 - ${now%.*})); done
kill -s ALRM "$2"'

# Runs its arguments in a session of their own, without our descriptors, and reports how they ended.
run_command() {
  pipe=${0%/*}/pipe
  if ! command -v setsid >/dev/null || ! read_session $$ || ! mkfifo "$pipe"; then
    report '{"is":"unable"}'
    return 96
  fi
  own_session=$session
  read_clock
  started=$clock
  # A process that nobody finds may keep the pipe open: it must not keep the lock of the site too.
  (trap '' HUP TERM && keep_output) <"$pipe" 9>&- &
  reader=$!
  trap 'why=${why:-stopped} && end_processes' HUP TERM
  trap 'why=${why:-late} && end_processes' ALRM
  (exec 9>&- && exec setsid $slow "$@" >"$pipe" 2>&1 3>&-) </dev/null &
  leader=$!
  (exec setsid sh -c "$watch" - "$(((started + 99) / 100 + seconds))" $$ 3>&- 9>&-) </dev/null >/dev/null 2>&1 &
  dog=$!
  # A signal interrupts the wait before the command has ended.
  until wait "$leader"; code=$?; ! read_session "$leader"; do :; done
  trap '' ALRM
  # It may not have reached its own group yet. Once it is dead it starts no other process.
  kill -s KILL "$dog" 2>/dev/null
  kill -s KILL -- "-$dog" 2>/dev/null
  wait "$dog" 2>/dev/null
  # What the command left in the background ends with it: it would work on the site beside other jobs.
  [ -z "$(list_processes)" ] || end_processes
  tries=25
  while read_session "$reader" && [ "$tries" -gt 0 ]; do
    tries=$((tries - 1))
    sleep 0.2 2>/dev/null || sleep 1
  done
  read_clock
  echo >&3
  set -- $(list_processes)
  report "{\"is\":\"end\",\"code\":$code,\"why\":\"$why\",\"ms\":$(((clock - started) * 10)),\"left\":$#}"
  [ "$why" != stopped ]
}

run_php() { run_command "$@" /bin/sh -c "$program" - "$kind" "$php" "$command"; }
run_by_su() {
  run_command $clean "program=$program" "kind=$kind" "php=$php" "command=$command" "clean=$clean" su -s /bin/sh "$name" \
    -c 'exec $clean /bin/sh -c "$program" - "$kind" "$php" "$command"'
}

run_in_site
