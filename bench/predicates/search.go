package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/choices"
	"math/rand/v2"
)

// A derived is a generator that has passed the checks.
type derived[A any] struct {
	gen  bigen.Gen[A]
	kind string // of the template
	text string // the template, in a few words
}

// passes returns what is wrong with a generator: it makes an invalid value, or lacks a valid one of
// one of the wide generators, or these make too few valid values to tell.
func passes[A any](g bigen.Gen[A], valid func(A) bool, wide ...bigen.Gen[A]) (problem string) {
	run := func(check func(testing.TB)) string {
		t := &recorder{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			check(t)
		}()
		<-done
		return t.problem
	}
	problem = run(func(t testing.TB) { bigentest.Sound(t, g, valid, bigentest.Runs(200)) })
	if problem != "" {
		return "not sound: " + problem
	}
	for _, w := range wide {
		if problem = run(func(t testing.TB) { bigentest.Complete(t, w, valid, g) }); problem != "" {
			return "not complete: " + problem
		}
	}
	return ""
}

// A recorder is a testing.TB that keeps the first failure.
type recorder struct {
	testing.TB
	problem string
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(format string, args ...any) {
	if r.problem == "" {
		r.problem = strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	}
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// ofRecord reports whether the value is one struct.
func (p *predicate) ofRecord() bool { return p.fields != nil && !p.list }

func (p *predicate) step() int { return max(1, len(p.fields)) }

// alphabet is how many letters there are in all: 0 if they are those of the predicate.
func (p *predicate) alphabet() int {
	return map[string]int{"string": 0x400, "[]byte": 0x100}[p.goType]
}

// any makes any element, as bigen.For does.
func (p *predicate) any() bigen.Gen[int] {
	switch {
	case p.goType == "string":
		return bigen.Iso(bigen.Rune(nil), func(r rune) int { return int(r) },
			func(x int) (rune, bool) { return rune(x), true })
	case p.goType == "[]byte":
		return bigen.IntRange(0, 255)
	case p.letters != nil:
		return bigen.OneOf(p.letters...)
	}
	return bigen.Iso(bigen.Int[int32](), func(x int32) int { return int(x) },
		func(x int) (int32, bool) { return int32(x), int(int32(x)) == x })
}

// values makes structural values of given elements, valid or not.
func (p *predicate) values(elem bigen.Gen[int], most int) bigen.Gen[[]int] {
	row := bigen.SliceOf(elem, p.step(), p.step())
	switch {
	case p.ofRecord():
		return row
	case p.list:
		return flat(bigen.SliceOf(row, 0, most), p.step())
	case p.goType == "string" && most == maxLen:
		return bigen.Iso(bigen.String(most), runes, func(v []int) (string, bool) { return str(v), true })
	}
	return bigen.SliceOf(elem, 0, most)
}

// structural makes what a plain filter is applied to: what bigen.For makes of the type.
func (p *predicate) structural() bigen.Gen[[]int] { return p.values(p.any(), maxLen) }

// search finds the first template that passes the checks.
func (p *predicate) search() (d *derived[[]int], tried int, why string) {
	elements, example := p.letters, []int(nil)
	if elements == nil {
		elements = []int{-1, 0, 1, 2, 3}
	}
	wider := []int{-2, -1, 0, 1, 2, 3, 4, 5, 6}
	if p.ofRecord() {
		random := p.random(1)
		if random == nil {
			return nil, 0, "no valid value found"
		}
		example = random[0]
		elements, wider = slices.Clone(elements), slices.Clone(wider)
		for _, x := range example {
			elements = append(elements, x-1, x, x+1)
		}
		slices.Sort(elements)
		elements = slices.Compact(elements)
		wider = append(wider, elements...)
		slices.Sort(wider)
		wider = slices.Compact(wider)
	}
	depth := depthFor(len(elements)) / p.step() * p.step()
	if p.ofRecord() {
		depth = p.step()
	}
	t := explore(nil, elements, depth, p.step(), func(v []int) bool {
		return (len(v) > 0 || !p.ofRecord()) && p.valid(v)
	})
	if !t.viable {
		return nil, 0, "no valid value of up to " + fmt.Sprint(depth) + " elements"
	}
	if example == nil {
		example = t.shortest(elements, depth)
	}
	if example == nil {
		return nil, 0, "only the empty value is valid"
	}
	// Each wide generator is for one way to be incomplete: other elements, more of them, others yet.
	wide := []bigen.Gen[[]int]{p.values(bigen.OneOf(elements...), depth)}
	switch n := p.alphabet(); {
	case n > 0:
		wide = append(wide, p.values(bigen.IntRange(0, n-1), 2))
	case p.letters == nil:
		wide = append(wide, p.values(bigen.OneOf(wider...), depth))
	}
	if random := p.random(200); len(random) > 0 {
		wide = append(wide, bigen.OneOf(random...))
	}
	check := func(g bigen.Gen[[]int]) bool {
		tried++
		why = passes(g, p.valid, wide...)

		return why == ""
	}
	why = "no template agrees with the short values"
	for _, family := range []family{p.byBounds, p.byStates, p.byElement} {
		d, n := family(t, elements, example, depth, check)
		if tried += n; d != nil {
			return d, tried, ""
		}
	}
	return nil, tried, why
}

// A family tries the templates of one kind. It returns what passes the check, and how many it has
// compared with the short lists, of up to depth elements.
type family func(t *trie, elements, example []int, depth int, check func(bigen.Gen[[]int]) bool) (
	d *derived[[]int], tried int)

// random returns up to n values of bigen.For that are valid.
func (p *predicate) random(n int) (found [][]int) {
	r := rand.New(rand.NewPCG(1, 2))
	g := p.structural()
	for range budget {
		if v, err := bigen.Value(g, choices.Random(r)); err == nil && p.valid(v) {
			if found = append(found, v); len(found) == n {
				break
			}
		}
	}
	return found
}

func (p *predicate) byBounds(t *trie, elements, example []int, depth int,
	check func(bigen.Gen[[]int]) bool,
) (*derived[[]int], int) {
	if p.letters != nil {
		return nil, 0
	}
	step, isList, least := p.step(), !p.ofRecord(), 0
	if isList && !t.valid {
		least = len(example)
	}
	closed := !isList || t.closed(elements, depth-1, step, least)
	fixedSum, total := true, sum(example)
	t.walk(nil, elements, depth, func(v []int, at *trie) bool {
		fixedSum = fixedSum && (!at.valid || sum(v) == total)
		return fixedSum
	})
	trusted := depth - 1
	if !closed {
		if !fixedSum || step > 1 {
			return nil, 0
		}
		trusted = depth / 2
	}
	tried := 0
	perColumn := make([][]column, step)
	for c := range step {
		all := terms(step, c, isList, total, fixedSum)
		fit, n := columnsFor(t, elements, trusted, step, c, all, isList)
		if tried += n; len(fit) == 0 {
			return nil, tried
		}
		perColumn[c] = fit
	}
	for i := range 20 { // the combinations, the simplest first: one column changes after another
		b := &bounds{list: isList, least: least / step, ends: !closed}
		for _, fit := range perColumn {
			b.columns = append(b.columns, fit[min(i, len(fit)-1)])
		}
		one := example
		if isList && len(example) != step {
			one = nil
		}
		if one != nil && !b.ends {
			b.stretch(one, p.valid)
		}
		if g := b.gen(); check(g) {
			return &derived[[]int]{gen: g, kind: "ranges", text: b.describe()}, tried
		}
		if p.ofRecord() {
			g := b.filtered(p.valid)
			if check(g) {
				return &derived[[]int]{gen: g, kind: "ranges, last field filtered", text: b.describe()}, tried
			}
		}
	}
	return nil, tried
}

func (p *predicate) byStates(t *trie, elements, _ []int, depth int,
	check func(bigen.Gen[[]int]) bool,
) (d *derived[[]int], tried int) {
	if p.letters == nil {
		return nil, 0
	}
	attempt := func(kind string, s *states) bool {
		if tried++; !s.agrees(t, depth) {
			return false
		}
		s.class = classes(t, elements, depth, p.alphabet(), p.valid)
		if g := s.gen(); check(g) {
			d = &derived[[]int]{gen: g, kind: kind, text: s.text}
		}
		return d != nil
	}
	if s := automaton(t, elements, depth); s != nil && attempt("automaton", s) {
		return d, tried
	}
	counters(elements, func(s *states) bool { return !attempt("counter", s) })
	return d, tried
}

// byElement filters each element, or struct, by the predicate of the list so far.
func (p *predicate) byElement(t *trie, elements, example []int, depth int,
	check func(bigen.Gen[[]int]) bool,
) (*derived[[]int], int) {
	step, least := p.step(), 0
	if !t.valid {
		least = len(example)
	}
	if p.ofRecord() || !t.closed(elements, depth-1, step, least) {
		return nil, 0
	}
	g := flat(bigen.SliceBy(func(v [][]int) (bigen.Gen[[]int], bool) {
		before := slices.Concat(v...)
		return bigen.SuchThat(bigen.SliceOf(p.any(), step, step), func(x []int) bool {
			return p.valid(append(before[:len(before):len(before)], x...))
		}), true
	}, least/step, maxLen), step)
	if !check(g) {
		return nil, 0
	}
	return &derived[[]int]{gen: g, kind: "elements filtered", text: "by the list so far"}, 0
}

// filtered makes a struct by the template, but tries its last column until the struct is valid.
func (b *bounds) filtered(valid func([]int) bool) bigen.Gen[[]int] {
	last := len(b.columns) - 1
	return bigen.SliceBy(func(v []int) (bigen.Gen[int], bool) {
		lo, hi := b.columns[len(v)].span(v, len(b.columns))
		g := bigen.IntRange(min(lo, hi), hi)
		if len(v) == last {
			g = bigen.SuchThat(g, func(x int) bool { return valid(append(slices.Clone(v), x)) })
		}
		return g, lo <= hi
	}, last+1, last+1)
}
