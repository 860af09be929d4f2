# For an operation that reported its end but was killed before it tidied up.
mine=$place/$operation
rm -f "$package" "$mine.lock"
keep "$mine"
rmdir "$place" "$asides/$site_id" 2>/dev/null
:
