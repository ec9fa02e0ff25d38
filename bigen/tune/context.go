package tune

import (
	"github.com/espalier-go/espalier/bigen/tune/internal/exact"
	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// A Feature is what a sampler may know about a run when it answers a question: the
// execution context of GödelTest, section III-C. Features count picks, including picks of
// one alternative and picks of values that a filter has discarded.
type Feature string

const (
	// Depth is how many picks enclose the question.
	Depth Feature = "depth"

	// Nodes is how many picks have been taken so far, without picks that took the first of
	// several alternatives, which ends values.
	Nodes Feature = "nodes"

	// promised is Nodes plus the parts that the enclosing picks have announced but not yet
	// asked for; see Model.parts.
	promised Feature = "promised"
)

// counted are the numbers of picks so far that have taken one of a set of tags of
// Model.counted.
var counted = [...]Feature{"counted", "counted2", "counted3"}

// A situation holds the features of a question.
type situation struct {
	depth, nodes, promised int
	counted                [len(counted)]int
}

// of returns a feature, and whether there is one of that name.
func (c *situation) of(f Feature) (n int, ok bool) {
	switch f {
	case Depth:
		return c.depth, true
	case Nodes:
		return c.nodes, true
	case promised:
		return c.promised, true
	}
	if i := slices.Index(counted[:], f); i >= 0 {
		return c.counted[i], true
	}
	return 0, false
}

// set sets a feature, if there is one of that name.
func (c *situation) set(f Feature, n int) {
	switch f {
	case Depth:
		c.depth = n
	case Nodes:
		c.nodes = n
	case promised:
		c.promised = n
	}
	if i := slices.Index(counted[:], f); i >= 0 {
		c.counted[i] = n
	}
}

// A Given divides the values of a feature into cells: value/Width, at most Cells-1.
type Given struct {
	Feature Feature `json:"feature"`
	Width   int     `json:"width"` // at least 1
	Cells   int     `json:"cells"` // at least 1
}

// cell returns the cell of a context among the cells of several features.
func (c *situation) cell(given []Given) int {
	cell := 0
	for _, g := range given {
		n, _ := c.of(g.Feature)
		cell = cell*g.Cells + min(n/g.Width, g.Cells-1)
	}
	return cell
}

// cellsOf returns how many cells there are, or some number above maxCells.
func cellsOf(given []Given) int {
	n := 1
	for _, g := range given {
		if n > maxCells {
			break
		}
		n *= g.Cells
	}
	return n
}

// A tracker follows a run and knows the situation of each question.
type tracker struct {
	at      situation
	stack   []branch
	parts   map[alternative]int
	counted map[uint32][]int // the sets that have a tag, by its hash
}

// newTracker returns a tracker of the features that the samplers of m use.
func newTracker(m *Model) tracker {
	t := tracker{parts: map[alternative]int{}, counted: map[uint32][]int{}}
	for _, p := range m.parts {
		t.parts[alternative{exact.FamilyOf(p.Tags), tagHash(p.Tag)}] = p.N
	}
	for i, set := range m.counted {
		for _, tag := range set {
			t.counted[tagHash(tag)] = append(t.counted[tagHash(tag)], i)
		}
	}
	return t
}

// branch is a pick that has been entered.
type branch struct {
	tag  uint32 // hash
	open int    // parts that have been announced, but not yet asked for
}

// alternative identifies one of the alternatives of a pick.
type alternative struct {
	family uint16
	tag    uint32
}

func (t *tracker) begin() {
	t.at = situation{}
	t.stack = t.stack[:0]
}

// in returns the tag of the enclosing pick, or 0 if there is none.
func (t *tracker) in() uint32 {
	if len(t.stack) == 0 {
		return 0
	}
	return t.stack[len(t.stack)-1].tag
}

// picked enters the branch of alternative n.
func (t *tracker) picked(q *choices.Question, n int) {
	if len(t.stack) > 0 {
		if around := &t.stack[len(t.stack)-1]; around.open > 0 {
			around.open--
			t.at.promised--
		}
	}
	b := branch{tag: tagHash(q.Alts[n].Tag)}
	if n > 0 || len(q.Alts) == 1 {
		t.at.nodes++
		t.at.promised++
	}
	for _, set := range t.counted[b.tag] {
		t.at.counted[set]++
	}
	if len(t.parts) > 0 {
		b.open = t.parts[alternative{q.Family(), b.tag}]
		t.at.promised += b.open
	}
	t.stack = append(t.stack, b)
	t.at.depth++
}

func (t *tracker) leave() {
	last := len(t.stack) - 1
	t.at.promised -= t.stack[last].open
	t.stack = t.stack[:last]
	t.at.depth--
}
