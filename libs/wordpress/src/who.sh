printf '%s' "$(id -un 2>/dev/null || id -u)"
