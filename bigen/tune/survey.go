package tune

import (
	"math"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Points returns the choice points of g that random values meet, of integers those with ranges of
// up to 16.
func Points[A any](g bigen.Gen[A]) []Point {
	var points []Point
	for _, p := range Of(g).inspect(1, 100, .1, 1000).points {
		points = append(points, p.Point)
	}
	return points
}

// A survey is what random values of a generator tell of its choice points.
type survey struct {
	points []surveyed // in the order in which they were met
	asked  float64    // mean number of questions with up to 16 answers in a run
}

// surveyed is a choice point with the weights that its outcomes had on average; those of an integer on
// which nothing that is asked afterward seems to depend are equal.
type surveyed struct {
	Point
	weights []float64 // their sum is 1
	runs    []moments // of an integer: of the sizes of runs in which an outcome came first
}

// inspect makes n random values and returns what it learned. In all picks, the weights of
// alternatives that have parts, other than the first, are multiplied with tilt: the mean size of
// values that are made of like parts grows and falls with it. In a range of up to 16 integers, which
// may be the number of such parts, each is tilt times as likely as the one below. A run ends at limit
// answers.
func (s *Subject) inspect(seed uint64, n int, tilt float64, limit int) *survey {
	y := &surveyor{tilt: tilt, limit: limit, index: map[pointKey]int{}, asks: map[alternative]bool{}}
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		if s.ended != nil && s.ended() {
			break
		}
		_, _, _ = s.run(choices.RandomBy(r, y)) // a rejected run tells as much
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
	asks    map[alternative]bool // whether the branch of an alternative asks for picks, once known
	stack   []open
	alts    []choices.Alt // buffer of Pick

	asked, picks int     // in this run
	total        int     // picks of all runs
	now          []first // the first outcome of each integer point in this run
}

// first is the outcome that a point has had first in a run.
type first struct{ point, outcome int }

// open is a pick in whose branch the run is.
type open struct {
	of   alternative
	tag  string
	asks bool // the branch has asked for a pick
}

// alternative identifies one of the alternatives of a pick.
type alternative struct {
	family uint16
	tag    uint32
}

func (s *surveyor) Begin() {
	s.tracker.begin()
	s.stack, s.now = s.stack[:0], s.now[:0]
	s.asked, s.picks = 0, 0
}

// end takes notes of a whole run.
func (s *surveyor) end() {
	s.total += s.picks
	size := math.Log1p(float64(s.tracker.at.nodes)) // of which few large runs do not decide
	for _, f := range s.now {
		s.points[f.point].runs[f.outcome].add(size)
	}
}

// point returns the index of the notes of a point, which has so many outcomes.
func (s *surveyor) point(q *choices.Question, outcomes int) int {
	key := pointKey{kind: q.Kind, slot: q.Slot, in: s.tracker.in()}
	if q.Kind == choices.Pick {
		key.family = choices.Family(q.Alts)
	}
	i, ok := s.index[key]
	if !ok {
		i = len(s.points)
		s.index[key] = i
		p := surveyed{Point: Point{Kind: q.Kind, Slot: q.Slot}}
		if n := len(s.stack); n > 0 {
			p.In = s.stack[n-1].tag
		}
		if q.Kind == choices.Pick {
			p.Tags = tagsOf(q)
		}
		s.points = append(s.points, p)
	}
	p := &s.points[i]
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
	asks, known := s.asks[alternative{choices.Family(q.Alts), tagHash(q.Alts[i].Tag)}]
	return asks || !known
}

// maxDecisive is the largest range of integers that may decide on what follows, as the number
// of elements does.
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
		s.stack[last].asks = true
	}
	s.tracker.picked(q, n)
	tag := q.Alts[n].Tag
	s.stack = append(s.stack, open{of: alternative{choices.Family(q.Alts), tagHash(tag)}, tag: tag})
}

func (s *surveyor) Leave() {
	last := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	s.tracker.leave()
	s.asks[last.of] = s.asks[last.of] || last.asks
}

// IntGiven and TextGiven implement [choices.Prior].
func (s *surveyor) IntGiven(*choices.Question, int64)   {}
func (s *surveyor) TextGiven(*choices.Question, string) {}

// survey returns the notes of so many runs.
func (s *surveyor) survey(runs int) *survey {
	for i := range s.points {
		p := &s.points[i]
		equal, sum := p.Kind != choices.Pick && !decides(p.runs), 0.0
		for k := range p.weights {
			if equal {
				p.weights[k] = 1
			}
			sum += p.weights[k]
		}
		for k := range p.weights {
			p.weights[k] /= max(sum, math.SmallestNonzeroFloat64)
		}
	}
	return &survey{s.points, float64(s.total) / float64(runs)}
}

// moments are sums of numbers and their squares.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64) { m.n, m.sum, m.squares = m.n+1, m.sum+x, m.squares+x*x }

// decides reports whether the mean logarithm of the number of nodes differs between outcomes by
// more than chance explains: the variance between outcomes, as a share of the variance of all, is
// above 10 times what it is expected to be.
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
