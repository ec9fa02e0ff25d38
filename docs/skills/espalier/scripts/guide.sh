#!/bin/sh
# Prints the guide for coding agents, of the version of Espalier that the module requires.
set -eu
module=github.com/espalier-go/espalier
if ! go list -m "$module" >/dev/null; then
	echo "guide.sh: in a module, add it first: go get -tool $module/cmd/corpusgen" >&2
	exit 1
fi
go mod download "$module"
cat "$(go list -mod=readonly -m -f '{{.Dir}}' "$module")/docs/llms.txt"
