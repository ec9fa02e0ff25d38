// Package fuzzext runs properties of valid values, under Go's own fuzzer or as plain tests.
//
// Go's fuzzer mutates bytes, but most code worth testing takes trees, programs or
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
// Nothing else is needed: go test runs the target on its corpus, go test -fuzz explores. Any
// bytes decode to a value that the generator makes, so no input is skipped. When the property
// fails, the value is minimized at once. The report shows it as a Go literal, with the command
// that runs it again and a line of Go that makes it a seed.
//
// [Add] puts interesting values into the seed corpus. [Fuzz] calls f.Fuzz itself, and adds
// seeds that differ. The command corpusgen seed adds more to testdata/fuzz; corpusgen fuzz
// runs the same targets on an engine that finds more.
//
// [Check] runs the same kind of property on random values in an ordinary test:
//
//	func TestInsert(t *testing.T) {
//		fuzzext.Check(t, genBST, func(t *fuzzext.T, tree *Tree) { ... })
//	}
//
// It takes about a second at most, unless the property is slow or a flag asks for more. So
// use Check in every go test, and the fuzzer for the bugs that take longer.
//
// [T.Label] counts values of a kind, and the option [Require] demands that a share of them is.
//
// [Sequence] tests what has state, by sequences of calls against a model of package callseq, in
// a test or a fuzz target.
//
// A property may call [T.Assume] to say which values are valid. If few are, Check and Fuzz are
// guided: they learn which choices of the generator lead to valid values that differ.
//
// # Flags
//
// Test binaries that use this package have the flags
//
//	-fuzzext.checks n         run each Check on n valid values
//	-fuzzext.seed n           make the random values of each Check from the seed n
//	-fuzzext.time d           run each Check for the duration d
//	-fuzzext.keepgoing        continue after a failure, report each class of failures once
//	-fuzzext.print            print each value before the run on it
//	-fuzzext.savepolicy file  save what a guided Check has learned, for WithPolicy
//
// # Runs that never return
//
// A property that does not return is reported, with its value and its stack, shortly before
// the engine, or the time limit of go test, ends the process. A fuzzing process and Check also
// save the value, without minimizing it.
//
// A property that ends the process, by os.Exit or an error of the runtime such as concurrent
// map writes, leaves the file that the engine saves. To see its value, run it with
// go test -run FuzzInsert/FILE -fuzzext.print: the last value printed is the one. Check
// prints its values likewise.
package fuzzext
