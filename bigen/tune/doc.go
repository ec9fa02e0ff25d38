// Package tune gives a generator's values properties that a user asks for: a mean size and
// height, or a number of each constructor. The generator does not change. A [Model] answers its
// questions instead of its own distribution.
//
// This is GödelTest of Feldt and Poulding, "Finding Test Data with Specific Properties via
// Metaheuristic Search" (ISSRE 2013): generators, choice models made of samplers, and a search for
// their parameters.
//
// # Models
//
// A [Sampler] says how probable the outcomes of a choice point are: [Geometric], [Histogram] and
// [Decay] come from the paper, and a [Table] is a histogram for each context. [Points] finds the
// choice points of a generator. [Sample] makes a value by a model, and [Model.Prior] lets a model
// answer the questions that bytes leave open. Two kinds of models have no samplers: models of
// examples, by [OfExamples], and models that draw from all values of a size, by Grammar.Exact of
// package predict. [Load] and [Model.Save] read and write models of all kinds.
//
// # Searching
//
// A [Subject] is a generator and its objectives, such as [Size], [Height] or a [Measure]:
//
//	s := tune.Of(genTree, tune.Size(100, "node"), tune.Height(36, "node"))
//	m, err := tune.CrossEntropy(ctx, s, tune.Options{Share: .95})
//	v, err := tune.Sample(m, genTree, r)
//
// Begin with [CrossEntropy]. It has weights for each choice point in each context (how much has
// been made, and how deep), and follows the best tenth of each round's values. Choices that do not
// matter for the objectives keep their entropy. [Differential] tunes a model of a few parameters,
// which you have made, by the paper's differential evolution. Few values of such a model meet two
// objectives at once.
//
// What all values cover together is an objective, too: [Cover], or [Variety], of their choices. If
// objectives compete, [Front] finds models between them, of which you choose one.
//
// A search ends early if its values are good enough, or if its context ends. The same seed and
// subject give the same model on the same kind of machine. Weights have six decimals, so saved
// models are small.
//
// Package predict needs no values. It applies if the generator is context-free, and the objectives
// are counts of tags.
package tune
