#!/bin/sh -eu
# Written by corpusgen oss-fuzz coverage.
# Runs {{.Target}} of {{.Package}} on the inputs in FUZZ_CORPUS_DIR.
#
# The coverage tool of OSS-Fuzz calls it with -test.coverprofile FILE, in an image that has the
# sources below this directory. It looks for the name FUZZ_CORPUS_DIR in this file; other tools
# look for LLVMFuzzerTestOneInput.

out=$(cd "$(dirname "$0")" && pwd)
rm -rf {{quote .Corpus}}
"$out/coverage/corpusgen" oss-fuzz entries -types {{quote .Types}} -o {{quote .Corpus}} "$FUZZ_CORPUS_DIR"
if [ -n "${FUZZ_PROFILE_NAME:-}" ]; then
	set -- "$@" -test.cpuprofile "$FUZZ_PROFILE_NAME.cpu.prof" -test.memprofile "$FUZZ_PROFILE_NAME.heap.prof"
fi
cd "$out"{{quote .Dir}} 2>/dev/null || cd {{quote .Dir}} 2>/dev/null || cd "$out"
exec "$out/coverage/"{{quote .Binary}} -test.run {{printf "^%s$" .Target | quote}} "$@"
