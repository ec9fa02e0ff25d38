package choices

import (
	"math/rand/v2"
	"sort"
	"sync"

	"golang.org/x/exp/slices"
)

// Follow makes values like the examples that f counts: the common inputs of example-based
// generation ("Bigenerators, Exposed!", section 6.1). The weights of alternatives are the
// frequencies of their tags, so that alternatives which the examples lack do not occur. If
// none is left, as below a pick that the examples do not reach, the source takes the first
// alternative. Integers and texts are drawn, in proportion, from those of the examples that
// fit the question, or as usual if none fits.
//
// Since examples are finite, they contain enough of what ends values: values that follow
// them mostly end well before they are as large as a generator may make them.
//
// For smoothing, use [Weighted] with a sum of weights, as in
//
//	Weighted(func(tag string, w float64) float64 { return float64(f[Mark{Tag: tag}]) + w/10 })
//
// Later changes of f have no effect on the bias.
func Follow(f Frequencies) Bias {
	seen := observe(f)
	return Bias{func(s *biased) {
		s.weights = append(s.weights, func(_ *Question, alts []Alt) {
			for i := range alts {
				alts[i].Weight = seen.tags[alts[i].Tag]
			}
		})
		s.ints = append(s.ints, seen.integer)
		s.texts = append(s.texts, seen.text)
	}}
}

// Invert makes values unlike the examples that f counts: the uncommon inputs of
// example-based generation ("Bigenerators, Exposed!", section 6.1). The weight of an
// alternative whose tag occurs n times is the generator's, divided by n+1. Integers are
// drawn from those that do not occur, if the range has any. Texts that occur are avoided,
// unless the question allows few others.
//
// Later changes of f have no effect on the bias.
func Invert(f Frequencies) Bias {
	seen := observe(f)
	return Bias{func(s *biased) {
		s.weights = append(s.weights, func(_ *Question, alts []Alt) {
			for i := range alts {
				alts[i].Weight /= seen.tags[alts[i].Tag] + 1
			}
		})
		s.ints = append(s.ints, seen.otherInteger)
		s.texts = append(s.texts, seen.otherText)
	}}
}

// observed holds what examples contain, arranged to draw from.
type observed struct {
	tags     map[string]float64 // how often
	integers map[Kind]integers
	texts    []Mark
	counts   Frequencies

	mu      sync.Mutex // a Bias may be used by several goroutines at once
	fitting map[textQuestion]fitting
}

// integers holds distinct integers in their kind's order. Those before n[i] occur
// before[i] times in all.
type integers struct {
	n      []int64
	before []uint64
}

func observe(f Frequencies) *observed {
	s := &observed{tags: map[string]float64{}, integers: map[Kind]integers{}, counts: Frequencies{}, fitting: map[textQuestion]fitting{}}
	var marks []Mark
	for _, m := range f.Marks() { // in an order that is the same in every process
		if f[m] <= 0 {
			continue
		}
		s.counts[m] = f[m]
		switch m.Kind {
		case Pick:
			s.tags[m.Tag] = float64(f[m])
		case Text:
			s.texts = append(s.texts, m)
		default:
			marks = append(marks, m)
		}
	}
	slices.SortFunc(marks, func(a, b Mark) int {
		switch {
		case a.Kind != b.Kind:
			return int(a.Kind) - int(b.Kind)
		case a.Kind.Less(a.N, b.N):
			return -1
		}
		return 1
	})
	for _, m := range marks {
		x := s.integers[m.Kind]
		if x.before == nil {
			x.before = []uint64{0}
		}
		x.n = append(x.n, m.N)
		x.before = append(x.before, x.before[len(x.before)-1]+uint64(f[m]))
		s.integers[m.Kind] = x
	}
	return s
}

// within returns the integers in the range of q: they are x.n[i:j].
func (x *integers) within(q *Question) (i, j int) {
	i = sort.Search(len(x.n), func(i int) bool { return !q.Kind.Less(x.n[i], q.Lo) })
	j = i + sort.Search(len(x.n)-i, func(j int) bool { return q.Kind.Less(q.Hi, x.n[i+j]) })
	return i, j
}

// integer draws one of the integers in range, if there is any, in proportion.
func (s *observed) integer(q *Question, r *rand.Rand) (int64, bool) {
	x := s.integers[q.Kind]
	i, j := x.within(q)
	if i == j {
		return 0, false
	}
	u := x.before[i] + r.Uint64N(x.before[j]-x.before[i])
	return x.n[sort.Search(len(x.n), func(k int) bool { return x.before[k+1] > u })], true
}

// otherInteger draws an integer that was not observed, if the range has any.
func (s *observed) otherInteger(q *Question, r *rand.Rand) (int64, bool) {
	n := drawInt(q, r.Uint64())
	if s.counts[Mark{Kind: q.Kind, N: n}] == 0 {
		return n, true
	}
	x := s.integers[q.Kind]
	i, j := x.within(q)
	others := uint64(q.Hi) - uint64(q.Lo) + 1 - uint64(j-i) // n is not one of them
	if others == 0 {
		return n, true
	}
	return nthOther(q.Lo, r.Uint64N(others), j-i, func(k int) int64 { return x.n[i+k] }), true
}

// nthOther returns the u-th, from 0, of the integers from lo on that are not among those seen,
// which ascend. It is behind those that have at most u others before them.
func nthOther(lo int64, u uint64, seen int, nth func(k int) int64) int64 {
	k := sort.Search(seen, func(k int) bool { return uint64(nth(k))-uint64(lo)-uint64(k) > u })
	return int64(uint64(lo) + u + uint64(k))
}

// fitting holds the texts that fit a kind of question. The first i+1 of them occur upto[i]
// times in all.
type fitting struct {
	texts []Mark
	upto  []uint64
}

// textQuestion holds what decides which texts fit a question.
type textQuestion struct {
	alphabet *Alphabet
	min, max int
}

// maxFitting bounds the kinds of questions that are remembered.
const maxFitting = 1000

func (s *observed) fittingFor(q *Question) fitting {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := textQuestion{q.Alphabet, q.Min, q.Max}
	f, ok := s.fitting[key]
	if !ok {
		total := uint64(0)
		for _, m := range s.texts {
			if q.FitText(m.Tag) == m.Tag {
				total += uint64(s.counts[m])
				f.texts, f.upto = append(f.texts, m), append(f.upto, total)
			}
		}
		if len(s.fitting) < maxFitting {
			s.fitting[key] = f
		}
	}
	return f
}

// text draws one of the texts that fit, if there is any, in proportion.
func (s *observed) text(q *Question, r *rand.Rand) (string, bool) {
	f := s.fittingFor(q)
	if len(f.texts) == 0 {
		return "", false
	}
	u := r.Uint64N(f.upto[len(f.upto)-1])
	return f.texts[sort.Search(len(f.upto), func(i int) bool { return f.upto[i] > u })].Tag, true
}

// otherText draws a text; it tries to find one that was not observed.
func (s *observed) otherText(q *Question, r *rand.Rand) (text string, ok bool) {
	for range 10 {
		text = drawText(q, r.Uint64())
		if s.counts[Mark{Kind: Text, Tag: text}] == 0 {
			break
		}
	}
	return text, true
}
