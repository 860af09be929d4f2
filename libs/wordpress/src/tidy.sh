# The order is that of an operation that said how it ended, and was ended before it had tidied up.
mine=$place/$operation
rm -f "$package" "$mine.lock"
keep "$mine"
rmdir "$place" "$asides/$site_id" 2>/dev/null
:
