// Package choices holds the record of what a generator was asked and what it was
// answered.
//
// A generator is a program that asks questions: leaf or node? which integer from 3 to 9?
// A [Source] answers them, and a [Tree] records the conversation. Random numbers, the
// bytes of Go's fuzzer and an edited tree are all sources, so whatever can be said of
// trees can be said of the values of generators. Package bigen turns values into trees
// and back. Package mutate edits and minimizes trees.
//
// The structure follows Frohlich, Goldstein, Pierce and Wang, "Bigenerators,
// Exposed!", sections 5 and 6.
//
// # Making values
//
// Users pass one of these sources to [github.com/espalier-go/espalier/bigen.Run]:
//
//   - [Random] answers every question at random.
//   - [RandomBy] asks a [Prior] instead, such as a tuned model or a model of examples.
//   - [FromBytes] reads the answers from any bytes. [Encode] is its inverse.
//   - [FromBytesBy] does the same, and a [Prior] answers what the bytes leave open.
//   - [Replay] repeats the answers of a tree and repairs those that no longer fit.
//
// Package varied has a source of test values that differ in size and in kind, package bias random
// sources that prefer some answers, and package enumerate a source for each value.
//
// The byte format is made for mutations of bytes: every input decodes, a local change has
// a local effect, and a corpus outlives changes of its generator, because answers are
// found by where they were asked and named by their tags.
//
// # Measuring values
//
// [Tree.Walk] yields the choices of a tree, and [Choice.Mark] says what each is. Package bias
// counts the marks of the trees of a test suite, and package combinations the combinations of
// choices that they have.
//
// # Writing a source
//
// A source implements [Source], and [Rejecter] if it wants to know what filters throw away.
// [Question] says what it is asked, and an [Alphabet] what a text may consist of. [Kind.Clamp],
// [Kind.Origin], [Question.FitText] and [Question.DrawPick] help to answer.
//
// # Editing trees
//
// [Tree.Splice], [Tree.Cut], [Choice.TakeIndex], [Choice.KeepDistance], the mark Reroll
// of a [Choice] and the kind [Regenerate] make edits, which [Replay] turns into values.
// [Tree.AppendKey] distinguishes edits.
//
// # Running a generator
//
// Only packages that run generators, as bigen does, need [Choice.Take].
package choices
