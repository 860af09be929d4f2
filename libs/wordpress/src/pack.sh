# PHP notes here the file that it is about to write, since it may be killed before it can delete it. The note is not
# trusted: only a file with this operation's name is deleted.
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
