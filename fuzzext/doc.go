// Package fuzzext runs properties of valid values, under Go's own fuzzer or as plain
// tests.
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
// input is skipped. When the property fails, the value is minimized at once, in
// the same execution, and printed as a Go literal with the command that runs it
// again, and a line of Go that makes it a seed for good.
//
// [Add] puts values that are known to be interesting into the seed corpus; [Fuzz],
// which calls f.Fuzz itself, adds a few that differ. The command corpusgen seed fills
// testdata/fuzz with more, and corpusgen fuzz runs the same targets on an engine that
// finds more: see its help.
//
// [Check] runs the same kind of property on random values in an ordinary test:
//
//	func TestInsert(t *testing.T) {
//		fuzzext.Check(t, genBST, func(t *fuzzext.T, tree *Tree) { ... })
//	}
//
// A property may call [T.Assume] to say which values are valid. Then Check is guided: it
// learns which choices of the generator lead to valid values that differ. It takes about
// a second at most, unless the property is slow or a flag asks for more, and so is for
// every go test; the fuzzer is for the bugs that take longer. What has failed once is
// kept in testdata/fuzzext and runs first.
//
// # Flags
//
// Test binaries that use this package have the flags
//
//	-fuzzext.checks n  run each Check on n valid values
//	-fuzzext.seed n    make the values of each Check from n: the same each time
//	-fuzzext.time d    run each Check for a time d
//	-fuzzext.print     print each value before the property runs on it
//	-fuzzext.savepolicy file
//	                   save what a Check has learned, for WithPolicy
//
// # Runs that do not come back
//
// A property that does not return is reported, with its value and its stack, shortly
// before the engine, or the time limit of go test, ends the process; while
// fuzzing and by Check the value is also saved, as it is. A property that ends the
// process, by os.Exit or an error of the runtime such as concurrent writes of a map,
// leaves the file that the engine saves; go test -run FuzzInsert/FILE -fuzzext.print
// prints its value and the variants before it runs them, so the last is the one. Check
// prints its values likewise.
package fuzzext
