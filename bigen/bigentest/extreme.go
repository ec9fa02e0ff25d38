package bigentest

import (
	"math/rand/v2"
	"strings"

	"github.com/espalier-go/espalier/choices"
)

// simplest gives the simplest answers, first alternatives above all, up to
// maxSimplest of them.
type simplest struct{ asked int }

// maxSimplest bounds the choices to which the simplest answers may lead. Where
// a value has become too large, its parts are made from nothing else.
const maxSimplest = 10_000

const tooMany = "too many choices"

func (s *simplest) count() {
	if s.asked++; s.asked > maxSimplest {
		panic(tooMany)
	}
}

// Pick implements [choices.Source].
func (s *simplest) Pick(*choices.Question) int {
	s.count()
	return 0
}

// Leave implements [choices.Source].
func (s *simplest) Leave() {}

// Int implements [choices.Source].
func (s *simplest) Int(q *choices.Question) int64 {
	s.count()
	return q.Kind.Origin(q.Lo, q.Hi)
}

// Text implements [choices.Source].
func (s *simplest) Text(*choices.Question) string {
	s.count()
	return ""
}

// greedy gives answers that make large values: it takes a first alternative only where
// there is no other.
type greedy struct{ r *rand.Rand }

// Pick implements [choices.Source].
func (s greedy) Pick(q *choices.Question) int {
	if len(q.Alts) == 1 {
		return 0
	}
	return 1 + s.r.IntN(len(q.Alts)-1)
}

// Leave implements [choices.Source].
func (greedy) Leave() {}

// Int implements [choices.Source].
func (s greedy) Int(q *choices.Question) int64 {
	switch s.r.IntN(3) {
	case 0:
		return q.Lo
	case 1:
		return q.Hi
	}
	return int64(s.r.Uint64())
}

// Text implements [choices.Source].
func (s greedy) Text(q *choices.Question) string {
	return strings.Repeat("\u00e9", min(q.Max, 100))
}

// outOfRange gives invalid answers.
type outOfRange struct{}

// Pick implements [choices.Source].
func (outOfRange) Pick(*choices.Question) int { return -7 }

// Leave implements [choices.Source].
func (outOfRange) Leave() {}

// Int implements [choices.Source].
func (outOfRange) Int(*choices.Question) int64 { return 1 << 40 }

// Text implements [choices.Source].
func (outOfRange) Text(*choices.Question) string { return strings.Repeat("\xff", 100) }

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// corrupt returns b with a few bytes changed, inserted or removed.
func corrupt(b []byte, r *rand.Rand) []byte {
	b = append([]byte(nil), b...)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(b) + 1)
		switch n := min(r.IntN(4), len(b)-i); r.IntN(3) {
		case 0:
			copy(b[i:], randomBytes(r, n))
		case 1:
			b = append(b[:i:i], append(randomBytes(r, n+1), b[i:]...)...)
		case 2:
			b = append(b[:i:i], b[i+n:]...)
		}
	}
	return b
}
