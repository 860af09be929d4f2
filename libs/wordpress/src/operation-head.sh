# Shared by all operations. Their parameters come on standard input, so that none appears in a command line.
take_lines() {
  mask=$(umask)
  umask 077
  for name; do
    IFS= read -r "$name" || exit 95
  done

  # Only lines with this word are ours, whatever the site prints.
  word=
  for bytes in $(od -An -N16 -tx1 /dev/urandom); do word=$word$bytes; done
  [ "${#word}" -eq 32 ] || exit 95
  echo "vigie 1 $word" >&3
}

report() { echo "$word $1" >&3; }
report_rights() { report "{\"is\":\"as\",\"as\":\"$1\"}"; }
