# Prints the vitals of a host in one round trip, as lines of a word, a tab and a value. It runs on BusyBox.
say() { printf '%s\t%s\n' "$1" "$2"; }
say time "$(date +%s 2>/dev/null)"
say uptime "$(cut -d' ' -f1 /proc/uptime 2>/dev/null)"
say load "$(cat /proc/loadavg 2>/dev/null)"
say cores "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || grep -c '^processor' /proc/cpuinfo 2>/dev/null)"
grep -E '^(MemTotal|MemFree|MemAvailable|Buffers|Cached):' /proc/meminfo 2>/dev/null | while read -r name kib rest; do
  say "${name%:}" "$kib"
done
set -- /proc/[0-9]*
say procs "$#"
# Only local file systems, where df can tell: a network file system that is away would block it.
{ df -Pkl 2>/dev/null || df -Pk 2>/dev/null; } | while IFS= read -r line; do say disk "$line"; done
