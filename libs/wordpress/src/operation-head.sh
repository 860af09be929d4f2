# What all operations have in common. They take their lines, by these names, from standard input: nothing of them is in a
# command line.
take_lines() {
  mask=$(umask)
  umask 077
  for one; do
    IFS= read -r "$one" || exit 95
  done

  # Whatever the site prints, only lines with this word are ours.
  word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  [ "${#word}" -eq 32 ] || exit 95
  echo "vigie 1 $word" >&3
}

tell() { echo "$word $1" >&3; }
say() { tell "{\"is\":\"as\",\"as\":\"$1\"}"; }
