// Package search finds choice models by which a generator makes values with wanted properties. The
// generator may be any: a search makes values and looks at them.
//
// A [Subject] is a generator and its objectives:
//
//	s := search.Of(genTree, tune.Size(100, "node"), tune.Height(36, "node"))
//
// With [OfValid], only values that a property accepts count.
//
// # Objectives
//
// [CrossEntropy] is the one to begin with. It has weights for each choice point in each context, how
// much has been made and how deep, and follows the best tenth of each round's values:
//
//	m, err := search.CrossEntropy(ctx, s, search.CrossEntropyOptions{Share: .95})
//	v, err := tune.Sample(m, genTree, r)
//
// Choices that do not matter for the objectives keep their entropy.
//
// [Differential] and [Parameters] tune a model that a user has made of few parameters, such as a
// [tune.Decay]. Differential is the differential evolution of Feldt and Poulding, "Finding Test Data
// with Specific Properties via Metaheuristic Search" (ISSRE 2013), the paper on GödelTest. Few
// values of a model of few parameters meet two objectives at once.
//
// # Entropy
//
// [Entropy] looks for as much variety as possible, [ValidEntropy] for as much as possible among
// valid values. So a naive generator with a strict property makes valid values more often, and
// more different ones.
//
// # Every search
//
// ends early if its values are good enough, or its context ends, and tells its [Progress]. The same
// seed and subject give the same model, on the same kind of machine. Weights have six decimals, so
// models are small once they are saved.
//
// Package predict, where it applies, needs no values: the generator must be context-free and the
// objectives counts of tags. Package minimize has optimizers that need gonum.
package search
