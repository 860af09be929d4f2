# Packs a site. What it is given comes on standard input: nothing of it is in a command line.
mask=$(umask)
umask 077
for one in php site seconds order; do
  IFS= read -r "$one" || exit 95
done

# Whatever the site prints, only lines with this word are ours.
word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
[ "${#word}" -eq 32 ] || exit 95
echo "vigie 1 $word" >&3

tell() { echo "$word $1" >&3; }
say() { tell "{\"is\":\"as\",\"as\":\"$1\"}"; }
