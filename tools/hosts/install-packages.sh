# Installs packages in the Debian of the folder $0 without starting their services. Its PHP first runs the file that the
# trial puts at /mnt/messages.php.
set -e
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
printf '#!/bin/sh\nexit 101\n' >"$0/usr/sbin/policy-rc.d"
chmod 755 "$0/usr/sbin/policy-rc.d"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 TMPDIR=/tmp
chroot "$0" apt-get -q update
chroot "$0" apt-get -q -y --no-install-recommends install "$@"
chroot "$0" apt-get clean
for folder in "$0"/etc/php/*/cli/conf.d; do
  echo 'auto_prepend_file = /mnt/messages.php' >"$folder/99-vigie.ini"
done
