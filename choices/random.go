package choices

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

type random struct{ r *rand.Rand }

// Random answers every question at random: picks by weight; integers uniformly or, if the
// question says so, with a preference for edges; texts mostly short and, if their alphabet allows
// it, mostly of printable ASCII.
func Random(r *rand.Rand) Source { return random{r} }

func (s random) Pick(q *Question) int     { return q.DrawPick(s.r.Uint64()) }
func (s random) PickLeaf(q *Question) int { return q.DrawPick(s.r.Uint64()) }
func (s random) Int(q *Question) int64    { return q.DrawInt(s.r.Uint64()) }
func (s random) Text(q *Question) string  { return q.DrawText(s.r.Uint64()) }
func (s random) Leave()                   {}

// DrawPick answers a pick as [Random] does, with 64 random bits.
func (q *Question) DrawPick(word uint64) int { return drawPick(q.Alts, -1, word) }

// The draw functions turn 64 random bits into an answer. All sources that must invent
// answers use them, so that they have the same distribution.

// drawPick picks by weight, or the first alternative if all have weight 0. It leaves out the
// alternative avoid, unless that is the only one or there is none of that index. It takes the same
// steps whatever it picks: see bytesSource.
func drawPick(alts []Alt, avoid int, u uint64) int {
	if len(alts) == 1 {
		return 0
	}
	total := 0.0
	for i := range alts {
		total += alts[i].Weight * float64(nonzero(uint64(avoid^i)))
	}
	x := float64(u>>11) / (1 << 53) * total
	last, left := 1-nonzero(uint64(avoid)), uint64(1)
	for i := range alts {
		w := alts[i].Weight * float64(nonzero(uint64(avoid^i)))
		last = choose(left&(math.Float64bits(0-w)>>63), uint64(i), last)
		x -= w
		left &= 1 - math.Float64bits(x)>>63
	}
	return int(last)
}

// redraw draws an alternative other than avoid, unless that is the only one; see rule 3 of
// [Replay].
func redraw(alts []Alt, avoid int, u uint64) int {
	for all := u&7 == 0; ; all = true {
		takesPart := func(i int) bool { return i != avoid && (all || alts[i].Weight > 0) }
		n := uint64(0)
		for i := range alts {
			if takesPart(i) {
				n++
			}
		}
		k, _ := bits.Mul64(u, n)
		for i := range alts {
			if takesPart(i) {
				if k == 0 {
					return i
				}
				k--
			}
		}
		if all {
			return avoid
		}
	}
}
