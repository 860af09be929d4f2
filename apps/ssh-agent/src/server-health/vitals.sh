# How a host is, in one round trip: a word, a tab, what was found. BusyBox can do all of it.
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
# Local file systems only, where df knows them: a network that is gone would hold it up.
{ df -Pkl 2>/dev/null || df -Pk 2>/dev/null; } | while IFS= read -r line; do say disk "$line"; done
