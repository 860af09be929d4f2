# Folders in which WordPress lies, one a line; a line that begins otherwise says what could not be looked into.
# $1: seconds that each folder may take; what follows: folders to look in besides.
seconds=$1
shift
limit=
if timeout -k 2 1 true >/dev/null 2>&1; then limit="timeout -k 2 $seconds"; fi
nl='
'

look_in() {
  case $1 in / | -* | [!/]* | *"$nl"*) return ;; esac
  [ -d "$1" ] || return
  # The slash: a folder that is a link is one to look into too.
  $limit find "$1/" -xdev -maxdepth 7 \
    \( -type d \( -name wp-content -o -name wp-admin -o -name wp-includes -o -name node_modules -o -name .git \
    -o -name vendor -o -name proc -o -path "*$nl*" \) -prune \) \
    -o \( -name wp-load.php -o \( -type l -name current \) \) ! -path "*$nl*" -print 2>&1
  case $? in 124 | 137 | 143) echo "late $1" ;; esac
}

# What web servers are told to serve.
served() {
  cat /etc/nginx/nginx.conf /etc/nginx/sites-enabled/* /etc/nginx/conf.d/*.conf /etc/apache2/sites-enabled/* \
    /etc/httpd/conf/httpd.conf /etc/httpd/conf.d/*.conf 2>/dev/null | head -c 1000000 |
    awk '$1 == "root" || $1 == "DocumentRoot" { gsub(/[";]/, "", $2); print $2 }' | sort -u | head -n 200
}

{
  for root in /var/www /srv /home /usr/share/nginx /opt /usr/local/www /www "${HOME:-/}" "$@"; do look_in "$root"; done
  served | while IFS= read -r root; do
    case $root/ in
      /var/www/* | /srv/* | /home/* | /usr/share/nginx/* | /opt/* | /usr/local/www/* | /www/*) ;;
      *) look_in "$root" ;;
    esac
  done
} | head -n 6000
