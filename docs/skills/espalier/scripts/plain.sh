#!/bin/sh
# Runs a test alone, three times, and says whether it fails each time.
# usage: plain.sh PACKAGE TEST
set -eu
if [ $# -ne 2 ]; then
	echo 'usage: plain.sh PACKAGE TEST' >&2
	exit 2
fi
failed=0
for run in 1 2 3; do
	if out=$(go test -count=1 -run "^$2\$" "$1" 2>&1); then
		case $out in *'no tests to run'*)
			echo "plain.sh: $1 has no test $2" >&2
			exit 2
			;;
		esac
	else
		case $out in *'[build failed]'* | *'[setup failed]'*)
			printf '%s\n' "$out" >&2
			exit 2
			;;
		esac
		failed=$((failed + 1))
	fi
done
printf '%s\n' "$out"
echo "$2 fails in $failed of 3 runs"
[ "$failed" -eq 3 ]
