package tune

import (
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/internal/exact"
	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// Points returns the choice points of g that random values meet. For integers, it returns only
// points with ranges of up to 16.
func Points[A any](g bigen.Gen[A]) []Point {
	var points []Point
	for _, p := range Of(g).inspect(1, 100, .1, 1000).points {
		points = append(points, p.Point)
	}
	return points
}

// A survey is what random values of a generator tell about its choice points.
type survey struct {
	points []surveyed // in the order in which they were met
	parts  []parts    // of the alternatives that always announce the same number
	asked  float64    // mean number of questions with up to 16 answers in a run
}

// surveyed is a choice point with the weights that its outcomes had on average: the generator's
// for a pick, and equal weights for an integer.
type surveyed struct {
	Point
	weights []float64 // their sum is 1
	decides bool      // whether later questions seem to depend on the outcome

	element bool // a pick that is asked again after more

	runs []moments // for an integer: moments of the sizes of runs in which an outcome came first
}

// inspect makes n random values and returns what it learned. In all picks, inspect multiplies by
// tilt the weights of alternatives that have parts, except the first, so the mean size of values
// that consist of similar parts rises and falls with tilt. In a range of up to 16 integers, which
// may be the number of such parts, each is tilt times as likely as the one below. A run ends at
// limit answers.
func (s *Subject) inspect(seed uint64, n int, tilt float64, limit int) *survey {
	y := &surveyor{
		tilt:  tilt,
		limit: limit,
		index: map[pointKey]int{},
		arity: map[alternative]*arity{},
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		if s.ended != nil && s.ended() {
			break
		}
		_, _, _ = s.run(choices.RandomBy(r, y)) // a rejected run shows as much
		y.end()
	}
	return y.survey(n)
}

// A surveyor is a prior that answers by the generator's own distribution and takes notes.
type surveyor struct {
	tilt  float64
	limit int

	tracker tracker
	index   map[pointKey]int
	points  []surveyed
	arity   map[alternative]*arity
	stack   []open
	alts    []choices.Alt // buffer of Pick

	asked, picks int     // in this run
	total        int     // picks of all runs
	now          []first // the first outcome of each integer point in this run
}

// first is the first outcome of a point in a run.
type first struct{ point, outcome int }

// open is a pick, with how many picks its branch has asked for so far.
type open struct {
	of    alternative
	parts parts
}

// arity is how many picks an alternative asks for.
type arity struct {
	parts
	varies bool
}

func (s *surveyor) Begin() {
	s.tracker.begin()
	s.stack, s.now = s.stack[:0], s.now[:0]
	s.asked, s.picks = 0, 0
}

// end takes notes of a whole run.
func (s *surveyor) end() {
	s.total += s.picks
	size := math.Log1p(float64(s.tracker.at.nodes)) // so that a few large runs do not decide
	for _, f := range s.now {
		s.points[f.point].runs[f.outcome].add(size)
	}
}

// point returns the index of the notes of a point with this number of outcomes.
func (s *surveyor) point(q *choices.Question, outcomes int) int {
	key := pointKey{kind: q.Kind, slot: q.Slot, in: s.tracker.in()}
	if q.Kind == choices.Pick {
		key.family = q.Family()
	}
	i, ok := s.index[key]
	if !ok {
		i = len(s.points)
		s.index[key] = i
		p := surveyed{Point: Point{Kind: q.Kind, Slot: q.Slot}}
		if n := len(s.stack); n > 0 {
			p.In = s.stack[n-1].parts.Tag
		}
		if q.Kind == choices.Pick {
			p.Tags = tagsOf(q)
		}
		s.points = append(s.points, p)
	}
	p := &s.points[i]
	p.element = p.element || q.Element()
	for len(p.weights) < outcomes {
		p.weights, p.runs = append(p.weights, 0), append(p.runs, moments{})
	}
	return i
}

func tagsOf(q *choices.Question) []string {
	tags := make([]string, len(q.Alts))
	for i := range q.Alts {
		tags[i] = q.Alts[i].Tag
	}
	return tags
}

func (s *surveyor) Pick(q *choices.Question, word uint64) int {
	s.asked++
	s.picks++
	p := &s.points[s.point(q, len(q.Alts))]
	tilted := *q
	s.alts = append(s.alts[:0], q.Alts...)
	tilted.Alts = s.alts
	total := 0.0
	for i := range tilted.Alts {
		a := &tilted.Alts[i]
		if i > 0 && s.grows(q, i) {
			a.Weight *= s.tilt
		}
		total += a.Weight
	}
	for i, a := range tilted.Alts {
		if total > 0 {
			p.weights[i] += a.Weight / total
		}
	}
	if s.asked > s.limit {
		return 0
	}
	return tilted.DrawPick(word)
}

// grows reports whether an alternative may make the value larger: its branch asks for picks, as
// far as is known, or it says that a sequence has another element.
func (s *surveyor) grows(q *choices.Question, i int) bool {
	if q.Element() {
		return true
	}
	a := s.arity[alternative{q.Family(), tagHash(q.Alts[i].Tag)}]
	return a == nil || a.N > 0 || a.varies
}

// maxDecisive is the largest range of integers that may decide what follows, as the number of
// elements does.
const maxDecisive = 16

func (s *surveyor) Int(q *choices.Question, word uint64) int64 {
	s.asked++
	span := spanOf(q)
	if span > maxDecisive {
		return q.DrawInt(word)
	}
	s.picks++
	i := s.point(q, int(span))
	k := s.draw(q, int(span), word)
	s.points[i].weights[k]++
	if !slices.ContainsFunc(s.now, func(f first) bool { return f.point == i }) {
		s.now = append(s.now, first{i, k})
	}
	return int64(uint64(q.Lo) + uint64(k))
}

// draw returns one of the first integers of a range: with a tilt, outcome k is tilt^k times as
// likely as the first.
func (s *surveyor) draw(q *choices.Question, span int, word uint64) int {
	switch {
	case s.asked > s.limit:
		return 0
	case s.tilt == 1:
		return int(uint64(q.DrawInt(word)) - uint64(q.Lo))
	}
	alts, w := make([]choices.Alt, span), 1.0
	for k := range alts {
		alts[k].Weight = w
		w *= s.tilt
	}
	return (&choices.Question{Alts: alts}).DrawPick(word)
}

func (s *surveyor) Text(q *choices.Question, word uint64) string {
	s.asked++
	return q.DrawText(word)
}

func (s *surveyor) Picked(q *choices.Question, n int) {
	if last := len(s.stack) - 1; last >= 0 {
		s.stack[last].parts.N++
	}
	s.tracker.picked(q, n)
	tag := q.Alts[n].Tag
	o := open{alternative{q.Family(), tagHash(tag)}, parts{Tag: tag}}
	if s.arity[o.of] == nil {
		o.parts.Tags = tagsOf(q)
	}
	s.stack = append(s.stack, o)
}

func (s *surveyor) Leave() {
	last := len(s.stack) - 1
	o := s.stack[last]
	s.stack = s.stack[:last]
	s.tracker.leave()
	if a := s.arity[o.of]; a == nil {
		s.arity[o.of] = &arity{parts: o.parts}
	} else {
		a.varies = a.varies || a.N != o.parts.N
	}
}

// IntGiven and TextGiven implement [choices.Prior].
func (s *surveyor) IntGiven(*choices.Question, int64)   {}
func (s *surveyor) TextGiven(*choices.Question, string) {}

// survey returns the notes of a number of runs.
func (s *surveyor) survey(runs int) *survey {
	all := &survey{points: s.points, asked: float64(s.total) / float64(runs)}
	for i := range all.points {
		p := &all.points[i]
		sum := 0.0
		for _, w := range p.weights {
			sum += w
		}
		for k := range p.weights {
			p.weights[k] /= max(sum, math.SmallestNonzeroFloat64)
		}
		p.decides = p.element || p.Kind == choices.Pick && s.opens(p.Tags) ||
			p.Kind != choices.Pick && decides(p.runs)
	}
	for _, a := range s.arity {
		if !a.varies && a.N > 0 {
			all.parts = append(all.parts, a.parts)
		}
	}
	slices.SortFunc(all.parts, func(a, b parts) int {
		return slices.Compare(append(slices.Clone(a.Tags), a.Tag), append(slices.Clone(b.Tags), b.Tag))
	})
	return all
}

// opens reports whether a branch of a pick asks for picks.
func (s *surveyor) opens(tags []string) bool {
	return slices.ContainsFunc(tags, func(tag string) bool {
		a := s.arity[alternative{exact.FamilyOf(tags), tagHash(tag)}]
		return a != nil && (a.N > 0 || a.varies)
	})
}

// moments are sums of numbers and their squares.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64) { m.n, m.sum, m.squares = m.n+1, m.sum+x, m.squares+x*x }

// decides reports whether the mean logarithm of the number of nodes differs between outcomes by
// more than chance explains: the variance between outcomes, as a share of the total variance, is
// above 10 times its expected value.
func decides(outcomes []moments) bool {
	var all moments
	between, groups := 0.0, -1.0
	for _, m := range outcomes {
		if m.n > 0 {
			all.n, all.sum, all.squares = all.n+m.n, all.sum+m.sum, all.squares+m.squares
			between += m.sum * m.sum / m.n
			groups++
		}
	}
	if groups < 1 || all.n < 30 {
		return false
	}
	mean := all.sum * all.sum / all.n
	total := all.squares - mean
	return total > 0 && (between-mean)/total > 10*groups/all.n
}
