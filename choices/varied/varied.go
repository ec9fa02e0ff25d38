// Package varied makes random test values that differ more than the values of [choices.Random].
package varied

import (
	"math/rand/v2"
	"sync"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/chance"
)

// Source returns a source for the i-th, from 0, of a sequence of test values that differ more than
// the values of [choices.Random]. Bugs tend to need a value that is extreme in some respect, and a
// value in which everything is average is extreme in none. So each value draws, once, the respects
// in which it is extreme: its size, the features that it lacks, the kind of its integers and texts,
// and how much it repeats itself. Values 0 to 3 are about as from [choices.Random], with smaller
// integers of ranges beyond 65,536 in values 1 and 3. Value 4 has the simplest answers throughout,
// values 5 to 10 mix small and large sizes, and a quarter of those that follow are about as from
// [choices.Random].
//
// The answers are a function of i and the state of r, the same on all platforms. Use the
// source for one value only. What it remembers is bounded. A negative i counts as 0.
func Source(r *rand.Rand, i int) choices.Source {
	p := newPlan(r, i)
	if p.plain {
		return &plainly{r: r}
	}
	room := rooms.Get().(*room)
	return &varied{
		r: r, plan: p,
		room: room, scopes: room.scopes[:0], alts: room.alts[:0],
		given: given{room.answers[:0], room.texts[:0]},
	}
}

// A value is extreme by its size, its features, its integers and texts, its repetitions, or by the
// steps of its sequence: see the fields of plan. The code that follows a field states its rule.
// From value 11 on, a quarter of the values is plain: only integers of wide ranges are drawn in a
// special way. Where a filter has thrown a part away, the part is made again without features,
// integers, texts and repetitions of its own. After four such parts, including elements of
// collections of distinct elements, so is everything.
//
// Random values that grow are due to QuickCheck (Claessen and Hughes, ICFP 2000), beginning
// with the smallest to SmallCheck (Runciman et al., Haskell 2008), and duplicated parts to
// Hypothesis.

// plainly is the source of a plain value.
type plainly struct {
	r      *rand.Rand
	supply chance.Supply
}

// Pick implements [choices.Source].
func (s *plainly) Pick(q *choices.Question) int {
	bounded := !q.Steps && q.Alts[0].Weight > 0
	return s.supply.Draw(q.DrawPick(s.r.Uint64()), chance.MostDrawn, bounded)
}

// PickLeaf implements [choices.LeafPicker].
func (s *plainly) PickLeaf(q *choices.Question) int { return s.Pick(q) }

// Leave implements [choices.Source].
func (s *plainly) Leave() {}

// Int implements [choices.Source].
func (s *plainly) Int(q *choices.Question) int64 { return drawWide(q, s.r.Uint64()) }

// Text implements [choices.Source].
func (s *plainly) Text(q *choices.Question) string { return q.DrawText(s.r.Uint64()) }

// varied is the source of a value that is extreme in some respect.
type varied struct {
	r *rand.Rand
	plan
	alts     []choices.Alt // buffer of Pick
	scopes   []scope       // of the value and the enclosing picks; then room for more
	depth    int           // the index of the innermost scope
	grown    int32         // steps so far
	going    int           // steps of a sequence of steps so far
	rejected int           // values thrown away
	families [families]family
	given    given
	room     *room // that scopes, given and alts have been given; nil once the value has ended
}

// room is memory that one value after the other uses.
type room struct {
	scopes  []scope
	answers []answer
	texts   []string
	alts    []choices.Alt
}

var rooms = sync.Pool{New: func() any { return &room{scopes: make([]scope, 0, 16)} }}

// EndValue lets the source give its memory to others. Package bigen calls it when the value has
// been made.
func (s *varied) EndValue() {
	if s.room == nil {
		return
	}
	clear(s.given.texts)
	clear(s.alts)
	*s.room = room{s.scopes, s.given.answers[:0], s.given.texts[:0], s.alts[:0]}
	rooms.Put(s.room)
	s.room, s.scopes, s.given, s.alts = nil, nil, given{}, nil
}

// scope is the branch of a pick that is being made, or the value as a whole.
type scope struct {
	end  int32  // the number of steps at which its share of the size is used up
	upto int32  // the same for the part being made
	slot uint32 // of the part being made: the slot of the last pick
	last uint16 // the family of the last pick
	part bool   // there has been a pick
	step bool   // it is a step, which counts as open in families[of]
	calm bool   // a part that a filter threw away is being made again
	of   uint8

	index int32 // of the pick in given, or -1
	prev  int32 // the index of the last pick within, or -1

	next, stop int32 // the answers being repeated
}

// at returns the innermost scope.
func (s *varied) at() *scope { return s.scope(s.depth) }

// scope returns the scope at a depth, at most one beyond the deepest so far.
func (s *varied) scope(depth int) *scope {
	if depth >= len(s.scopes) {
		s.scopes = append(s.scopes, scope{end: s.size, prev: -1})
	}
	return &s.scopes[depth]
}

const families = 16

// family holds what is known of picks with the same alternatives.
type family struct {
	open  uint16 // steps that enclose the question
	seen  bool
	grows bool
}

var _ choices.Rejecter = (*varied)(nil)

// tooManyRejected is the number of values thrown away after which all answers are as usual.
const tooManyRejected = 4

// Reject implements [choices.Rejecter]. It reports false.
func (s *varied) Reject() bool {
	s.rejected++
	return false
}

// calm reports whether to answer q as usual, since values were thrown away.
func (s *varied) calm(q *choices.Question) bool {
	return q.Retry != 0 || s.at().calm || s.rejected >= tooManyRejected
}
