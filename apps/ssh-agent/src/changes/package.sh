# Makes room for an archive that comes, or gives it its name once it is whole, or removes it.
# $1: what of these, $2: the archive, $3: the part that it comes as, $4: its bytes, $5: its SHA-256.
folder=${2%/*}

digest() {
  if command -v sha256sum; then set -- sha256sum
  elif command -v shasum; then set -- shasum -a 256
  elif command -v openssl; then set -- openssl dgst -sha256
  elif command -v busybox; then set -- busybox sha256sum
  else return 1; fi >/dev/null 2>&1
  "$@" <"$part"
}

umask 077
part=$3
case $1 in
remove)
  rm -f "$2" "$folder"/."${2##*/}".*
  rmdir "$folder" 2>/dev/null || :
  ;;
begin)
  mkdir -p "$folder" && rm -f "$2" "$folder"/."${2##*/}".* || exit 74
  # Of jobs that never came back for theirs.
  find "$folder" -type f -mtime +0 -exec rm -f {} + 2>/dev/null
  set -- "$4" $(df -Pk "$folder" 2>/dev/null | sed -n '$s/.* \([0-9][0-9]*\)  *[0-9][0-9]*% .*/\1/p')
  [ -z "${2:-}" ] || [ "$(($1 / 1024 + 1024))" -lt "$2" ] || { echo full && exit; }
  echo room
  ;;
end)
  [ "$(($(wc -c <"$part")))" -eq "$4" ] || { echo cut && exit; }
  if got=$(digest); then case $got in *"$5"*) ;; *) echo cut && exit ;; esac fi
  mv "$part" "$2" && echo whole
  ;;
esac
