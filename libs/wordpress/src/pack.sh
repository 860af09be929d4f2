# PHP says here what it is about to write, since it may be ended before it can take that back. Whoever says it is not
# trusted: it is this operation's own, by its name, or it stays.
note=${0%/*}/part
clean() {
  read -r part <"$note" && case $part in */".vigie-${VIGIE_OPERATION:?}.part") rm -f -- "$part" ;; esac
  rm -f "$note"
}
trap clean EXIT
trap 'exit 143' HUP INT TERM

program
exec 5<<GIVEN 6>"$note"
$word
pack
-
0 0 - 0
$order
GIVEN
(umask "$mask" && go_in_site)
code=$?
case $code in
0 | 11) ;;
*) tell "{\"is\":\"over\",\"code\":$code}" ;;
esac
exit "$code"
