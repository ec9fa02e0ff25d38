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
// In a sequence, each call belongs to a thread, or runs alone. The calls of each thread run in
// a goroutine of their own. Each call must seem to take effect at some moment between its
// beginning and its return: there must be an order of the calls in which the model wants what
// they returned. If there is none, the run fails. It also fails if a call panics, fails its
// test, or never returns.
//
// The model decides what follows from the order of calls, so a run differs from one of
// callseq:
//
//   - Results count if [callseq.C.Got] and [callseq.C.Want] have them. Other checks within
//     [callseq.C.Do] must hold in any order.
//   - [callseq.C.Invariant] is checked while calls run alone. Once calls have run at once,
//     the state of the model is not known. [callseq.C.End] is for sequences without
//     threads. Calls that run alone afterward have the same purpose.
//   - When a call runs, other threads may have changed what its precondition, or an
//     argument, depends on. Unless an order explains such a run, it is not judged,
//     whatever it does. go test -v says how many runs were not judged.
//   - A model with several [callseq.States] has those that some order and the results allow.
//   - Only the thread that makes an instance of a [callseq.Pool] uses it.
//
// Chance decides the schedule, so a failure may not show again. A sequence runs several times
// ([Runs]), and the report says how many of some more runs fail. Run such tests with -race,
// too. The race detector finds what results do not show, and makes atomic operations take so
// long that other goroutines come between them. If the process ends, as by concurrent writes
// of a map, that is found but not shrunk: run the test with -fuzzext.print to see its calls.
package linear
