// Package bigen makes generators that run both ways.
//
// A property-based test needs valid inputs: search trees, programs that compile,
// configurations whose parts agree. Forward, a generator of this package makes them, from
// random numbers or from the bytes of Go's fuzzer. Backward, it reads such a value and
// recovers the choices that make it. So a value that no generator has made can become a seed
// of the fuzzer, and can be checked, mutated and minimized.
//
// A generator is an ordinary Go function. This one makes binary search trees:
//
//	func genBST(lo, hi int) bigen.Gen[*Tree] {
//		if lo > hi {
//			return bigen.Nil[Tree]()
//		}
//		return bigen.Pick(
//			bigen.Tag("leaf", bigen.Nil[Tree]()),
//			bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
//				bigen.At(c, &t.X, bigen.IntRange(lo, hi))
//				bigen.At(c, &t.L, genBST(lo, t.X-1))
//				bigen.At(c, &t.R, genBST(t.X+1, hi))
//			})).Weight(5),
//		)
//	}
//
// [New] makes a struct, and [At] fills its fields. Later fields may depend on earlier ones, as
// the bounds of the subtrees depend on t.X. [Pick] chooses between alternatives, whose tags
// say what the choice means. The first alternative must not recurse. The backward direction
// needs no code: it runs the same function, in which At reads fields instead of filling them.
//
//   - Structs and interfaces: [New], [Struct], [At], [Let]; [Pick], [Tag], [Case]
//   - Leaves: [IntRange], [Bool], [Just], [Nil]
//   - Texts: [String], [StringOf], [Rune], [Bytes], [Matching], [URL]
//   - Numbers: [Int], [Float], [FloatRange], [Complex], [BigInt]
//   - Times and addresses: [Time], [Duration], [Addr], [Prefix], [AddrPort]
//   - Given values: [OneOf], [Favor], [Prefer]
//   - Collections: [SliceOf], [SliceBy], [Distinct], [ArrayOf], [MapOf], [MapBy], [SetOf],
//     [Permutation], [Subset]
//   - Steps that depend on a state, and change it: [Steps], [Machine], [Stopper], [Part], [Draw]
//   - Built from others: [Ptr], [NonNil], [Recursive], [Lazy], [Iso], [As],
//     [SuchThat], [Satisfying]
//   - With parameters: [NewFamily], [Family], [Given], [Alt.If], [Alt.Each], [Nth]
//   - Derived from a type: [For], with struct tags, [With], [Variants], [Construct],
//     [Field], [FieldBy]; from a schema: [ForSchema]; of protobuf messages: package bigenpb;
//     any JSON: [JSON]
//   - Forward: [Run], [Sample], [Decode]
//   - Backward: [Choices], [Encode], [Check]; all ways, and how likely: [Forest], [Prob],
//     [Share]
//   - Both: [Mutate]
//   - All values, the smallest first: [Enumerate]
//   - Test suites: [Mine], [Thin], [SampleNew]
//
// Package bigentest tests that a generator obeys its laws, and that it makes all valid values
// and no others.
//
// The package implements the library of Frohlich, Goldstein, Pierce and Wang, "Bigenerators,
// Exposed!", with structs in place of monads.
package bigen
