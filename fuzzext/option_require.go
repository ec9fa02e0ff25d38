package fuzzext

import (
	"fmt"

	"github.com/espalier-go/espalier/fuzzext/internal/tally"
)

// Require makes [Check] fail if less than a share of the valid values has a label of
// [T.Label]:
//
//	fuzzext.Check(t, genTree, inserts, fuzzext.Require("deep", 0.2))
//
// So a property cannot pass because hardly any value is of the kind that matters. The values
// of a Check come in cycles, or with guidance. Once these have passed, the property runs on
// further values, each drawn independently, by the generator's weights, or by the policy of
// [WithPolicy] or the model of [WithModel]. If one of them fails, the test fails, too.
//
// The test is that of QuickCheck's checkCoverage. It looks after 100, 200, 400, ... valid
// draws. It ends when it is certain that the share is less than the required one, which fails
// the test, or that it is at least 9/10 of that. Certain means wrong in at most one of
// 1,000,000,000 tests. A share that is still in doubt after 102,400 valid draws, 204,800 draws
// or 10 seconds passes, and -v says so. With -short, these limits are a tenth.
//
// share is from 0.001 to 1; otherwise Require panics. There may be several Requires, each with
// a label of its own. Only Check and [Sequence] in a test look at shares. Fuzz targets and
// corpusgen fuzz do not.
func Require(label string, share float64) Option {
	if !(share >= leastShare && share <= 1) {
		panic(fmt.Sprintf("fuzzext.Require(%q, %v): want a share from %v to 1", label, share, leastShare))
	}
	return func(o *options) { o.required = append(o.required, tally.Share{Label: label, Least: share}) }
}

// leastShare is one that can be told from nothing.
const leastShare = 0.001
