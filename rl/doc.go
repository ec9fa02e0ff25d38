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
// The generator is not changed, nor written with this in mind: on what a choice may
// depend is found in the tree of choices, see [Path].
//
// The problem, and learning from episodes, are those of Reddy, Lemieux, Padhye and Sen,
// "RLCheck: Quickly Generating Diverse Valid Test Inputs with Reinforcement
// Learning" (ICSE 2020). [MonteCarlo] is the policy of that paper. The default policy
// works as follows.
//
//  1. No input is made twice: exhausted prefixes of choices are remembered, as far as
//     [Memory] goes. Questions with more than 16 answers are asked digit by digit.
//  2. Until there is a valid input, choices are made as the generator has them, or with
//     a preference, in five degrees, for what ends values: small ones are more likely
//     to be valid.
//  3. From then on, a choice is made in proportion to its weight in the generator, to a
//     power of the probability that an input with it is valid ([Greed]), and to how
//     fresh the prefix is that it leads to: less with each invalid input since the last
//     unique valid one ([Patience]).
//  4. That probability is the product of factors, each about the choice and one thing
//     around it: the last answers in the same branch, how each branch around was
//     entered, the subtrees and elements before it. Valid inputs raise the factors of
//     their choices; the blame for an invalid one is shared out in proportion to how
//     suspicious they are.
//  5. Some inputs repeat one that was unique and valid, but for a part, which is made
//     anew by the same rules ([Returns]). Which power, and whether to repeat, is drawn
//     for each input in favour of what has given unique valid ones lately.
//
// What a Guide has learned is its [Policy], which can be saved and loaded, and can have
// a say in which values bytes stand for ([Policy.Prior]).
package rl
