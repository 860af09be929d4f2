# Seconds since the host started.
cut -d' ' -f1 /proc/uptime
