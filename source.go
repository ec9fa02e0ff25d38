package espalier

import "embed"

// Sources are the files of the packages that tests import. Corpusgen compiles them into tests of
// modules that do not require this one.
//
//go:embed bigen choices fuzzext internal mutate rl
var Sources embed.FS
