# Requests an address once, as a visitor does: follows no redirect, keeps no page and trusts no invalid certificate.
# Prints the code and the seconds of the answer, or a word for why there is none. $1: the address, $2: the user agent.
# A PHP program that does the same is on descriptor 4.

# Refuses the page at its first byte, so that an endless one costs nothing.
page=/dev/full
[ -c "$page" ] || page=/dev/null
limit='timeout -k 1 10'
$limit true >/dev/null 2>&1 || limit=

# The time since the start of the machine in hundredths of a second; a 1 before the fraction keeps it from being octal.
now() {
  IFS=' .' read -r whole part rest </proc/uptime || return
  echo $((whole * 100 + 1$part - 100))
}

# -q: not by the settings of this account. -g: the address is no pattern.
by_curl() {
  answer=$(curl -q -s -g -N -o "$page" -m 10 --proto '=http,https' --noproxy '*' -A "$2" \
    -w '%{http_code} %{time_starttransfer}' -- "$1" 2>/dev/null)
  ended=$?
  # curl knows the code before the other headers have come; 23 is the refused page.
  case "$ended $answer" in "0 "[1-9]* | "23 "[1-9]*) echo "$answer" && return ;; esac
  case $ended in
  1) echo protocol ;;
  2 | 3 | 4 | 27 | 77 | 126 | 127) echo unable ;;
  6) echo unresolved ;;
  7) echo unreachable ;;
  28) echo late ;;
  35) echo encryption ;;
  51 | 60 | 83 | 90 | 91) echo certificate ;;
  *) echo failed ;;
  esac
}

# A home that does not exist has no settings, and keeps no list of names that want HTTPS.
by_wget() {
  start=$(now 2>/dev/null)
  output=$(HOME=/nonexistent $limit wget -nv -S -O "$page" -t 1 -T 10 --max-redirect=0 --no-proxy --check-certificate \
    -U "$2" -- "$1" 2>&1)
  ended=$?
  end=$(now 2>/dev/null)
  code=$(printf '%s\n' "$output" | sed -n '/^ *HTTP\/[0-9.]* [1-9][0-9][0-9]/{s/^ *HTTP[^ ]* \(...\).*/\1/p;q;}')
  took=$((${end:-0} - ${start:-0}))
  if [ -n "$code" ]; then
    echo "$code $((took / 100)).$((took / 10 % 10))$((took % 10))"
    return
  fi
  case $ended in 124 | 137 | 143) echo late && return ;; 5) echo certificate && return ;; 126 | 127) echo unable && return ;; esac
  case $output in
  *'unable to resolve'*) echo unresolved ;;
  *'timed out'*) echo late ;;
  *'failed: '*) echo unreachable ;;
  *'SSL connection'*) echo encryption ;;
  *) echo failed ;;
  esac
}

by_php() {
  $limit php -q -d display_errors=0 -d log_errors=0 -d html_errors=0 -d allow_url_fopen=1 -d auto_prepend_file= \
    -d auto_append_file= -- "$1" "$2" <&4
  case $? in 0) ;; 124 | 137 | 143) echo late ;; *) echo unable ;; esac
}

# The wget of BusyBox verifies no certificate.
if command -v curl >/dev/null 2>&1; then by_curl "$1" "$2"
elif wget --version 2>/dev/null | grep '^GNU Wget 1' >/dev/null; then by_wget "$1" "$2"
elif command -v php >/dev/null 2>&1; then by_php "$1" "$2"
else echo no-tool; fi
