# Prepares the folder for an archive, gives the archive its name once it is complete, or removes it.
# $1: which of these, $2: the archive, $3: its part file, $4: its size in bytes, $5: its SHA-256.
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
  # Removes archives of jobs that never came back.
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
