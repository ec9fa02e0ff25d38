// Package tune makes a generator's values have properties that a user asks for: a mean size and
// height, so many of each constructor, as much variety as possible. The generator remains as it
// is. A [Model] answers its questions instead of its own distribution.
//
// This is GödelTest of Feldt and Poulding, "Finding Test Data with Specific Properties via
// Metaheuristic Search" (ISSRE 2013): generators, choice models made of samplers, and a search for
// their parameters.
//
// # Models
//
// A [Sampler] says how probable the outcomes of a choice point are: [Geometric], [Histogram] and
// [Decay] are the paper's, [Mixture] and [Truncated] combine others, and [Table] is a histogram
// for each context. [Inspect] finds the choice points of a generator. [Sample] makes a value by a
// model, and [Model.Prior] lets a model answer what bytes leave open. A model is data: [Load] and
// [Model.Save] read and write it. [Enumerate] makes all values within a model.
//
// # Tuning
//
// [Size], [Height] and [Measure] are objectives. Package search finds models that meet them.
// Package predict tells, without a search, what a context-free generator makes.
package tune
