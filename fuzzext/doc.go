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
// You need nothing else: go test runs the target on its corpus, go test -fuzz explores. Any
// bytes decode to a value that the generator makes, so the fuzzer skips no input. If the
// property fails, the target minimizes the value at once. The report shows it as a Go literal,
// with the command that runs it again and a line of Go that makes it a seed.
//
// [Add] puts interesting values into the seed corpus. [Fuzz] calls f.Fuzz itself, and adds
// seeds that differ. The command corpusgen seed adds more to testdata/fuzz. corpusgen fuzz
// runs the same targets on an engine that finds more.
//
// [Check] runs the same kind of property on random values in an ordinary test:
//
//	func TestInsert(t *testing.T) {
//		fuzzext.Check(t, genBST, func(t *fuzzext.T, tree *Tree) { ... })
//	}
//
// Unless the property is slow or a flag asks for more, it takes at most about a second. So use
// Check in every go test, and the fuzzer for bugs that take longer.
//
// [Equal] compares two values, as after a round trip, and shows where they differ.
//
// [Values] makes values for a benchmark.
//
// [T.Label] counts values of a kind. The option [Require] fails a Check if too few values are
// of that kind.
//
// [Sequence] tests state, by sequences of calls against a model of package callseq, in a test
// or a fuzz target.
//
// A property may call [T.Assume] to say which values are valid. If few are, a guide takes part
// in Check and Fuzz. It learns which choices of the generator lead to valid values that
// differ.
//
// # Flags
//
// Test binaries that use this package have the flags
//
//	-fuzzext.checks n         run each Check on n valid values
//	-fuzzext.seed n           make the random values of each Check from the seed n
//	-fuzzext.time d           run each Check for the duration d
//	-fuzzext.timeout d        fail a run that takes more than d of CPU time, in targets, too
//	-fuzzext.keepgoing        continue after a failure, report each class of failures once
//	-fuzzext.print            print each value before it runs
//	-fuzzext.observe file     append each value and what becomes of it, as JSON
//	-fuzzext.savepolicy file  save what a guided Check has learned, for WithPolicy
//
// # Runs that never return
//
// If a run does not return, its value and its stack are reported shortly before the engine, or
// the time limit of go test, ends the process. A fuzzing process and Check also save the
// value, without minimizing it.
//
// If a run ends the process, by os.Exit or an error of the runtime such as concurrent map
// writes, the engine saves a file. To see its value, run go test -run FuzzInsert/FILE
// -fuzzext.print. The last value printed is the culprit. Check prints its values likewise.
//
// # Inside
//
// This is for those who change the package. Each call of an exported function becomes a spec. Its
// owner begins a trial for each execution: a call of the fuzz function, a Check, or an order of
// corpusgen. The trial owns all runs of the property until it ends.
//
//	Valid, Fuzz    corpusgen fuzz    Check, Sequence    corpusgen seed, mutate, ...
//	     |               |                  |                   |
//	fuzzTarget      exploration           check              ordered
//	     |               |                  |                   |
//	     +---------------+--------+---------+-------------------+
//	                              |
//	                            trial        spec: generator, property, options
//	                              |          home: where failures are saved
//	                              |          shared: what its runs share
//	                            loop         makes a value, runs the property, again
//	                              |
//	                              T          one run: its log, its labels, its failure
//	                              |
//	                        minimization     runs simpler values in the same trial
//	                              |
//	                           failure       the report, and the file with the value
package fuzzext
