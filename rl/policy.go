package rl

import (
	"errors"
	"maps"
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// A Policy is a snapshot of what a [Guide] has learned. It does not change. Save it to a
// file with [Policy.Save], load it with [LoadPolicy], and use it
//
//   - to start another Guide, which continues to learn: [FromPolicy];
//   - to answer the questions that bytes leave open: [Policy.Prior].
//
// A Policy belongs to one generator, whose alternatives and slots it knows by their tags
// and numbers. It has no effect on another generator, or on the parts of the generator
// that have changed since. The zero Policy has learned nothing.
//
// Several goroutines may use a Policy at once.
type Policy struct {
	points     []uint64               // sorted
	structural map[uint64]struct{}    // of points; see Path
	saved      []savedRow             // sorted by key
	rows       *generation[factorRow] // of saved; nil for the zero Policy
}

func newPolicy(points []uint64, saved []savedRow) *Policy {
	p := &Policy{
		points:     points,
		structural: make(map[uint64]struct{}, len(points)),
		saved:      saved,
		rows:       loaded(saved),
	}
	for _, point := range points {
		p.structural[point] = struct{}{}
	}
	return p
}

// Policy returns what g has learned so far, in the form of a file, so that saving it changes
// nothing. A file has at most 8192 rows: if there are more, Policy omits the estimates with the
// least evidence. It returns an error if g has the policy of [MonteCarlo].
func (g *Guide) Policy() (*Policy, error) {
	l, ok := g.learner.(*factors)
	if !ok {
		return nil, errors.New("rl: MonteCarlo has no policy that could be saved: only the " +
			"default policy has")
	}
	points := make([]uint64, 0, len(g.path.structural))
	for point := range g.path.structural {
		points = append(points, point)
	}
	slices.Sort(points)
	return newPolicy(points[:min(len(points), maxPoints)], l.saved()), nil
}

// FromPolicy starts a Guide from what p has learned. The Guide continues to learn. When
// half of its memory for this is full, it forgets the estimates of p that it has not used.
// [New] panics if [MonteCarlo] is given, too.
func FromPolicy(p *Policy) Option { return func(o *options) { o.policy = p } }

// readOnly stops a Guide from learning, so that its inputs are reproducible: its choices
// depend only on its policy and its random numbers, on every platform. It may make an
// input more than once.
func readOnly(o *options) { o.readOnly, o.plain = true, true }

// startFrom runs before the first episode.
func (g *Guide) startFrom(p *Policy) {
	l, ok := g.learner.(*factors)
	if !ok {
		panic("rl.New: FromPolicy is about the default policy, and another option replaces that")
	}
	maps.Copy(g.path.structural, p.structural)
	if p.rows != nil {
		l.table.old = p.rows // in which nothing is written
		g.found = len(p.saved) > 0
	}
}

// stopLearning runs after startFrom.
func (g *Guide) stopLearning() {
	l := g.learner.(*factors)
	if l.table.old != nil {
		l.table.young = l.table.old
	}
	l.table.frozen = true
}

// forgetPoints removes the choice points that the path of a read-only Guide recorded in
// the last episode.
func (g *Guide) forgetPoints() {
	known := map[uint64]struct{}(nil)
	if g.policy != nil {
		known = g.policy.structural
	}
	if len(g.path.structural) > len(known) {
		maps.DeleteFunc(g.path.structural, func(point uint64, _ struct{}) bool {
			_, ok := known[point]
			return !ok
		})
	}
}

// Prior returns a source of answers for the questions that bytes leave open. It draws an answer
// as a Guide does that has learned the policy and no longer learns, with the random bits of the
// question:
//
//	bigen.Value(gen, choices.FromBytesBy(b, prior))
func (p *Policy) Prior() choices.Prior {
	words := new(words)
	return &prior{words, New(rand.New(words), FromPolicy(p), readOnly)}
}

// prior answers by a [Policy].
type prior struct {
	words *words
	guide *Guide
}

// words derives random words from one.
type words struct{ state uint64 }

func (w *words) Uint64() uint64 {
	w.state += 0x9E3779B97F4A7C15
	return hash.Mix(w.state, 0)
}

func (p *prior) Begin() { p.guide.Begin() }

func (p *prior) Pick(q *choices.Question, word uint64) int {
	return p.ask(word).pick(q, p.guide.path.pointOf(q))
}

func (p *prior) Int(q *choices.Question, word uint64) int64 {
	return p.ask(word).integer(q, p.guide.path.pointOf(q))
}

func (p *prior) Text(q *choices.Question, word uint64) string {
	return p.ask(word).text(q, p.guide.path.pointOf(q))
}

// ask begins a question.
func (p *prior) ask(word uint64) *Guide {
	p.words.state = word
	p.guide.wish.set, p.guide.avoid = false, -1
	return p.guide
}

func (p *prior) Picked(q *choices.Question, n int) {
	p.guide.path.enter(q, p.guide.path.pointOf(q), n)
}

func (p *prior) Leave() { p.guide.path.leave() }

func (p *prior) IntGiven(q *choices.Question, n int64) {
	p.guide.path.answer(q, uint64(n))
}

func (p *prior) TextGiven(q *choices.Question, text string) {
	p.guide.path.answer(q, hash.FNV64(text))
}
