# For an operation that reported its end but was killed before it tidied up.
rm -f "$package" "$own.lock"
name_copy "$own"
rmdir "$item_folder" "$copies/$site_id" 2>/dev/null
:
