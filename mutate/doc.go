// Package mutate edits choice trees, and finds the simplest tree whose value fails.
//
// A mutation of a value that must stay valid is hard to write by hand: change the
// root of a search tree, and its children are out of bounds. A mutation of the
// choices that made the value is easy, because the generator repairs what the edit
// breaks:
//
//	tree, err := bigen.Choices(gen, value)               // which choices make it?
//	edited := mutate.Reroll(tree, r)                     // change one,
//	mutant, _, err := bigen.Run(gen, choices.Replay(edited, r)) // and keep the rest
//
// [Reroll], [Shrink] and [Swap] are the mutations of Frohlich, Goldstein, Pierce
// and Wang, "Bigenerators, Exposed!", section 6.2.2; [Any] is one of them at
// random, as in section 6.2.3. A [Mutator] has more: [Operators] lists them, and
// [Mutator.Havoc] applies several at random. [Sequences] and [Resize] help you to
// write other edits. [Minimize] looks for the simplest tree whose value still
// fails.
//
// An edit returns a new tree, which must be replayed, and does not change its argument.
package mutate
