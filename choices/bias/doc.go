// Package bias makes random values like examples, or unlike them.
//
// A [Bias] makes the source of [Random] prefer some answers: by weights of tags ([Weighted]), by
// the constants of the code under test ([Constants]), or by how often examples have each choice
// ([Follow], [Invert] and [Frequencies]). [Examples] know more: which choices occur below which.
// They answer through a prior ([Examples.Prior]).
package bias
