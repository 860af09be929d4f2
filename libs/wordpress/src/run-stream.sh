# Runs a PHP program that streams bytes: its output is the stream, and standard input is on descriptor 7.
exec 7<&0 3<<INPUT
$input
INPUT

report_rights() { case $1 in owner | login) ;; *) printf 'as %s\n' "$1" >&2 ;; esac; }

run_in_site
