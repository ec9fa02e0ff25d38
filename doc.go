// Package espalier has no code of its own, but [Sources]. Espalier makes Go's native fuzzer
// structure-aware. Its packages are
//
//   - [github.com/espalier-go/espalier/bigen]: generators that run in both directions; start here
//   - [github.com/espalier-go/espalier/bigen/bigentest]: tests for generators
//   - [github.com/espalier-go/espalier/bigen/bigenio]: generators of file trees, readers, archives
//   - [github.com/espalier-go/espalier/bigen/bigenpb]: generators of protobuf messages
//   - [github.com/espalier-go/espalier/bigen/draw]: properties that draw their values while they
//     run
//   - [github.com/espalier-go/espalier/bigen/jsonschema]: generators of the JSON that a schema
//     allows
//   - [github.com/espalier-go/espalier/bigen/syntax]: trees as texts, printed and parsed
//   - [github.com/espalier-go/espalier/bigen/callseq]: sequences of calls against a model
//   - [github.com/espalier-go/espalier/bigen/callseq/linear]: the same from several goroutines
//   - [github.com/espalier-go/espalier/bigen/callseq/api]: sequences of calls without a model
//   - [github.com/espalier-go/espalier/bigen/schedule]: the schedules of concurrent tests
//   - [github.com/espalier-go/espalier/bigen/schedule/point]: what corpusgen test compiles into
//     code
//   - [github.com/espalier-go/espalier/bigen/tune]: values that are as large as you say
//   - [github.com/espalier-go/espalier/bigen/tune/predict]: how large the values of a generator are
//   - [github.com/espalier-go/espalier/fuzzext]: fuzz targets and tests of valid values
//   - [github.com/espalier-go/espalier/fuzzext/headers]: targets and corpora of go-fuzz-headers
//   - [github.com/espalier-go/espalier/choices]: choice trees, sources, the byte format
//   - [github.com/espalier-go/espalier/choices/varied]: random values that are extreme in some
//     respect
//   - [github.com/espalier-go/espalier/choices/bias]: random values like examples, or unlike them
//   - [github.com/espalier-go/espalier/choices/enumerate]: all values, the smallest first
//   - [github.com/espalier-go/espalier/choices/combinations]: which combinations of choices a suite
//     has
//   - [github.com/espalier-go/espalier/mutate]: edits of choice trees, and the minimizer
//   - [github.com/espalier-go/espalier/rl]: guides that learn which choices lead to valid values
//
// and the command [github.com/espalier-go/espalier/cmd/corpusgen]. The directory docs
// has a guide in chapters.
package espalier
