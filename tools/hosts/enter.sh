# Runs a command where the Debian of the folder $0 can be entered: what is shared with it lies at /mnt there, and what is
# mounted in a temporary folder meanwhile is seen there too. All mounts are this command's own, and end with it.
set -e
shared=$1
shift
mount --make-rshared /
mount --bind "$0" "$0"
mount --make-private "$0"
for place in /proc /sys /dev /tmp; do mount --rbind "$place" "$0$place"; done
mount -t tmpfs none "$0/run"
mount --bind "$shared" "$0/mnt"
mount -o remount,bind,ro "$0"
exec "$@"
