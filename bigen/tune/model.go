package tune

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A Point is a choice point of a generator: all questions of one kind, which are asked in one
// slot below one tag. Picks are distinguished by their alternatives, too.
type Point struct {
	Kind choices.Kind // Pick, Int or Uint
	Tags []string     // of a pick: its alternatives
	Slot uint32       // see choices.Choice.Slot
	In   string       // the tag that the pick around has taken, "" if there is none, or Anywhere
}

// Anywhere is the In of a point that stands for all points that differ in it alone and have no
// sampler of their own.
const Anywhere = "*"

// pointKey is what identifies a point within a run.
type pointKey struct {
	kind   choices.Kind
	family uint16
	slot   uint32
	in     uint32
}

func (p *Point) key() pointKey {
	k := pointKey{kind: p.Kind, slot: p.Slot}
	if p.In != "" {
		k.in = tagHash(p.In)
	}
	if p.Kind == choices.Pick {
		alts := make([]choices.Alt, len(p.Tags))
		for i, tag := range p.Tags {
			alts[i] = choices.MakeAlt(tag, 0)
		}
		k.family = choices.Family(alts)
	}
	return k
}

// tagHash returns the hash of a tag, which is not 0.
func tagHash(tag string) uint32 { return hash.FNV32(tag) | 1 }

// String describes p in an error or a report, as in "leaf|node in node".
func (p *Point) String() string {
	what := "an integer"
	if p.Kind == choices.Pick {
		what = strings.Join(p.Tags, "|")
	}
	switch p.In {
	case "":
	case Anywhere:
		what += " anywhere"
	default:
		what += " in " + p.In
	}
	return what
}

// A Model is a choice model (GödelTest, section III-C): it answers the questions of a
// generator. A point that has a [Sampler] is answered by it, any other by the generator's own
// distribution. So is a question after a filter has thrown away a value, since a model that
// knows nothing of the filter might never pass it.
//
// The answers depend on the model and on random bits alone, on every machine. A Model may be
// used by several goroutines at once, unless one changes it.
type Model struct {
	points []modelPoint
	index  map[pointKey]int
	parts  []Parts
	arity  map[alternative]int
	limit  int

	counted   [][]string
	countedBy map[uint32][]Feature // by the hash of a tag

	anywhere bool // whether there may be a point that is Anywhere
}

type modelPoint struct {
	Point
	sampler Sampler
}

// Parts says how many picks the branch of an alternative asks for itself: a node of a binary
// tree announces two.
type Parts struct {
	Tags []string // the alternatives of the pick
	Tag  string   // the one taken
	N    int
}

const (
	maxOutcomes  = 256
	maxCells     = 1 << 16
	defaultLimit = 10_000
	maxLimit     = 1 << 30
)

// New returns a model without samplers: values have the generator's own distribution.
func New() *Model { return &Model{index: map[pointKey]int{}, limit: defaultLimit} }

// Set makes s answer a point. Nil removes its sampler. It panics if the parameters of s are out
// of range, or p is no choice point.
func (m *Model) Set(p Point, s Sampler) {
	if err := m.set(p, s); err != nil {
		panic("tune: " + err.Error())
	}
}

func (m *Model) set(p Point, s Sampler) error {
	switch {
	case p.Kind != choices.Pick && p.Kind != choices.Int && p.Kind != choices.Uint:
		return fmt.Errorf("no sampler answers a question of kind %v", p.Kind)
	case p.Kind == choices.Pick && len(p.Tags) < 2:
		return fmt.Errorf("a pick of %d alternatives needs no sampler", len(p.Tags))
	}
	key := p.key()
	i, ok := m.index[key]
	if s == nil {
		if ok {
			m.points = slices.Delete(m.points, i, i+1)
			m.reindex()
		}
		return nil
	}
	if err := s.check(); err != nil {
		return fmt.Errorf("%v: %w", &p, err)
	}
	if n := cellsOf(s.given()); n > maxCells {
		return fmt.Errorf("%v: the sampler distinguishes %d contexts: want at most %d", &p, n, maxCells)
	}
	if !ok {
		i = len(m.points)
		m.points = append(m.points, modelPoint{Point: p})
		m.index[key] = i
	}
	m.points[i] = modelPoint{p, s}
	m.anywhere = m.anywhere || p.In == Anywhere
	return nil
}

func (m *Model) reindex() {
	clear(m.index)
	for i := range m.points {
		m.index[m.points[i].key()] = i
	}
}

// find returns which point answers a question.
func (m *Model) find(key pointKey) (i int, ok bool) {
	i, ok = m.index[key]
	if !ok && m.anywhere {
		key.in = tagHash(Anywhere)
		i, ok = m.index[key]
	}
	return i, ok
}

// Points returns the points that have a sampler, in the order in which they were set.
func (m *Model) Points() []Point {
	all := make([]Point, len(m.points))
	for i := range m.points {
		all[i] = m.points[i].Point
	}
	return all
}

// Sampler returns the sampler of a point, nil if it has none.
func (m *Model) Sampler(p Point) Sampler {
	if i, ok := m.index[p.key()]; ok {
		return m.points[i].sampler
	}
	return nil
}

// SetParts says what alternatives announce, for the feature [Promised].
func (m *Model) SetParts(parts ...Parts) {
	m.parts = slices.Clone(parts)
	m.arity = nil
	if len(parts) == 0 {
		return
	}
	m.arity = map[alternative]int{}
	for _, p := range parts {
		point := Point{Tags: p.Tags}
		m.arity[alternative{point.key().family, tagHash(p.Tag)}] = p.N
	}
}

// MaxCounted is how many sets of tags a model counts.
const MaxCounted = int(features - Counted)

// SetCounted says which tags are counted together, for the features [Counted], [Counted2] and
// [Counted3]. It panics if there are more than [MaxCounted] sets.
func (m *Model) SetCounted(tags ...[]string) {
	if len(tags) > MaxCounted {
		panic(fmt.Sprintf("tune: %d sets of tags to count: want at most %d", len(tags), MaxCounted))
	}
	m.counted, m.countedBy = nil, nil
	if len(tags) == 0 {
		return
	}
	m.counted, m.countedBy = slices.Clone(tags), map[uint32][]Feature{}
	for i, set := range tags {
		for _, tag := range set {
			m.countedBy[tagHash(tag)] = append(m.countedBy[tagHash(tag)], Counted+Feature(i))
		}
	}
}

// SetLimit bounds the answers of a run: from then on, the model takes first alternatives, and
// the run has failed. The default is 10,000. It panics unless n is at least 1.
func (m *Model) SetLimit(n int) {
	if n < 1 || n > maxLimit {
		panic(fmt.Sprintf("tune: a limit of %d answers: want at least 1", n))
	}
	m.limit = n
}

// Params returns the parameters of all samplers, numbers from 0 to 1, for an optimizer.
func (m *Model) Params() []float64 {
	var all []float64
	for i := range m.points {
		all = append(all, m.points[i].sampler.Params()...)
	}
	return all
}

// With returns a copy of m with other parameters. It panics unless there are as many, from 0
// to 1.
func (m *Model) With(params []float64) *Model {
	c := m.Clone()
	rest := params
	for i := range c.points {
		p := &c.points[i]
		n := len(p.sampler.Params())
		if n > len(rest) {
			break
		}
		p.sampler = p.sampler.With(rest[:n])
		if err := p.sampler.check(); err != nil {
			panic("tune: " + err.Error())
		}
		rest = rest[n:]
	}
	if n := len(m.Params()); n != len(params) {
		panic(fmt.Sprintf("tune: %d parameters: want %d", len(params), n))
	}
	return c
}

// Clone returns a copy of m.
func (m *Model) Clone() *Model {
	c := New()
	c.points, c.anywhere = slices.Clone(m.points), m.anywhere
	c.reindex()
	c.SetParts(m.parts...)
	c.SetCounted(m.counted...)
	c.limit = m.limit
	return c
}

// compiled is a model made ready to answer: it remembers sums of weights.
type compiled struct {
	points []compiledPoint
	kept   int // numbers
}

type compiledPoint struct {
	sampler  Sampler
	given    []Given
	outcomes int
	known    []known
}

// known holds the sums of weights for so many outcomes.
type known struct {
	outcomes int
	cells    map[int][]uint64 // by cell: the sums of the weights up to each outcome
}

// maxKept bounds what is remembered: 8 MiB.
const maxKept = 1 << 20

func (m *Model) compile() compiled {
	c := compiled{points: make([]compiledPoint, len(m.points))}
	for i := range m.points {
		s := m.points[i].sampler
		c.points[i] = compiledPoint{sampler: s, given: s.given(), outcomes: s.outcomes()}
	}
	return c
}

// sums returns the sums of weights of a point in a cell.
func (c *compiled) sums(p *compiledPoint, at *Context, cell, outcomes int) []uint64 {
	k := p.of(outcomes)
	sums := k.cells[cell]
	if sums == nil {
		if c.kept > maxKept {
			for i := range c.points {
				c.points[i].known = nil
			}
			c.kept = 0
			k = p.of(outcomes)
		}
		sums = sumsOf(p.sampler, at, outcomes)
		k.cells[cell] = sums
		c.kept += outcomes + 8
	}
	return sums
}

func (p *compiledPoint) of(outcomes int) *known {
	for i := range p.known {
		if p.known[i].outcomes == outcomes {
			return &p.known[i]
		}
	}
	p.known = append(p.known, known{outcomes, map[int][]uint64{}})
	return &p.known[len(p.known)-1]
}

func sumsOf(s Sampler, at *Context, outcomes int) []uint64 {
	sums := make([]uint64, outcomes)
	s.weights(at, sums)
	sum := uint64(0)
	for i, w := range sums {
		sum += w
		sums[i] = sum
	}
	if sum == 0 { // the first outcome
		for i := range sums {
			sums[i] = 1
		}
	}
	return sums
}

// draw returns an outcome.
func draw(sums []uint64, word uint64) int {
	total := sums[len(sums)-1]
	x, _ := bits.Mul64(word, total)
	if len(sums) <= 8 {
		k := 0
		for sums[k] <= x {
			k++
		}
		return k
	}
	k, _ := slices.BinarySearchFunc(sums, x, func(sum, x uint64) int {
		if sum <= x {
			return -1
		}
		return 1
	})
	return k
}

// information returns the information of an outcome in bits.
func information(sums []uint64, k int) float64 {
	w := sums[k]
	if k > 0 {
		w -= sums[k-1]
	}
	return math.Log2(float64(sums[len(sums)-1]) / float64(w))
}
