package tune

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/internal/exact"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// A Point is a choice point of a generator: all questions of one kind that are asked in one
// slot below one tag. Picks are also distinguished by their alternatives.
type Point struct {
	Kind choices.Kind // Pick, Int or Uint
	Tags []string     // of a pick: its alternatives
	Slot uint32       // see choices.Choice.Slot
	In   string       // the tag that the enclosing pick has taken, "" if there is none, or Anywhere
}

// Anywhere is the In of a point that stands for all points that differ only in their In and
// have no sampler of their own.
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
		k.family = exact.FamilyOf(p.Tags)
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
// generator. If a point has a [Sampler], the sampler answers; otherwise, the generator's own
// distribution does. The latter also answers questions after a filter has discarded a value,
// since a model that knows nothing about the filter might never pass it.
//
// The answers depend only on the model and on random bits, on every machine. A Model may be
// used by several goroutines at once, unless one changes it.
type Model struct {
	points   []modelPoint
	index    map[pointKey]int
	anywhere bool // whether there may be a point that is Anywhere
	limit    int
	parts    []parts
	counted  [][]string

	other other // answers instead of samplers, unless it is nil
}

// A modelPoint is a point with its sampler.
type modelPoint struct {
	Point
	sampler Sampler
}

// parts says how many picks the branch of an alternative itself asks for: a node of a binary
// tree announces two.
type parts struct {
	Tags []string `json:"tags"` // the alternatives of the pick
	Tag  string   `json:"tag"`  // the one taken
	N    int      `json:"n"`
}

const (
	maxOutcomes  = 256
	maxCells     = 1 << 16
	defaultLimit = 10_000
	maxLimit     = 1 << 30
)

// New returns a model without samplers: values have the generator's own distribution.
func New() *Model { return &Model{index: map[pointKey]int{}, limit: defaultLimit} }

// OfExamples returns a model that makes values like, or unlike, examples. It has no samplers.
func OfExamples(e *bias.Examples) *Model {
	m := New()
	m.other = e
	return m
}

// Set lets s answer a point. Nil removes the sampler of the point. Set panics if the parameters
// of s are out of range, p is not a choice point, or m is of a kind without samplers.
func (m *Model) Set(p Point, s Sampler) {
	if err := m.set(p, s); err != nil {
		panic("tune: " + err.Error())
	}
}

func (m *Model) set(p Point, s Sampler) error {
	switch {
	case m.other != nil:
		return fmt.Errorf("a model of kind %q has no samplers", kindOf(m.other))
	case p.Kind != choices.Pick && p.Kind != choices.Int && p.Kind != choices.Uint:
		return fmt.Errorf("no sampler answers a question of kind %v", p.Kind)
	case p.Kind == choices.Pick && len(p.Tags) < 2:
		return fmt.Errorf("a pick of %d alternatives needs no sampler", len(p.Tags))
	}
	i, ok := m.index[p.key()]
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
		m.points = append(m.points, modelPoint{})
		m.index[p.key()] = i
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

// SetLimit bounds the answers of a run. Beyond the limit, the model takes first alternatives,
// and the run has failed. The default is 10,000. It panics unless n is at least 1.
func (m *Model) SetLimit(n int) {
	if n < 1 || n > maxLimit {
		panic(fmt.Sprintf("tune: a limit of %d answers: want at least 1", n))
	}
	m.limit = n
}

// params returns the parameters of all samplers, numbers from 0 to 1.
func (m *Model) params() []float64 {
	var all []float64
	for i := range m.points {
		all = append(all, m.points[i].sampler.params()...)
	}
	return all
}

// with returns a copy of m with other parameters.
func (m *Model) with(params []float64) *Model {
	c := m.clone()
	for i := range c.points {
		p := &c.points[i]
		n := len(p.sampler.params())
		p.sampler, params = p.sampler.with(params[:n]), params[n:]
	}
	return c
}

// clone returns a copy of m that shares the samplers.
func (m *Model) clone() *Model {
	c := *m
	c.points, c.index = slices.Clone(m.points), map[pointKey]int{}
	c.reindex()
	return &c
}

// Sample makes a value of g by the model. The error is [ErrLimit] or one of [bigen.Run].
func Sample[A any](m *Model, g bigen.Gen[A], r *rand.Rand) (A, error) {
	prior := m.Prior()
	v, err := bigen.Value(g, choices.RandomBy(r, prior))
	if run, ok := prior.(*runner); ok && err == nil && run.failed {
		err = ErrLimit
	}
	return v, err
}

// Prior returns m as a source of answers for [choices.RandomBy] and [choices.FromBytesBy]. It
// serves one run at a time.
func (m *Model) Prior() choices.Prior {
	if m.other != nil {
		return m.other.Prior()
	}
	return newRunner(m)
}

// Counted returns how many values a model of Grammar.Exact draws from, and the entropy of its
// choices, as binary logarithms. Both are 0 for other models.
func (m *Model) Counted() (values, bits float64) {
	if c, ok := m.other.(*exact.Counts); ok {
		return c.Values(), c.Bits()
	}
	return 0, 0
}
