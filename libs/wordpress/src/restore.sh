# Restores a site. Exit codes of PHP: 10 the new state must prove that it starts, 11 failed and reported.
part() {
  program
  exec 5<<GIVEN 6>/dev/null
$word
$1
-
0 0 - 0
$order
GIVEN
  (umask "$mask" && go_in_site)
  code=$?
}

# A stop request ends PHP; this script then restores the state before.
trap : HUP INT TERM
part restore
case $code in
10)
  trap '' HUP INT TERM
  # Visitors wait now, and nobody may stop it any more.
  whole=$limit
  [ -z "$limit" ] || limit='timeout -k 5 300'
  part start
  limit=$whole
  if [ "$code" -eq 0 ]; then
    part keep
  else
    part back
    # The start refreshes WordPress's caches for the old files and tables.
    if [ "$code" -eq 0 ]; then [ -z "$limit" ] || limit='timeout -k 5 60' && part start; fi
    code=11
  fi
  ;;
*)
  first=$code
  trap '' HUP INT TERM
  part back
  [ "$code" -eq 0 ] || tell "{\"is\":\"stuck\",\"code\":\"died\",\"words\":\"$code\"}"
  code=$first
  ;;
esac
tell "{\"is\":\"over\",\"code\":$code}"
exit "$code"
