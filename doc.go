// Package espalier has no code of its own. Espalier makes Go's fuzzer
// structure-aware; its packages are
//
//   - [github.com/espalier-go/espalier/bigen]: generators that run both ways; begin here
//   - [github.com/espalier-go/espalier/fuzzext]: fuzz targets of valid values
//   - [github.com/espalier-go/espalier/choices]: choice trees, sources, the byte format
//   - [github.com/espalier-go/espalier/mutate]: edits of choice trees, and the minimiser
//
// and the command [github.com/espalier-go/espalier/cmd/corpusgen].
package espalier
