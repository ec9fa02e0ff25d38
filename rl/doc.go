// Package rl guides generators toward distinct valid inputs.
//
// If the generator is simple and the validity check is strict, few inputs are valid, and
// most of these are the same small ones. A [Guide] answers the questions of the
// generator, observes whether the input was valid, and learns which choices, at which
// places in the choice tree, lead to valid inputs that are new:
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
// The generator does not change, and its author need not think about guides: a Guide
// reads off the choice tree what a choice may depend on, see [Path].
//
// If no input is valid by chance, [Guide.Replay] teaches an example. [Guide.Policy]
// returns what a Guide has learned: a [Policy] can be saved and loaded, other guides can
// start from it ([FromPolicy]), and it can influence which values bytes stand for
// ([Policy.Prior]).
//
// The problem, and learning from episodes, come from Reddy, Lemieux, Padhye and Sen,
// "RLCheck: Quickly Generating Diverse Valid Test Inputs with Reinforcement Learning" (ICSE
// 2020). [MonteCarlo] is the policy of that paper. The default policy finds more, by these
// rules:
//
//  1. No input is made twice. A Guide remembers the inputs it has made, in 32
//     MiB, and takes no choice that leads only to such inputs. When all inputs
//     have been made, they are made again.
//  2. A question with at most 16 answers is one decision. Any other question is decided
//     digit by digit.
//  3. Until an input is valid, choices are drawn by the weights of the generator. Four
//     of six inputs prefer the first alternative of each pick, in four degrees: it
//     usually ends a value, and small values are more likely to be valid.
//  4. An invalid input is worth 0. A valid input is worth 1/sqrt(n) if n valid inputs have
//     had its characteristic. This is divided by what valid inputs were worth lately, so
//     about 1 is usual. Each input first draws a strategy: one of three exponents, and
//     whether to revisit. The more the last 200 inputs of a strategy were worth, the more
//     likely it is. Each strategy keeps a small chance. Without a valid input, no strategy
//     revisits.
//  5. A revisit repeats a valid input that was worth at least 1/2, except for one answer and
//     what is in its branch, or, one time in four, only for what is in the branch. Rule 6
//     decides these. There are two candidates: one is drawn from all inputs, the other has a
//     size that is drawn first. A revisit takes the one with fewer revisits since the last that
//     was worth 1/2, or the first if these are equal. So inputs of all sizes are revisited, and
//     grow.
//  6. A decision is drawn at random. The weight of an answer is a product of three
//     numbers: its weight in the generator; the estimated probability that an input with
//     it is valid, to the power of the exponent; and the freshness of the prefix of
//     choices to which it leads. The freshness is 1 at first and falls with each input
//     that has the prefix. An input gives back the share that it is worth: all of it if it
//     is worth 1.
//  7. The estimated probability is a product of factors, each for the choice and one
//     property of its surroundings: the last answers in the same branch, how each
//     enclosing branch was entered, and the subtrees and elements before it. A valid
//     input raises the factors of its choices. An invalid input lowers them, each in
//     proportion to how doubtful it was before. Choices that a revisit or a replay has
//     repeated are not blamed.
package rl
