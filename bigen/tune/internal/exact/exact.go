// Package exact makes values of given sizes and heights by counting all of them.
package exact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A Language is a context-free generator as data: what its picks lead to, and which sizes and
// heights its values have. It is the data of a model of kind "exact".
type Language struct {
	Sizes   [2]int  `json:"sizes"`             // the smallest and the largest
	Heights *[2]int `json:"heights,omitempty"` // nil for any
	Types   []Type  `json:"types"`             // the first is the root, of one rule
}

// A Type is a set of picks that lead to the same picks.
type Type struct {
	Tags  []string `json:"tags,omitempty"` // their alternatives
	Rules []Rule   `json:"rules"`          // of each alternative
}

// A Rule is an alternative, or the root, with forced picks replaced by what follows them.
type Rule struct {
	Absent bool     `json:"absent,omitempty"` // never taken
	Size   int      `json:"size,omitempty"`   // of itself
	Height int      `json:"height,omitempty"` // of itself
	Parts  [][2]int `json:"parts,omitempty"`  // picks: type, and depth in counted picks
}

// Counts say in how many ways values of a language are made. They do not change, and several
// goroutines may use them at once. The zero value must be unmarshaled before use.
type Counts struct {
	Language
	families []uint16 // by type
	rules    [][]rule // by type
	pairs    []pair
	scale    float64 // the counts of size n are multiplied with scale^n
	work     float64 // multiplications so far

	// By type, height and size: in how many ways a pick is of the size, and at most, or exactly,
	// of the height.
	most, exact []table
}

// A table has a row for each height, and a column for each size.
type table [][]float64

type rule struct {
	*Rule

	// By part: in how many ways the parts from this one on, and the rule itself, are of the size,
	// and at most, or exactly, of the height.
	most, exact []table
}

// pair is a size and height that values have.
type pair struct {
	size, height int
	count        float64
}

// ErrNone is the error if there are no values of the sizes and heights.
var ErrNone = errors.New("there are none")

var (
	errOverflow = errors.New("overflow") // counts need a smaller scale
	errWork     = errors.New("that takes too long")
)

const (
	maxWork = 1e9 // bounds the multiplications of all scales
	maxKept = 1e7 // and the numbers that are kept
)

// FamilyOf returns the family of alternatives; see [choices.Question.Family].
func FamilyOf(tags []string) uint16 {
	var q choices.Question
	for _, tag := range tags {
		q.Alts = append(q.Alts, choices.Alt{Tag: tag, Code: hash.TagCode(tag)})
	}
	return q.Family()
}

// MarshalJSON returns the language.
func (c *Counts) MarshalJSON() ([]byte, error) { return json.Marshal(c.Language) }

// UnmarshalJSON reads a language and counts its values.
func (c *Counts) UnmarshalJSON(data []byte) error {
	n := &Counts{scale: 1}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&n.Language); err != nil {
		return err
	}
	if err := n.check(); err != nil {
		return err
	}
	if err := n.fill(); err != nil {
		return fmt.Errorf("cannot count values of %s: %w", n.sought(), err)
	}
	*c = *n
	return nil
}

// check reports what is out of range.
func (l *Language) check() error {
	if len(l.Types) == 0 || len(l.Types[0].Rules) != 1 || len(l.Types[0].Tags) > 0 {
		return errors.New("it has no root")
	}
	for i := range l.Types {
		t := &l.Types[i]
		if len(t.Tags) == 0 {
			t.Tags = nil // as MarshalJSON leaves them out
		}
		if i > 0 && len(t.Rules) != len(t.Tags) {
			return fmt.Errorf("type %d has %d alternatives, and rules for %d", i, len(t.Tags), len(t.Rules))
		}
		for k := range t.Rules {
			if err := l.checkRule(i, &t.Rules[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkRule reports what is out of range in a rule of type i.
func (l *Language) checkRule(i int, r *Rule) error {
	if len(r.Parts) == 0 {
		r.Parts = nil
	}
	if r.Size < 0 || r.Height < 0 {
		return fmt.Errorf("type %d has a rule of size %d, height %d", i, r.Size, r.Height)
	}
	for _, p := range r.Parts {
		to, height := p[0], p[1]
		if to < 1 || to >= len(l.Types) || len(l.Types[to].Rules) == 0 || height < 0 ||
			height > r.Height {
			return fmt.Errorf("type %d leads to a type %d, %d deep", i, to, height)
		}
	}
	return nil
}

// sought describes sizes and heights.
func (l *Language) sought() string {
	s := fmt.Sprintf("size %d to %d", l.Sizes[0], l.Sizes[1])
	if l.Heights != nil {
		s += fmt.Sprintf(", height %d to %d", l.Heights[0], l.Heights[1])
	}
	return s
}

// fill counts, in a scale in which counts neither overflow nor underflow.
func (c *Counts) fill() error {
	heights, err := c.prepare()
	if err != nil {
		return err
	}
	overflows, underflows := 0.0, 0.0 // scales, once known
	for range 100 {
		at, err := c.count(c.Sizes[1]+1, heights[1]+1)
		switch {
		case err == errOverflow && underflows == 0:
			overflows = c.scale
			// Counts grow by some factor from each size to the next.
			c.scale *= math.Exp2(-min(4, 1024/float64(at)))
			if c.scale < 1e-13 || at == 0 { // no scale helps
				return errors.New("there are infinitely many, or too many")
			}
			continue
		case err == errOverflow:
			overflows = c.scale
		case err != nil:
			return err
		case c.takePairs(heights):
			return nil
		case overflows == 0 || overflows < 1.0001*c.scale:
			return ErrNone
		default: // or counts underflow
			underflows = c.scale
		}
		c.scale = math.Sqrt(overflows * underflows)
	}
	return ErrNone
}

// prepare sets the families and rules of types, and returns the range of heights. It reports what
// is wrong with the ranges, or that counting would take too long.
func (c *Counts) prepare() (heights [2]int, err error) {
	if c.Heights != nil {
		heights = *c.Heights
	}
	if c.Sizes[0] < 0 || c.Sizes[1] < c.Sizes[0] || heights[0] < 0 || heights[1] < heights[0] {
		return heights, errors.New("the range is empty")
	}
	tables := 2.
	for i := range c.Types {
		t := &c.Types[i]
		c.families = append(c.families, FamilyOf(t.Tags))
		var rules []rule
		for k := range t.Rules {
			rules = append(rules, rule{Rule: &t.Rules[k]})
			tables += 2 * float64(len(t.Rules[k].Parts)+2)
		}
		c.rules = append(c.rules, rules)
	}
	kept := tables * (float64(heights[1]) + 1) * (float64(c.Sizes[1]) + 1)
	if kept > maxKept || kept*(float64(c.Sizes[1])+2) > maxWork {
		return heights, errWork
	}
	return heights, nil
}

// takePairs records the sizes and heights that values have, if any.
func (c *Counts) takePairs(heights [2]int) bool {
	for h := heights[0]; h <= heights[1]; h++ {
		for n := c.Sizes[0]; n <= c.Sizes[1]; n++ {
			if count := c.exact[0][h][n]; count > 0 {
				c.pairs = append(c.pairs, pair{n, h, count})
			}
		}
	}
	return len(c.pairs) > 0
}

// count counts the ways of all types, for sizes and heights below limits. With an error, it
// returns the size at which it stops.
func (c *Counts) count(sizes, heights int) (at int, err error) {
	c.most, c.exact = tables(len(c.rules), sizes, heights), tables(len(c.rules), sizes, heights)
	for _, rules := range c.rules {
		for i := range rules {
			r := &rules[i]
			r.most = tables(len(r.Parts)+1, sizes, heights)
			r.exact = tables(len(r.Parts)+1, sizes, heights)
		}
	}
	for h := range heights {
		for n := range sizes {
			if err := c.countSize(h, n); err != nil {
				return n, err
			}
		}
	}
	return sizes, nil
}

func tables(n, sizes, heights int) []table {
	list := make([]table, n)
	for i := range list {
		list[i] = make(table, heights)
		for h := range list[i] {
			list[i][h] = make([]float64, sizes)
		}
	}
	return list
}

// countSize counts the ways of all types for a height and a size. It takes several passes: a part
// without a size of its own may lead to values of the same size.
func (c *Counts) countSize(h, n int) error {
	for pass := 0; c.pass(h, n); pass++ {
		switch {
		case math.IsInf(c.most[0][h][n], 1) || math.IsNaN(c.most[0][h][n]):
			return errOverflow
		case c.work > maxWork:
			return errWork
		case pass > len(c.rules):
			return fmt.Errorf("there are infinitely many of size %d", n)
		}
	}
	return nil
}

// pass computes the numbers of ways for height h and size n. It reports whether they have
// changed.
func (c *Counts) pass(h, n int) (changed bool) {
	for i, rules := range c.rules {
		most, exact := 0.0, 0.0
		for k := range rules {
			if r := &rules[k]; !r.Absent && r.Height <= h {
				c.rule(r, h, n)
				most += r.most[0][h][n]
				exact += r.exact[0][h][n]
			}
		}
		if most != c.most[i][h][n] || exact != c.exact[i][h][n] {
			changed = true
			c.most[i][h][n], c.exact[i][h][n] = most, exact
		}
	}
	return changed
}

// rule computes the ways of a rule, from its last part to its first.
func (c *Counts) rule(r *rule, h, n int) {
	end := len(r.Parts)
	c.work += float64(end+1) * float64(n+1)
	if n == r.Size {
		r.most[end][h][n] = math.Pow(c.scale, float64(n))
	}
	if h == r.Height {
		r.exact[end][h][n] = r.most[end][h][n]
	}
	for j := end - 1; j >= 0; j-- {
		typ, below := r.Parts[j][0], h-r.Parts[j][1]
		most, exact := 0.0, 0.0
		partMost, partExact := c.most[typ][below], c.exact[typ][below]
		restMost, restExact := r.most[j+1][h], r.exact[j+1][h]
		for i := 0; i <= n; i++ {
			most += float64(partMost[i] * restMost[n-i])
			exact += float64(partExact[i] * restMost[n-i])
			if below > 0 {
				exact += float64(c.most[typ][below-1][i] * restExact[n-i])
			}
		}
		if h == r.Height {
			exact = most
		}
		r.most[j][h][n], r.exact[j][h][n] = most, exact
	}
}

// Values returns the binary logarithm of the number of values, as far as their picks go.
func (c *Counts) Values() float64 {
	most, sum := math.Inf(-1), 0.0
	for _, p := range c.pairs {
		most = max(most, c.log(p))
	}
	for _, p := range c.pairs {
		sum += math.Exp2(c.log(p) - most)
	}
	return most + math.Log2(sum)
}

// Bits returns the entropy of the picks of values.
func (c *Counts) Bits() float64 {
	sum := 0.0
	for _, p := range c.pairs {
		sum += c.log(p)
	}
	return sum/float64(len(c.pairs)) + math.Log2(float64(len(c.pairs)))
}

// log returns the binary logarithm of the number of values of a pair.
func (c *Counts) log(p pair) float64 {
	return math.Log2(p.count) - float64(p.size)*math.Log2(c.scale)
}
