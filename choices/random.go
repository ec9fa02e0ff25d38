package choices

import (
	"math/bits"
	"math/rand/v2"
	"strings"
)

type random struct{ r *rand.Rand }

// Random answers every question at random: picks by weight, integers uniformly,
// texts short and mostly printable; or as biases have it.
func Random(r *rand.Rand, biases ...Bias) Source {
	if len(biases) == 0 {
		return random{r}
	}
	return newBiased(r, biases)
}

func (s random) Pick(q *Question) int    { return drawPick(q.Alts, -1, s.r.Uint64()) }
func (s random) Int(q *Question) int64   { return drawInt(q, s.r.Uint64()) }
func (s random) Text(q *Question) string { return drawText(q, s.r.Uint64()) }
func (s random) Leave()                  {}

// The draw functions turn 64 random bits into an answer, so that every source
// that has to invent answers does it with the same distribution.

// drawPick picks by weight, the first alternative if all have weight 0; it leaves out
// alternative avoid, unless that is the only one or avoid is negative.
func drawPick(alts []Alt, avoid int, u uint64) int {
	if len(alts) == 1 {
		return 0
	}
	total := 0.0
	for i := range alts {
		if i != avoid {
			total += alts[i].Weight
		}
	}
	x := float64(u>>11) / (1 << 53) * total
	last := 0
	if avoid == 0 {
		last = 1
	}
	for i := range alts {
		if i == avoid || alts[i].Weight == 0 {
			continue
		}
		last = i
		if x -= alts[i].Weight; x < 0 {
			break
		}
	}
	return last
}

func drawInt(q *Question, u uint64) int64 {
	span := uint64(q.Hi) - uint64(q.Lo) + 1
	if span != 0 {
		u, _ = bits.Mul64(u, span)
	}
	return int64(uint64(q.Lo) + u)
}

// drawOther draws an integer other than n; the range has two at least.
func drawOther(q *Question, n int64, u uint64) int64 {
	u, _ = bits.Mul64(u, uint64(q.Hi)-uint64(q.Lo))
	if u >= uint64(n)-uint64(q.Lo) {
		u++
	}
	return int64(uint64(q.Lo) + u)
}

// drawText draws up to 12 runes, now and then up to 256.
func drawText(q *Question, u uint64) string {
	s := splitmix(u)
	n := 12
	if s.below(16) == 0 {
		n = 256
	}
	n = s.below(min(n, q.Max) + 1)
	var b strings.Builder
	for range n {
		b.WriteRune(s.rune())
	}
	return b.String()
}

// splitmix is a stream of random words that is cheap to start.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	return mix(uint64(*s), 0)
}

func (s *splitmix) below(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}

// unusual holds first and last runes of ranges that code tends to treat apart.
var unusual = [][2]rune{
	{0, 0x1F}, {0x7F, 0xFF}, {0x300, 0x36F}, {0x370, 0x3FF}, {0x5D0, 0x5EA},
	{0x2000, 0x206F}, {0x4E00, 0x9FFF}, {0xE000, 0xE0FF}, {0xFFF0, 0xFFFD}, {0x1F300, 0x1F5FF},
}

func (s *splitmix) rune() rune {
	if s.below(10) > 0 {
		return rune(' ' + s.below(95))
	}
	r := unusual[s.below(len(unusual))]
	return r[0] + rune(s.below(int(r[1]-r[0])+1))
}
