# Runs a PHP program from descriptor 4 as the site's owner. $1: the PHP, $2: input in base64, $3: seconds, $4: the site,
# or empty.

# The input is neither in the command line nor in a file.
exec 3<<INPUT
$input
INPUT

report_rights() { printf 'as\t%s\n' "$1"; }

if [ -z "$site" ]; then run_php; else run_in_site; fi
