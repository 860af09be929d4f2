# Restores a site. PHP says how it went on: 10 where it stands and has to show that it starts, 11 where it said why not.
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

# Whoever wants it to stop stops PHP; what it leaves is brought to an end here.
trap : HUP INT TERM
part restore
case $code in
10)
  trap '' HUP INT TERM
  # Visitors wait for it, and nobody may stop it any more.
  whole=$limit
  [ -z "$limit" ] || limit='timeout -k 5 300'
  part start
  limit=$whole
  if [ "$code" -eq 0 ]; then
    part keep
  else
    part back
    # What starts keeps what it knows where files and tables are not.
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
