#!/bin/bash -eu
# Builds all fuzz targets in their source directory, one binary for each.
#
# OSS-Fuzz and ClusterFuzzLite run this script in their image and say by its environment where
# and how to build. It needs no network.

# The checkout may belong to another user, which git refuses to tell of.
export GOFLAGS="${GOFLAGS:-} -buildvcs=false"

if [ "$SANITIZER" = coverage ]; then
  go tool corpusgen oss-fuzz coverage -o "$OUT" {{.Args}}
  exit
fi

mkdir -p "$WORK/fuzz"
go tool corpusgen libfuzzer -archive -cc "${CC:-clang}" -o "$WORK/fuzz/" {{.Args}}
for archive in "$WORK"/fuzz/*.a; do
  # The flags of cgo packages. These variables, too, hold several words each.
  flags=$(sed '/^#/d' "${archive%.a}.ldflags")
  # shellcheck disable=SC2086
  $CXX $CXXFLAGS "$archive" $LIB_FUZZING_ENGINE $flags -o "$OUT/$(basename "$archive" .a)"
done
find "$WORK/fuzz" -type f ! -name '*.a' ! -name '*.ldflags' -exec cp {} "$OUT/" \;
