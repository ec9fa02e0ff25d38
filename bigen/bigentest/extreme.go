package bigentest

import (
	"math/rand/v2"
	"strings"

	"github.com/espalier-go/espalier/choices"
)

// answers is a source that answers each kind of question by a function.
type answers struct {
	pick func(q *choices.Question) int
	int  func(q *choices.Question) int64
	text func(q *choices.Question) string
}

func (s answers) Pick(q *choices.Question) int    { return s.pick(q) }
func (s answers) Int(q *choices.Question) int64   { return s.int(q) }
func (s answers) Text(q *choices.Question) string { return s.text(q) }
func (answers) Leave()                            {}

// maxSimplest bounds the choices to which the simplest answers may lead. Where
// a value has become too large, its parts are made from nothing else.
const maxSimplest = 10_000

const tooMany = "too many choices"

// simplest gives the simplest answers, first alternatives above all, up to
// maxSimplest of them.
func simplest() choices.Source {
	asked := 0
	count := func() {
		if asked++; asked > maxSimplest {
			panic(tooMany)
		}
	}
	return answers{
		func(*choices.Question) int { count(); return 0 },
		func(q *choices.Question) int64 { count(); return q.Kind.Origin(q.Lo, q.Hi) },
		func(*choices.Question) string { count(); return "" },
	}
}

// greedy gives answers that make large values: it takes a first alternative only where
// there is no other.
func greedy(r *rand.Rand) choices.Source {
	return answers{
		func(q *choices.Question) int {
			if len(q.Alts) == 1 {
				return 0
			}
			return 1 + r.IntN(len(q.Alts)-1)
		},
		func(q *choices.Question) int64 {
			switch r.IntN(3) {
			case 0:
				return q.Lo
			case 1:
				return q.Hi
			}
			return int64(r.Uint64())
		},
		func(q *choices.Question) string { return strings.Repeat("\u00e9", min(q.Max, 100)) },
	}
}

// outOfRange gives invalid answers.
var outOfRange = answers{
	func(*choices.Question) int { return -7 },
	func(*choices.Question) int64 { return 1 << 40 },
	func(*choices.Question) string { return strings.Repeat("\xff", 100) },
}

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
