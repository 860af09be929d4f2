# PHP notes here the file that it is about to write, since it may be killed before it can delete it. The note is not
# trusted: only a file with this operation's name is deleted.
note=${0%/*}/part
delete_part() {
  read -r part_file <"$note" && case $part_file in */".vigie-${VIGIE_OPERATION:?}.part") rm -f -- "$part_file" ;; esac
  rm -f "$note"
}
trap delete_part EXIT
trap 'exit 143' HUP INT TERM

program
exec 5<<INPUT 6>"$note"
$word
pack
-
0 0 - 0
$order
INPUT
(umask "$mask" && run_in_site)
code=$?
case $code in
0 | 11) ;;
*) report "{\"is\":\"over\",\"code\":$code}" ;;
esac
exit "$code"
