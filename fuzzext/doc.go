// Package fuzzext runs properties of valid values under Go's own fuzzer.
//
// Go's fuzzer mutates bytes; most code worth testing wants trees, programs or
// configurations. [Valid] turns a generator and a property into a fuzz target:
//
//	func FuzzInsert(f *testing.F) {
//		f.Fuzz(fuzzext.Valid(genBST, func(t *fuzzext.T, tree *Tree) {
//			if !tree.Insert(3).Find(3) {
//				t.Error("3 is lost")
//			}
//		}))
//	}
//
// Nothing else is needed: stock `go test` runs it on the corpus, stock `go test
// -fuzz` explores. Any bytes decode to a value that the generator makes, so no
// input is skipped. When the property fails, the value is minimised at once, in
// the same execution, and printed as a Go literal with the command that runs it
// again.
//
// [Add] puts values that are known to be interesting into the seed corpus. The
// command corpusgen fills testdata/fuzz with more.
package fuzzext
