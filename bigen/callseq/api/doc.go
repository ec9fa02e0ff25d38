// Package api makes sequences of calls of a package's API without a model.
//
// A harness declares the operations of the API, and the types of their arguments and results:
//
//	var calls = api.New(func(c *api.C) {
//		trees := api.Type[*rbt.Tree](c, "tree")
//		keys := api.Type(c, "key", api.Literals(bigen.OneOf(-1, 0, 1, 10, 100)))
//
//		c.Op("rbt.New", func() {
//			tree := trees.Result()
//			c.Do(func() { tree.V = rbt.New(); c.Got(tree) })
//		})
//		c.Op("tree.Get", func() {
//			tree, key := trees.Arg("tree"), keys.Arg("key")
//			c.Do(func() { value, found := tree.V.Get(key.V); c.Got(value, found) })
//		}).When(trees.Any)
//	})
//
//	func TestCalls(t *testing.T) { fuzzext.Sequence(t, calls) }
//	func FuzzCalls(f *testing.F) { fuzzext.Sequence(f, calls) }
//
// An argument is a literal, an expression, or what an earlier call has returned: [Pool.Arg]
// draws it, [Pool.Result] gives what the call returns to later calls. A [Stub] stands for an
// interface that nothing implements. Contracts take the place of a model: no call may end in a
// [runtime.Error] unless it was given nil or an index that is out of range, String must not panic,
// Equal must be symmetric. [Holds] adds others, and [Classify] changes what counts as an error.
//
// Declarations can be changed later, as after the lines that corpusgen api has written:
//
//	api.Concurrent(trees) // or api.Alone(trees)
//	api.Holds("balanced", (*rbt.Tree).Check)(trees)
//	api.State(trees, func(t *rbt.Tree) any { return t.Keys() })
//	c.Declared("tree.Clear").Alone()
//
// The same harness is a check, a fuzz target, and what [API.Generate] makes tests of by
// "Feedback-directed Random Test Generation" (Pacheco, Lahiri, Ernst and Ball, ICSE 2007):
// sequences that reach new states are extended, and their results become regression tests.
// The command corpusgen api writes harnesses, and runs them.
package api
