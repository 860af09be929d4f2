# Prints whether the known PHP is still there, and the home folder of the login.
[ -x "$1" ] && echo php || echo none
printf '%s\n' "$HOME"
