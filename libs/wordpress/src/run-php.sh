# Runs a program in PHP that comes on descriptor 4, as whoever owns the site where its code is going to run.
# $1: the PHP, $2: what it is given, $3: seconds it may take, $4: a site whose code it runs, or nothing.

# What is given is not in the command line, and not in a file.
exec 3<<GIVEN
$given
GIVEN

say() { printf 'as\t%s\n' "$1"; }

if [ -z "$site" ]; then go; else go_in_site; fi
