package tune

import (
	"math"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// A Survey is what random values of a generator tell of its choice points.
type Survey struct {
	Points []Surveyed // in the order in which they were met
	Parts  []Parts    // of the alternatives that always announce as many
	Runs   int
	Failed int     // runs that reached the limit of answers
	Asked  float64 // mean number of questions with up to 16 answers in a run
	Nodes  float64 // mean of the feature in the end
	Depth  float64 // mean of the greatest depth
}

// Surveyed is a choice point with the weights that its outcomes had on average: of a pick those
// of the generator, of an integer equal ones.
type Surveyed struct {
	Point
	Asked   int
	Weights []float64 // their sum is 1
	Decides bool      // whether what is asked afterward seems to depend on the outcome
}

// Inspect makes n random values of g and returns what it learned. In all picks, the weights of
// alternatives that have parts, other than the first, are multiplied with tilt: the mean size of
// values that are made of like parts grows and falls with it. In a range of up to 16 integers, which may be the
// number of such parts, each is tilt times as likely as the one below. A run ends at limit answers.
func Inspect[A any](g bigen.Gen[A], r *rand.Rand, n int, tilt float64, limit int) *Survey {
	s := newSurveyor(tilt, limit)
	var tree choices.Tree
	for range n {
		_, t, err := bigen.RunInto(tree, g, choices.RandomBy(r, s))
		if t != nil {
			tree = t[:0]
		}
		s.end(err == nil)
	}
	return s.survey()
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

	asked, picks, deepest int
	now                   []first // the first outcome of each integer point in this run
	total                 Survey
}

type surveyed struct {
	Surveyed
	element bool // a pick that is asked again after more
	weights []float64
	outcome []moments // of an integer: of the sizes of runs in which it came first
}

// first is the outcome that a point has had first in a run.
type first struct{ point, outcome int }

// open is a pick whose branch has asked for so many picks so far.
type open struct {
	of    alternative
	tags  []string
	tag   string
	parts int
}

type arity struct {
	tags   []string
	tag    string
	n      int
	varies bool
}

type moments struct{ n, sum, squares float64 }

func newSurveyor(tilt float64, limit int) *surveyor {
	return &surveyor{tilt: tilt, limit: limit, index: map[pointKey]int{}, arity: map[alternative]*arity{}}
}

// Begin implements [choices.Prior].
func (s *surveyor) Begin() {
	s.tracker.begin()
	s.stack = s.stack[:0]
	s.asked, s.picks, s.deepest = 0, 0, 0
	s.now = s.now[:0]
}

// end takes notes of a whole run.
func (s *surveyor) end(ok bool) {
	s.total.Runs++
	if !ok || s.asked > s.limit {
		s.total.Failed++
	}
	nodes := float64(s.tracker.at[Nodes])
	size := math.Log1p(nodes) // of which few large runs do not decide
	s.total.Asked += float64(s.picks)
	s.total.Nodes += nodes
	s.total.Depth += float64(s.deepest)
	for _, f := range s.now {
		m := &s.points[f.point].outcome[f.outcome]
		m.n, m.sum, m.squares = m.n+1, m.sum+size, m.squares+size*size
	}
}

// point returns the notes of a point, which has so many outcomes.
func (s *surveyor) point(q *choices.Question, outcomes int) int {
	key := pointKey{kind: q.Kind, slot: q.Slot, in: s.tracker.in()}
	if q.Kind == choices.Pick {
		key.family = choices.Family(q.Alts)
	}
	i, ok := s.index[key]
	if !ok {
		i = len(s.points)
		s.index[key] = i
		p := surveyed{Surveyed: Surveyed{Point: Point{Kind: q.Kind, Slot: q.Slot}}}
		if n := len(s.stack); n > 0 {
			p.In = s.stack[n-1].tag
		}
		if q.Kind == choices.Pick {
			p.Tags = tagsOf(q)
		}
		s.points = append(s.points, p)
	}
	p := &s.points[i]
	p.Asked++
	p.element = p.element || q.Element()
	for len(p.weights) < outcomes {
		p.weights = append(p.weights, 0)
		p.outcome = append(p.outcome, moments{})
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

// Pick implements [choices.Prior].
func (s *surveyor) Pick(q *choices.Question, word uint64) int {
	s.asked++
	s.picks++
	p := &s.points[s.point(q, len(q.Alts))]
	alts := slices.Clone(q.Alts)
	total := 0.0
	for i := range alts {
		if i > 0 && s.grows(q, i) {
			alts[i].Weight *= s.tilt
		}
		total += alts[i].Weight
	}
	for i := range alts {
		if total > 0 {
			p.weights[i] += alts[i].Weight / total
		}
	}
	if s.asked > s.limit {
		return 0
	}
	tilted := *q
	tilted.Alts = alts
	return tilted.DrawPick(word)
}

// grows reports whether an alternative may make the value larger: its branch asks for picks, as
// far as is known, or it says that a sequence has another element.
func (s *surveyor) grows(q *choices.Question, i int) bool {
	if q.Element() {
		return true
	}
	a := s.arity[alternative{choices.Family(q.Alts), tagHash(q.Alts[i].Tag)}]
	return a == nil || a.n > 0 || a.varies
}

// maxDecisive is the largest range of integers that may decide on what follows, as the number
// of elements does.
const maxDecisive = 16

// Int implements [choices.Prior].
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

// Text implements [choices.Prior].
func (s *surveyor) Text(q *choices.Question, word uint64) string {
	s.asked++
	return q.DrawText(word)
}

// Picked implements [choices.Prior].
func (s *surveyor) Picked(q *choices.Question, n int) {
	if last := len(s.stack) - 1; last >= 0 {
		s.stack[last].parts++
	}
	s.tracker.picked(q, n)
	tag := q.Alts[n].Tag
	o := open{of: alternative{choices.Family(q.Alts), tagHash(tag)}, tag: tag}
	if _, ok := s.arity[o.of]; !ok {
		o.tags = tagsOf(q)
	}
	s.stack = append(s.stack, o)
	s.deepest = max(s.deepest, s.tracker.at[Depth])
}

// Leave implements [choices.Prior].
func (s *surveyor) Leave() {
	last := len(s.stack) - 1
	o := s.stack[last]
	s.stack = s.stack[:last]
	s.tracker.leave()
	a, ok := s.arity[o.of]
	if !ok {
		s.arity[o.of] = &arity{o.tags, o.tag, o.parts, false}
		return
	}
	a.varies = a.varies || a.n != o.parts
}

// IntGiven and TextGiven implement [choices.Prior].
func (s *surveyor) IntGiven(*choices.Question, int64)   {}
func (s *surveyor) TextGiven(*choices.Question, string) {}

// survey returns the notes.
func (s *surveyor) survey() *Survey {
	all := s.total
	runs := float64(max(1, all.Runs))
	all.Asked, all.Nodes, all.Depth = all.Asked/runs, all.Nodes/runs, all.Depth/runs
	for i := range s.points {
		p := s.points[i].Surveyed
		sum := 0.0
		for _, w := range s.points[i].weights {
			sum += w
		}
		for _, w := range s.points[i].weights {
			if sum > 0 {
				w /= sum
			}
			p.Weights = append(p.Weights, w)
		}
		if p.Kind == choices.Pick {
			p.Decides = s.points[i].element || s.opens(p.Tags)
		} else {
			p.Decides = decides(s.points[i].outcome)
		}
		all.Points = append(all.Points, p)
	}
	for _, a := range s.arity {
		if !a.varies && a.n > 0 {
			all.Parts = append(all.Parts, Parts{a.tags, a.tag, a.n})
		}
	}
	slices.SortFunc(all.Parts, func(a, b Parts) int {
		return slices.Compare(append(slices.Clone(a.Tags), a.Tag), append(slices.Clone(b.Tags), b.Tag))
	})
	return &all
}

// opens reports whether a branch of a pick asks for picks.
func (s *surveyor) opens(tags []string) bool {
	point := Point{Kind: choices.Pick, Tags: tags}
	family := point.key().family
	return slices.ContainsFunc(tags, func(tag string) bool {
		a := s.arity[alternative{family, tagHash(tag)}]
		return a != nil && (a.n > 0 || a.varies)
	})
}

// decides reports whether the mean logarithm of the number of nodes differs between outcomes by more than chance
// explains: the variance between outcomes, as a share of the variance of all, is above 10 times
// what it is expected to be.
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
