# Runs such a program to move bytes: all that it prints is theirs, and what comes on standard input is on descriptor 7.
exec 7<&0 3<<GIVEN
$given
GIVEN

say() { case $1 in owner | login) ;; *) printf 'as %s\n' "$1" >&2 ;; esac; }

go_in_site
