#!/bin/sh
# Prints the exported functions that tests reach least, with the share of their statements.
# usage: choose.sh [flag of go test ...] [package ...], by default ./...
set -eu
[ $# -gt 0 ] || set -- ./...
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT
go test -coverprofile="$profile" "$@" >&2 || echo 'choose.sh: tests fail; the figures are of the others' >&2
go tool cover -func="$profile" |
	awk '$2 ~ /^[A-Z]/ && $1 != "total:" && $3 != "100.0%" { sub("%", "", $3); print $3 "%\t" $2 "\t" $1 }' |
	sort -n | head -n 40
