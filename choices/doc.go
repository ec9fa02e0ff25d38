// Package choices holds the record of what a generator was asked and answered.
//
// A generator is a program that asks questions: leaf or node? which integer from
// 3 to 9? A [Source] answers them; the [Tree] records the conversation. Random
// numbers, the bytes of Go's fuzzer and an edited tree are sources:
//
//	Random(r)        every answer at random
//	Varied(r, i)     for the i-th of test values that differ in size and kind
//	FromBytes(b)     answers from any bytes; Encode is its inverse
//	FromBytesBy(b,p) the same, and p has a say in what they leave open
//	Replay(t, r)     the answers of t, repaired where they no longer fit
//	Enumerate()      a source for each value, the smallest first
//
// so whatever can be said of trees can be said of generators' values: package
// bigen turns values into trees and back, package mutate edits and minimises
// trees. [Frequencies] and [Coverage] measure what the trees of a test suite have;
// [Follow], [Invert], [Swarm], [Constants] and [Weighted] lead random values to
// what it lacks.
//
// The byte format of [Encode] and [FromBytes] is made for byte mutations: every
// input decodes, a local change has a local effect, and answers are found by where
// they were asked and named by their tags, so that a corpus outlives changes of its
// generator.
//
// The structure is that of Frohlich, Goldstein, Pierce and Wang, "Bigenerators,
// Exposed!", sections 5 and 6.
package choices
