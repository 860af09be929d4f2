# Writes one line to a log when it begins and one when it ends, so that its effects can be counted afterwards.
IFS= read -r kind && IFS= read -r id && IFS= read -r site && IFS= read -r log && IFS= read -r amount || exit 90

note() { echo "$1 $id $site" >>"$log"; }
trap 'rm -f "$site/.$id.part"; note stopped; exit 143' TERM HUP

note begin
for step in 1 2 3 4; do
  echo "$step 4" >&3
  sleep "$amount"
done
case $kind in
  append) echo "$id" >>"$site/lines" ;;
  write)
    head -c 3000000 /dev/urandom >"$site/.$id.part" && sum=$(sha256sum <"$site/.$id.part") &&
      mv "$site/.$id.part" "$site/$id" && echo "${sum%% *}" || exit 91
    ;;
  fail)
    note failed
    exit 3
    ;;
esac
note end
