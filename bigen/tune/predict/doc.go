// Package predict computes how often a generator makes each of its alternatives, without making
// values: how large values are on average, how much they vary, and whether they end. It also
// finds the weights that give the wanted counts.
//
// A recursive generator is a branching process: each pick leads to more picks, by chance.
// [Read] reads the process off the generator itself, by forcing its alternatives. You need not
// declare anything:
//
//	g, err := predict.Read(genTree)
//
// [Grammar.Expect] says how often each constructor occurs in a value, with variances.
// [Grammar.ExpectTags] does the same for some tags, or for all. [Grammar.Growth] and
// [Grammar.Extinction] tell whether values end. If they do not, [Grammar.Advice] says which
// weight to change.
//
// [Grammar.With] sets other weights, and [Grammar.Model] makes values by them. A [Cost], which
// is [Uniform], [Weighted], [Only] or [Without], says which counts are wanted. [Grammar.Fit]
// finds the weights. [Grammar.ExpectPattern] and [Patterns] do so for constructors in one another.
//
// [Grammar.Exact] makes only values of given sizes and heights, all equally likely.
//
// If the parts of values depend on each other, as in search trees, the generator is not such a
// process, and Read returns [ErrContext] with two places where the same choice differs. Tune
// such a generator by [tune.CrossEntropy] instead.
//
// The package implements Mista, Russo and Hughes, "Branching Processes for QuickCheck
// Generators" (Haskell 2018), the library DRAGEN. The paper reads data types, but this package
// reads generators. It adds variances, the last level of types without terminals (which take
// the alternative of least height), and gradients.
package predict
