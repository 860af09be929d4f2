# Asks four questions about a site. $1: boot.php, $2: the site.
for question in core-version core-update plugins themes; do
  php -d display_errors=0 "$1" "$2" "$question" >/dev/null || exit 1
done
echo "ok $2"
