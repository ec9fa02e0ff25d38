// Package rl guides generators towards valid inputs that differ.
//
// A simple generator and a strict validity check make few valid inputs, and mostly
// the same small ones. A [Guide] answers the questions of the generator, is told
// whether the input was valid, and learns which choices, where in the tree of
// choices, lead to valid inputs that are new:
//
//	guide := rl.New(rand.New(rand.NewPCG(1, 2)))
//	for range 100_000 {
//		v, err := bigen.Value(gen, guide.Begin())
//		if err != nil || !valid(v) {
//			guide.Invalid()
//			continue
//		}
//		guide.Valid(guide.Input())
//		test(v)
//	}
//
// The generator is not changed, nor written with this in mind.
//
// What a Guide has learned is its [Policy], which can be saved and loaded, and can have a
// say in which values bytes stand for ([Policy.Prior]).
package rl
