package bigen

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices/enumerate"
	"github.com/espalier-go/espalier/internal/proportion"
)

// A Portion is a probability that is known to be from Lo to Hi.
type Portion struct {
	Lo, Hi float64

	// Exact says that Lo is the probability, except for rounding. Then Hi is equal.
	Exact bool

	// Sampled says that Lo and Hi are from random values. They are wrong with
	// a probability of at most one in a million.
	Sampled bool
}

// String returns the portion as in "0.25", "0.2 to 0.3" or "0.2 to 0.3 (sampled)".
func (p Portion) String() string {
	switch {
	case p.Exact:
		return fmt.Sprintf("%.4g", p.Lo)
	case p.Sampled:
		return fmt.Sprintf("%.4g to %.4g (sampled)", p.Lo, p.Hi)
	}
	return fmt.Sprintf("%.4g to %.4g", p.Lo, p.Hi)
}

// shareDoubt is the probability that a sampled Portion may be wrong.
const shareDoubt = 1e-6

// shareRounding is a probability that rounding may account for.
const shareRounding = 1e-9

// Share returns the probability that a random value of g passes a test. [Prob] has the probability
// of one value, Share the probability of a space of values ("Bigenerators, Exposed!", section 4.2).
//
//  1. Share adds up the probabilities of the n smallest values; see [Enumerate] and
//     [Prob]. Values that pass make a lower bound, and values that do not make an upper one.
//     If there are no other values, or no probability is left for them, the result is
//     Exact.
//  2. If n random values say more than these bounds, the result is the interval of Clopper
//     and Pearson for them, within the bounds. It is Sampled. So is the result for a
//     generator whose probabilities are not exact, such as a [SuchThat]. The values are
//     the same in each call. The interval of a probability p is about 10*sqrt(p/n) wide.
//
// Values that g rejects do not count. ok must not change its argument. Share panics if n is
// not positive, or if g rejects 100 times in a row.
func Share[A any](g Gen[A], ok func(A) bool, n int) Portion {
	if n <= 0 {
		panic(fmt.Sprintf("bigen.Share: by %d values", n))
	}
	p := shareByBounds(g, ok, n)
	if p.Exact {
		return p
	}
	middle := int((p.Lo + p.Hi) / 2 * float64(n))
	if lo, hi := proportion.Exact(middle, n, shareDoubt); hi-lo >= p.Hi-p.Lo {
		return p
	}
	lo, hi := proportion.Exact(sampleShare(g, ok, n), n, shareDoubt)
	if lo > p.Hi || hi < p.Lo {
		return p
	}
	return Portion{Lo: max(lo, p.Lo), Hi: min(hi, p.Hi), Sampled: true}
}

// shareByBounds bounds the share by the probabilities of the smallest values.
func shareByBounds[A any](g Gen[A], ok func(A) bool, n int) Portion {
	unknown := Portion{Lo: 0, Hi: 1}
	in, out := 0.0, 0.0
	exact := func() Portion {
		return Portion{Lo: min(in, 1), Hi: min(in, 1), Exact: true}
	}
	left, inVain := n, 0
	for src := range enumerate.Sources() {
		v, work, made := leftmost(g, src)
		if !made {
			if inVain += work; inVain > maxInVainInARow || inVain > 1000*n {
				break
			}
			continue
		}
		p, isExact, err := Prob(g, v, nil)
		if err != nil || !isExact {
			return unknown
		}
		if ok(v) {
			in += p
		} else {
			out += p
		}
		if in+out > 1+shareRounding { // g makes some values twice, and cannot tell
			return unknown
		}
		if in+out > 1-shareRounding/1000 {
			return exact()
		}
		if left--; left == 0 {
			break
		}
	}
	if left > 0 && in+out > 1-shareRounding {
		return exact()
	}
	return Portion{Lo: in, Hi: min(max(1-out, in), 1)}
}

// sampleShare returns how many of n random values pass.
func sampleShare[A any](g Gen[A], ok func(A) bool, n int) (passed int) {
	r := rand.New(rand.NewPCG(0, 0))
	for range n {
		if ok(Sample(g, r)) {
			passed++
		}
	}
	return passed
}
