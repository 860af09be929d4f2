# Restores a site. Exit codes of PHP: 10 the new state must prove that it starts, 11 failed and reported.
run_step() {
  program
  exec 5<<INPUT 6>/dev/null
$word
$1
-
0 0 - 0
$order
INPUT
  (umask "$mask" && run_in_site)
  code=$?
}

# A stop request ends PHP; this script then restores the state before.
trap : HUP INT TERM
run_step restore
case $code in
10)
  trap '' HUP INT TERM
  # Visitors wait now, and nobody may stop it any more.
  usual_limit=$limit
  [ -z "$limit" ] || limit='timeout -k 5 300'
  run_step start
  limit=$usual_limit
  if [ "$code" -eq 0 ]; then
    run_step keep
  else
    run_step back
    # The start refreshes WordPress's caches for the old files and tables.
    if [ "$code" -eq 0 ]; then [ -z "$limit" ] || limit='timeout -k 5 60' && run_step start; fi
    code=11
  fi
  ;;
*)
  restore_code=$code
  trap '' HUP INT TERM
  run_step back
  [ "$code" -eq 0 ] || report "{\"is\":\"stuck\",\"code\":\"died\",\"words\":\"$code\"}"
  code=$restore_code
  ;;
esac
report "{\"is\":\"over\",\"code\":$code}"
exit "$code"
