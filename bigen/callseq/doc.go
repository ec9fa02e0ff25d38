// Package callseq makes sequences of calls, and runs them against a model.
//
// Caches, collections, pools and clients have state: what a call returns depends on the calls
// before. A model is a few lines of Go that know what each call must return. From it, this package
// makes sequences of about 28 calls, runs them, and compares:
//
//	var cacheCalls = callseq.New(func(c *callseq.C) {
//		size := callseq.Arg(c, "size", bigen.IntRange(1, 4))
//		var cache *Cache           // what is tested
//		model := map[string]int{}  // what it must hold
//		c.Do(func() { cache = NewCache(size) })
//
//		c.Op("cache.Put", func() {
//			k, v := callseq.Arg(c, "k", keys), callseq.Arg(c, "v", values)
//			model[k] = v
//			c.Do(func() { cache.Put(k, v) })
//		}).When(func() bool { return len(model) < size })
//		c.Op("cache.Get", func() {
//			k := callseq.Arg(c, "k", keys)
//			v, ok := model[k]
//			c.Want(v, ok)
//			c.Do(func() { c.Got(cache.Get(k)) })
//		})
//	})
//
//	func TestCache(t *testing.T) { fuzzext.Sequence(t, cacheCalls) }
//	func FuzzCache(f *testing.F) { fuzzext.Sequence(f, cacheCalls) }
//
// The function given to [New] is called anew for each sequence, so its variables hold the state of
// one. [C.Op] declares an operation: a function that draws its arguments by [Arg], changes the
// model, and calls what is tested within [C.Do]. To make a sequence, to read one backward, and to
// shrink one, the package runs the model alone, without Do. So arguments and preconditions may
// depend on the model, which is always up to date, and sequences that are mutated, spliced or
// shrunk remain valid.
//
//   - [Methods] declares the operations, if the model has the same methods as what is tested.
//   - [Op.When] is a precondition, [Op.Weight] a frequency. [C.Scenario] directs how sequences
//     begin.
//   - [C.Got] and [C.Want] compare results; [C] is a testing.TB for other checks within Do.
//   - [C.WantOneOf] and [States] are for what is not decided, such as the order of a map.
//   - [C.Invariant] and [C.End] check after each call, and at the end.
//   - [Pool] holds what calls make for later calls: iterators, snapshots, transactions.
//   - [C.Code] changes how a call is written in the report of a failure.
//   - [C.Label] and [Model.NeverCalled] tell what the sequences are like.
//
// A failure is shrunk and written as Go statements, with what each call returned. If that is not
// what [C.Want] says, the last statement compares it. [Calls] is the sequence as a value: a literal
// of it is a seed, and [Model.Run] runs it.
//
// Package linear calls what is tested from several goroutines, against the same model. Package api
// makes sequences without a model.
package callseq
