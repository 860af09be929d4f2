# Finishes an interrupted restore: the site as it was before, or as restored if that was already certain.
program
exec 5<<INPUT 6>/dev/null
$word
back
-
0 0 - 0
$order
INPUT
trap '' HUP INT TERM
(umask "$mask" && run_in_site)
code=$?
report "{\"is\":\"over\",\"code\":$code}"
exit "$code"
