# Says where its login lives, and whether the PHP that is known is still there.
[ -x "$1" ] && echo php || echo none
printf '%s\n' "$HOME"
