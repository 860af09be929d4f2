# Brings a restore that was ended to an end: as the site was, or as it was to be where that was certain already.
program
exec 5<<GIVEN 6>/dev/null
$word
back
-
0 0 - 0
$order
GIVEN
trap '' HUP INT TERM
(umask "$mask" && go_in_site)
code=$?
tell "{\"is\":\"over\",\"code\":$code}"
exit "$code"
