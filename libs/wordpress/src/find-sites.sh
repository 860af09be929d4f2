# Prints WordPress folders, one per line, and errors about folders that could not be read. $1: seconds per folder; other
# arguments: folders to search before the usual ones.
seconds=$1
shift
limit=
if timeout -k 2 1 true >/dev/null 2>&1; then limit="timeout -k 2 $seconds"; fi
nl='
'

search_in() {
  case $1 in / | -* | [!/]* | *"$nl"*) return ;; esac
  [ -d "$1" ] || return
  # The slash makes find enter a folder that is a link.
  $limit find "$1/" -xdev -maxdepth 7 \
    \( -type d \( -name wp-content -o -name wp-admin -o -name wp-includes -o -name node_modules -o -name .git \
    -o -name vendor -o -name proc -o -path "*$nl*" \) -prune \) \
    -o \( -name wp-load.php -o \( -type l -name current \) \) ! -path "*$nl*" -print 2>&1
  case $? in 124 | 137 | 143) echo "late $1" ;; esac
}

# Document roots of the web servers' configurations.
document_roots() {
  cat /etc/nginx/nginx.conf /etc/nginx/sites-enabled/* /etc/nginx/conf.d/*.conf /etc/apache2/sites-enabled/* \
    /etc/httpd/conf/httpd.conf /etc/httpd/conf.d/*.conf 2>/dev/null | head -c 1000000 |
    awk '$1 == "root" || $1 == "DocumentRoot" { gsub(/[";]/, "", $2); print $2 }' | sort -u | head -n 200
}

{
  for root in "$@" /var/www /srv /home /usr/share/nginx /opt /usr/local/www /www "${HOME:-/}"; do search_in "$root"; done
  document_roots | while IFS= read -r root; do
    case $root/ in
      /var/www/* | /srv/* | /home/* | /usr/share/nginx/* | /opt/* | /usr/local/www/* | /www/*) ;;
      *) search_in "$root" ;;
    esac
  done
} | head -n 6000
