# Finishes an interrupted restore: the site as it was before, or as restored if that was already certain.
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
