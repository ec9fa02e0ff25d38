#!/bin/sh
# Prints the guide for coding agents, of the version of Espalier that the module requires.
set -eu
dir=$(go list -m -f '{{.Dir}}' github.com/espalier-go/espalier)
if [ -z "$dir" ]; then
	echo 'guide.sh: run go mod download github.com/espalier-go/espalier' >&2
	exit 1
fi
cat "$dir/docs/llms.txt"
