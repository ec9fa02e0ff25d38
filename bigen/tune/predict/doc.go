// Package predict computes how often a generator makes each of its alternatives, without making
// values: how large values are on average, how much they vary, whether they end. It finds the
// weights at which these counts are as wanted.
//
// A recursive generator is a branching process: each pick leads to further picks, by chance.
// [Read] reads the process off the generator itself, by forcing its alternatives. Nothing needs
// to be declared:
//
//	g, err := predict.Read(genTree)
//
// [Grammar.Expect] is how often each constructor occurs in a value, with variances.
// [Grammar.ExpectTags] is the same for some tags, or all. [Grammar.Growth] and
// [Grammar.Extinction] tell whether values end, and [Grammar.Advice] which weight to change if
// they do not.
//
// [Grammar.With] has other weights, and [Grammar.Model] makes values by them. A [Cost], which is
// [Uniform], [Weighted], [Only] or [Without], says which counts are wanted. [Grammar.Fit] finds
// the weights.
//
// [Grammar.Exact] makes values of given sizes and heights only, all equally likely.
//
// A generator whose parts depend on each other, such as one of search trees, is no such process:
// Read returns [ErrContext] with two places where the same choice differs. Tune it by
// [tune.CrossEntropy] instead.
//
// The package implements Mista, Russo and Hughes, "Branching Processes for QuickCheck
// Generators" (Haskell 2018), the library DRAGEN. Where the paper reads data types, this reads
// generators. It adds variances, the last level of types that have no terminals (they take the
// alternative of least height), and gradients.
package predict
