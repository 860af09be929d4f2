# Runs a command with the Debian of the folder $0 prepared for chroot. The shared folder is at /mnt there, and later mounts
# in /tmp are visible there too. All mounts are in the namespace of this command and disappear with it.
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
