// Package linear tests what several goroutines use at once, against a model of package
// callseq.
//
// The model is the function that [callseq.New] takes, unchanged. It describes what calls do
// one after the other:
//
//	var stackCalls = linear.New(func(c *callseq.C) {
//		stack, model := new(Stack), []int(nil)
//		c.Code("stack := new(Stack)")
//		c.Op("stack.Push", func() {
//			x := callseq.Arg(c, "x", bigen.IntRange(0, 9))
//			model = append(model, x)
//			c.Do(func() { stack.Push(x) })
//		})
//		c.Op("stack.Pop", func() { ... })
//	})
//
//	func TestStack(t *testing.T) { fuzzext.Sequence(t, stackCalls) }
//
// In a sequence, each call is of a thread, or runs alone. The calls of each thread run in a
// goroutine of their own. Each must seem to take effect at some moment between its beginning
// and its return: then there is an order of the calls in which the model wants what they have
// returned. If there is none, the run fails. So it does if a call panics, fails its test, or
// never returns.
//
// What follows from the order of calls is left to the model, so there are differences from a
// run of callseq:
//
//   - Results count if [callseq.C.Got] and [callseq.C.Want] have them. Other checks within
//     [callseq.C.Do] must hold in any order.
//   - [callseq.C.Invariant] holds as long as calls run alone: after calls have run at once, the
//     state of the model is not known. [callseq.C.End] is for sequences without threads. Calls
//     that run alone afterwards have the same purpose.
//   - A precondition, or an argument that depends on the model, may not hold when the call
//     runs, since other threads have been faster. Such a run is not judged, whatever it does,
//     unless an order explains it. go test -v says how many runs were not judged.
//   - Only the thread that makes an instance of a [callseq.Pool] uses it.
//
// Schedules are left to chance, so a failure need not repeat itself. A sequence runs several
// times ([Runs]), and the report says how many of some more runs have failed. Run such tests
// with -race, too: it finds what results do not show, and makes atomic operations take so long
// that other goroutines come between them. What ends the process, as concurrent writes of a map
// do, is found, but not shrunk: run the test with -fuzzext.print to see its calls.
package linear
