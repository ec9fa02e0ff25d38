package varied

import (
	"math/rand/v2"
	"sync"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/chance"
)

// Source returns a source for the i-th, from 0, of a sequence of test values that differ
// more than those of [choices.Random]. Bugs tend to need a value that is extreme in some respect,
// and a value in which everything is average is extreme in none. So each value draws, once,
// the respects in which it is extreme: its size, the features that it lacks, the kind of its
// integers and texts, and how much it repeats itself. Values 0 to 3 are about as from Random, value 4
// has the simplest answers throughout, values 5 to 10 mix small and large sizes, and a quarter of
// those that follow are about as from Random.
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
		room: room, scopes: room.scopes[:0], alts: room.alts[:0], given: given{room.answers[:0], room.texts[:0]},
	}
}

// The rules of Varied:
//
//  1. Size. The size of a value is the number of its steps: of alternatives taken, other
//     than the first, that make it grow (rule 2). Values 0 to 3 are extreme in nothing: most
//     bugs that are easy to find show in such a value. Value 4 has the simplest answers
//     throughout. Values 5 to 10 have the sizes in firstSizes. Of the later values, half have
//     sizes from 4 to 127, in cycles, and half the size that the generator's weights give, up to about 256. Up to its size, a value's steps gain weight, by a
//     factor from 1 to 32; then they lose weight, and from twice the size on they have
//     none. What is below a step or in a field gets a share of the remaining size: all of
//     it, which makes values narrow and deep; all or any part; or little, which makes
//     them wide.
//  2. Which alternatives make a value grow shows while it is made: those of a pick below a
//     pick with the same tags, or of the next element after one. Size leaves the weights
//     of other picks, such as that between true and false, alone.
//  3. Features. In half of the values, some alternatives do not occur: each tag is left out
//     with probability 1/2, as in swarm testing (Groce et al., "Swarm Testing", ISSTA 2012); or one
//     tag of each pick remains; or weights change, by factors from 1/16 to 16. The
//     alternative that ends values stays.
//  4. Integers and texts. In three of eight values integers are near the origin, or those
//     of a field ascend, or descend. In a third of the values some or all integers are
//     edges: ends of their ranges, or as drawEdge draws them. One in eight of those integers
//     that prefer edges anyway is 0, 1 or -1, or the nearest in its range. Of others, one in four
//     of a wide range is drawn like those. Texts are short in a quarter of the values, and of at
//     most three different runes in another. In three of four of the others, and of the short
//     ones, a third of the letters and digits gives way to what parsers treat specially.
//  5. Repetition. In half of the values an integer or text is, with a probability that is
//     the value's own, equal or close to an earlier one, mostly of the same field. In half,
//     likewise, a step repeats an earlier one with the same tags, often the one before, and
//     all below it as far as that fits: lists get equal elements, and trees equal subtrees.
//
//  6. Steps. Sequences of steps ([choices.Question.Steps]) are of use only if they are long enough. So
//     rule 1 does not apply to them, not even in the first values. Of the values that have
//     such a sequence, one in four keeps to rules 3 to 5, and one in four does without. In
//     the others, integers are near the origin, so that steps have much to do with each
//     other. In the even ones of the first eight, a third of the mean length is certain.
//
// From value 11 on, a quarter of the values draws nothing of this but integers of wide ranges: it is
// as from Random, within a [supply]. What a filter throws away is made again without rules 3
// to 5. So is everything after four parts have been thrown away, including those of collections
// of distinct elements.
//
// Random values that grow are due to QuickCheck (Claessen and Hughes, ICFP 2000), beginning
// with the smallest to SmallCheck (Runciman et al., Haskell 2008), and duplicated parts to
// Hypothesis.

// A plan says in which respects a value is extreme.
type plan struct {
	plain    bool // in none
	simplest bool // all answers are
	number   int  // the value's
	steps    bool // it has a sequence of steps
	sure     bool // of which a part is certain

	sharing  sharing
	features features
	ints     integerStyle
	texts    textStyle
	bits     uint8 // the length, in bits, of distances between integers
	runes    uint8 // of few different runes, how many; of short texts, the length

	size int32   // steps
	grow float64 // by which steps gain weight
	seed uint64  // of the features

	edges, repeat, again uint16 // of 256: integers that are edges; answers and steps that are repeated
}

// plainly is the source of [Varied] for a plain value.
type plainly struct {
	r      *rand.Rand
	supply chance.Supply
}

// Pick implements [choices.Source].
func (s *plainly) Pick(q *choices.Question) int {
	return s.supply.Draw(q.DrawPick(s.r.Uint64()), chance.MostDrawn, !q.Steps && q.Alts[0].Weight > 0)
}

// Leave implements [choices.Source].
func (s *plainly) Leave() {}

// Int implements [choices.Source].
func (s *plainly) Int(q *choices.Question) int64 { return drawWide(q, s.r.Uint64()) }

// Text implements [choices.Source].
func (s *plainly) Text(q *choices.Question) string { return q.DrawText(s.r.Uint64()) }

// firstSizes has the sizes of the first values; see rule 1.
var firstSizes = [...]int32{naturals + 1: 1, 32, 2, chance.NaturalSize, 8, 64}

// naturals is how many values come first that are extreme in nothing.
const naturals = 4

type sharing uint8

const (
	shareAll sharing = iota
	shareSome
	shareLittle
)

type features uint8

const (
	usualFeatures features = iota
	someLeftOut
	otherWeights
	oneEach
)

type integerStyle uint8

const (
	usualIntegers integerStyle = iota
	nearOrigin
	ascending
	descending
)

type textStyle uint8

const (
	usualTexts textStyle = iota
	shortTexts
	fewRunes
)

func newPlan(r *rand.Rand, i int) plan {
	switch {
	case i < naturals:
		return plan{size: chance.NaturalSize, grow: 1, seed: r.Uint64(), number: max(0, i)}
	case i == naturals:
		return plan{simplest: true, number: i}
	}
	s := chance.Words(r.Uint64())
	if i >= len(firstSizes) && s.Below(4) == 0 {
		return plan{plain: true}
	}
	p := plan{seed: s.Next(), number: i}

	p.grow = 1
	switch e := i % 10; {
	case i < len(firstSizes):
		p.size = firstSizes[i]
	case e < 5:
		p.size = 4<<e + int32(s.Below(4<<e))
	default:
		p.size = chance.NaturalSize
	}
	if p.size < chance.NaturalSize {
		p.grow = float64(int(1) << s.Below(6))
		p.sharing = [...]sharing{shareAll, shareSome, shareSome, shareLittle}[s.Below(4)]
	}
	if s.Below(2) == 0 {
		p.features = [...]features{someLeftOut, someLeftOut, otherWeights, oneEach}[s.Below(4)]
	}

	p.bits = uint8(s.Below(11))
	p.ints = [...]integerStyle{
		usualIntegers, usualIntegers, usualIntegers, usualIntegers, usualIntegers,
		nearOrigin, ascending, descending,
	}[s.Below(8)]
	if s.Below(3) == 0 {
		p.edges = [...]uint16{64, 192, 256}[s.Below(3)]
	}
	p.runes = uint8(1 + s.Below(3))
	p.texts = [...]textStyle{usualTexts, usualTexts, shortTexts, fewRunes}[s.Below(4)]
	if p.size <= 2 {
		p.ints, p.edges = nearOrigin, 0
		p.texts = shortTexts
	}

	if s.Below(2) == 0 {
		p.repeat = [...]uint16{16, 64, 128, 224}[s.Below(4)]
	}
	if s.Below(2) == 0 {
		p.again = [...]uint16{8, 32, 128}[s.Below(3)]
	}
	return p
}

// toSteps adapts a plan to a value with a sequence of steps.
func (p *plan) toSteps() {
	p.steps, p.simplest = true, false
	p.size, p.grow, p.sharing = chance.NaturalSize, 1, shareAll
	early := p.number < 8
	switch usual := (plan{number: p.number, steps: true, size: chance.NaturalSize, grow: 1, seed: p.seed}); {
	case early && p.number%2 == 0:
		*p, p.sure = usual, true
	case p.number%4 == 0:
		*p = usual
	case early || p.number%4 != 3:
		*p = usual
		p.ints, p.bits = nearOrigin, 2+uint8(p.seed&1)
	}
}

// varied is the source of [Varied] for a value that is extreme in some respect.
type varied struct {
	r *rand.Rand
	plan
	alts     []choices.Alt // buffer of Pick
	scopes   []variedScope // of the value, and of the picks around the question; then room for others
	depth    int           // the index of the innermost scope
	grown    int32         // steps so far
	going    int           // steps of a sequence of steps so far
	rejected int           // values thrown away
	families [families]variedFamily
	given    given
	room     *room // that scopes, given and alts have been given; nil once the value has ended
}

// room is memory for one value after the other.
type room struct {
	scopes  []variedScope
	answers []answer
	texts   []string
	alts    []choices.Alt
}

var rooms = sync.Pool{New: func() any { return &room{scopes: make([]variedScope, 0, 16)} }}

// EndValue lets the source give its memory to others. Package bigen calls it when the value has been
// made.
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

// variedScope is the branch of a pick that is being made, or the value as a whole.
type variedScope struct {
	end  int32  // the number of steps at which its share of the size is used up
	upto int32  // the same for the part being made
	slot uint32 // of the part being made: that of the last pick
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
func (s *varied) at() *variedScope { return s.scope(s.depth) }

// scope returns the scope at a depth, at most one beyond those that there have been.
func (s *varied) scope(depth int) *variedScope {
	if depth >= len(s.scopes) {
		s.scopes = append(s.scopes, variedScope{end: s.size, prev: -1})
	}
	return &s.scopes[depth]
}

const families = 16

// variedFamily holds what is known of picks with the same alternatives.
type variedFamily struct {
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
