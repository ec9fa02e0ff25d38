package predict

import (
	"errors"
	"fmt"
	"math"

	"golang.org/x/exp/slices"
)

// Exact makes values of a size and height, by counting all of them. [Grammar.Exact] makes it. It
// does not change, and several goroutines may use it at once.
type Exact struct {
	grammar        *Grammar
	sizes, heights [2]int
	tags           []string

	symbols  [][]rule // by type: what its alternatives lead to; of the root one
	families []family
	familyOf []int // by type
	pairs    []pair
	scale    float64 // the counts of size n are multiplied with scale^n

	// By type, height and size: in how many ways a pick is of the size, and at most, or exactly,
	// of the height.
	most, exact [][][]float64
}

// rule is an alternative, or the root, with forced picks replaced by what follows on them.
type rule struct {
	absent  bool
	size    int // of itself
	height  int // of itself
	symbols []symbol

	// By symbol, height and size: in how many ways the symbols from this one on, and the rule
	// itself, are of the size, and at most, or exactly, of the height.
	most, exact [][][]float64
}

// symbol is a pick of a type, so many counted picks deep in its rule.
type symbol struct{ typ, depth int }

// pair is a size and height that there is.
type pair struct {
	size, height int
	count        float64
}

// ErrUncounted is the error of [Grammar.Exact] if there are no values of the size and height, or
// too many.
var ErrUncounted = errors.New("cannot count values")

// ErrNone is the error, beside ErrUncounted, if there are no values of the size and height.
var ErrNone = errors.New("there are none")

// AnyHeight is the heights of [Grammar.Exact] that do not matter.
var AnyHeight = [2]int{0, math.MaxInt}

const (
	maxExactWork = 4e9 // bounds the multiplications of Grammar.Exact
	maxExactKept = 1e7 // and the numbers that it keeps
)

// Exact returns values whose size is from sizes[0] to sizes[1] and whose height is from heights[0]
// to heights[1]. As package tune's Size and Height, it counts the picks that take one of the tags;
// without tags, those that take another than the first of several alternatives, or the only one.
//
// All sizes and heights that there are occur equally often, and of values of the same size and
// height, all are equally likely, as far as their picks go, whatever the weights. With [AnyHeight],
// so are all of the same size. Exact takes time that grows with the square of the greatest size, and
// with the greatest height. The error wraps [ErrUncounted], unless no alternative has one of the tags.
func (g *Grammar) Exact(sizes, heights [2]int, tags ...string) (*Exact, error) {
	if sizes[0] < 0 || sizes[1] < sizes[0] || heights[0] < 0 || heights[1] < heights[0] {
		return nil, fmt.Errorf("predict: %w of %s", ErrUncounted, sought(sizes, heights))
	}
	if err := g.checkTags(tags); err != nil {
		return nil, err
	}
	e := &Exact{grammar: g, sizes: sizes, heights: heights, tags: slices.Clone(tags), families: g.families}
	e.compile(g)
	if heights == AnyHeight {
		heights = [2]int{}
	}
	tables := 2.
	for _, rules := range e.symbols {
		for _, r := range rules {
			tables += 2 * float64(len(r.symbols)+2)
		}
	}
	kept := tables * (float64(heights[1]) + 1) * (float64(sizes[1]) + 1)
	if kept > maxExactKept || kept*(float64(sizes[1])+2) > maxExactWork {
		return nil, fmt.Errorf("predict: %w of %s: that takes too long", ErrUncounted, sought(sizes, e.heights))
	}
	var err error
	for e.scale = 1; ; e.scale /= 16 {
		if err = e.count(sizes[1]+1, heights[1]+1); err != errOverflow {
			break
		}
		if e.scale < 1e-12 { // no scale helps where parts that do not count recur
			err = errors.New("there are infinitely many, or too many")
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("predict: %w of %s: %w", ErrUncounted, sought(sizes, e.heights), err)
	}
	for h := heights[0]; h <= heights[1]; h++ {
		for n := sizes[0]; n <= sizes[1]; n++ {
			if count := e.exact[0][h][n]; count > 0 {
				e.pairs = append(e.pairs, pair{n, h, count})
			}
		}
	}
	if len(e.pairs) == 0 {
		return nil, fmt.Errorf("predict: %w of %s: %w", ErrUncounted, sought(sizes, e.heights), ErrNone)
	}
	return e, nil
}

// sought describes sizes and heights.
func sought(sizes, heights [2]int) string {
	s := fmt.Sprintf("size %d to %d", sizes[0], sizes[1])
	if heights != AnyHeight {
		s += fmt.Sprintf(", height %d to %d", heights[0], heights[1])
	}
	return s
}

// Values returns the binary logarithm of the number of values, as far as their picks go.
func (e *Exact) Values() float64 {
	most := math.Inf(-1)
	for _, p := range e.pairs {
		most = max(most, e.log(p))
	}
	sum := 0.0
	for _, p := range e.pairs {
		sum += math.Exp2(e.log(p) - most)
	}
	return most + math.Log2(sum)
}

// Bits returns the entropy of the picks of values.
func (e *Exact) Bits() float64 {
	sum := 0.0
	for _, p := range e.pairs {
		sum += e.log(p)
	}
	return sum/float64(len(e.pairs)) + math.Log2(float64(len(e.pairs)))
}

// log returns the binary logarithm of the number of values of a pair.
func (e *Exact) log(p pair) float64 {
	return math.Log2(p.count) - float64(p.size)*math.Log2(e.scale)
}

// compile replaces forced picks by what follows on them.
func (e *Exact) compile(g *Grammar) {
	e.symbols, e.familyOf = make([][]rule, len(g.types)), make([]int, len(g.types))
	counts := func(t *typ, n int) bool {
		if len(e.tags) == 0 {
			return n > 0 || len(t.alts) == 1
		}
		return slices.Contains(e.tags, g.constructors[t.alts[n].constructor].Tag)
	}
	// add appends what follows on an alternative to a rule.
	var add func(r *rule, t *typ, n, depth int)
	expand := func(r *rule, typ, depth int) {
		if t := &g.types[typ]; len(t.alts) == 1 {
			add(r, t, 0, depth)
		} else {
			r.symbols = append(r.symbols, symbol{typ, depth})
		}
	}
	add = func(r *rule, t *typ, n, depth int) {
		a, inside := &t.alts[n], depth
		if a.constructor >= 0 && counts(t, n) {
			r.size++
			if e.heights != AnyHeight {
				inside++
				r.height = max(r.height, inside)
			}
		}
		for _, k := range a.kids {
			expand(r, k, inside)
		}
		if a.next >= 0 {
			expand(r, a.next, depth)
		}
	}
	for i := range g.types {
		t := &g.types[i]
		e.familyOf[i] = t.family
		if i > 0 && len(t.alts) == 1 {
			continue // forced
		}
		for n := range t.alts {
			r := rule{absent: t.alts[n].absent}
			if !r.absent {
				add(&r, t, n, 0)
			}
			e.symbols[i] = append(e.symbols[i], r)
		}
	}
}

// errOverflow says that counts need a smaller scale.
var errOverflow = errors.New("overflow")

// count counts the ways of all types, of less than so many sizes and heights.
func (e *Exact) count(sizes, heights int) error {
	table := func() [][]float64 {
		rows := make([][]float64, heights)
		for h := range rows {
			rows[h] = make([]float64, sizes)
		}
		return rows
	}
	e.most, e.exact = nil, nil
	for _, rules := range e.symbols {
		e.most, e.exact = append(e.most, table()), append(e.exact, table())
		for i := range rules {
			r := &rules[i]
			r.most, r.exact = nil, nil
			for range len(r.symbols) + 1 {
				r.most, r.exact = append(r.most, table()), append(r.exact, table())
			}
		}
	}
	for h := range heights {
		for n := range sizes {
			// What has no size of its own may lead to values of the same size.
			for pass := 0; e.pass(h, n); pass++ {
				if math.IsInf(e.most[0][h][n], 1) || math.IsNaN(e.most[0][h][n]) {
					return errOverflow
				}
				if pass > len(e.symbols) {
					return fmt.Errorf("there are infinitely many of size %d", n)
				}
			}
		}
	}
	return nil
}

// pass computes the ways to be of height h and size n. It reports whether they have changed.
func (e *Exact) pass(h, n int) (changed bool) {
	for i, rules := range e.symbols {
		most, exact := 0.0, 0.0
		for k := range rules {
			if r := &rules[k]; !r.absent && r.height <= h {
				e.rule(r, h, n)
				most += r.most[0][h][n]
				exact += r.exact[0][h][n]
			}
		}
		if most != e.most[i][h][n] || exact != e.exact[i][h][n] {
			changed = true
			e.most[i][h][n], e.exact[i][h][n] = most, exact
		}
	}
	return changed
}

func (e *Exact) rule(r *rule, h, n int) {
	end := len(r.symbols)
	if n == r.size {
		r.most[end][h][n] = e.scaled(r.size)
	}
	if h == r.height {
		r.exact[end][h][n] = r.most[end][h][n]
	}
	for j := end - 1; j >= 0; j-- {
		s := r.symbols[j]
		most, exact := 0.0, 0.0
		if s.depth <= h {
			for i := 0; i <= n; i++ {
				most += float64(e.most[s.typ][h-s.depth][i] * r.most[j+1][h][n-i])
				exact += float64(e.exact[s.typ][h-s.depth][i] * r.most[j+1][h][n-i])
				if s.depth < h {
					exact += float64(e.most[s.typ][h-s.depth-1][i] * r.exact[j+1][h][n-i])
				}
			}
		}
		if h == r.height {
			exact = most
		}
		r.most[j][h][n], r.exact[j][h][n] = most, exact
	}
}

// scaled returns the factor of counts of a size.
func (e *Exact) scaled(size int) float64 { return math.Pow(e.scale, float64(size)) }
