package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/bigen"
)

// A term is what a bound of an element may depend on.
type term struct {
	kind string // "", of a constant; "before", "here", "count", "rest"
	col  int    // of before: a column of the struct before; of here: an earlier one of this struct
	off  int    // what is added
	sum  int    // of rest: the sum of all elements, from which the elements so far are subtracted
}

// of returns the value of a term after a prefix. There may be none.
func (t term) of(prefix []int, step int) (int, bool) {
	begin := len(prefix) - len(prefix)%step
	switch t.kind {
	case "before":
		if begin == 0 {
			return 0, false
		}
		return prefix[begin-step+t.col] + t.off, true
	case "here":
		return prefix[begin+t.col] + t.off, true
	case "count":
		return begin/step + t.off, true
	case "rest":
		return t.sum - sum(prefix) + t.off, true
	}
	return 0, false
}

// A column is a template: an integer from a range whose ends are a constant and a term.
type column struct {
	lo, hi    int
	low, high term
	distinct  bool
}

func (c column) span(prefix []int, step int) (lo, hi int) {
	lo, hi = c.lo, c.hi
	if x, ok := c.low.of(prefix, step); ok {
		lo = max(lo, x)
	}
	if x, ok := c.high.of(prefix, step); ok {
		hi = min(hi, x)
	}
	return lo, hi
}

// A bounds is a template of structs and lists.
type bounds struct {
	columns []column
	list    bool
	least   int  // structs in a list
	ends    bool // a list ends where nothing is left of the sum of all elements
}

// far bounds all integers.
const far = 1 << 31

// terms returns the terms that a bound of a column may have.
func terms(step, col int, list bool, total int, fixedSum bool) []term {
	all := []term{{}}
	for _, off := range []int{0, 1, -1} {
		for j := range step {
			if list {
				all = append(all, term{kind: "before", col: j, off: off})
			}
			if j < col {
				all = append(all, term{kind: "here", col: j, off: off})
			}
		}
		if list {
			all = append(all, term{kind: "count", off: off})
		}
	}
	if fixedSum {
		all = append(all, term{kind: "rest", sum: total})
	}
	return all
}

// columnsFor returns the templates of a column that agree with all short lists, and how many were
// tried. A template agrees if it allows the elements after which a list can become valid, and no
// other, wherever the list so far can become valid.
func columnsFor(t *trie, elements []int, depth, step, col int, all []term, list bool) (
	fit []column, tried int,
) {
	type place struct {
		prefix []int
		next   []int
	}
	var places []place
	c := column{lo: far, hi: -far}
	t.walk(nil, elements, depth, func(v []int, at *trie) bool {
		if at.viable && len(v)%step == col && at.kids != nil {
			p := place{prefix: v}
			for i, kid := range at.kids {
				if kid.viable {
					p.next = append(p.next, elements[i])
					c.lo, c.hi = min(c.lo, elements[i]), max(c.hi, elements[i])
				}
			}
			places = append(places, p)
		}
		return true
	})
	agrees := func(c column) bool {
		tried++
		return !slices.ContainsFunc(places, func(p place) bool {
			lo, hi := c.span(p.prefix, step)
			return slices.ContainsFunc(elements, func(x int) bool {
				allows := lo <= x && x <= hi && !(c.distinct && slices.Contains(p.prefix, x))
				return allows != slices.Contains(p.next, x)
			})
		})
	}
	for _, c.distinct = range []bool{false, true} {
		if c.distinct && (!list || step > 1) {
			break
		}
		for _, c.low = range all {
			for _, c.high = range all {
				if !agrees(c) {
					continue
				}
				simpler := c // without a constant beside a term
				if c.low.kind != "" {
					simpler.lo = -far
				}
				if c.high.kind != "" {
					simpler.hi = far
				}
				if simpler != c && agrees(simpler) {
					fit = append(fit, simpler)
				}
				fit = append(fit, c)
			}
		}
	}
	return fit, tried
}

// stretch moves the constants of the columns as far as the predicate stays true of an example: of
// one struct, in which later columns follow the template.
func (b *bounds) stretch(example []int, valid func([]int) bool) {
	step := len(b.columns)
	for c := step - 1; c >= 0; c-- {
		with := func(x int) bool {
			v := append(slices.Clone(example[:c]), x)
			for j := c + 1; j < step; j++ {
				lo, hi := b.columns[j].span(v, step)
				if lo > hi {
					lo, hi = hi, lo
				}
				v = append(v, min(max(example[j], lo), hi))
			}
			return valid(v)
		}
		b.columns[c].lo = -reach(-b.columns[c].lo, func(x int) bool { return with(-x) })
		b.columns[c].hi = reach(b.columns[c].hi, with)
	}
}

// reach returns how far f stays true beyond x, by doubling steps and then halving them.
func reach(x int, f func(int) bool) int {
	step := 1
	for ; x+step < far && f(x+step); step *= 2 {
		x += step
	}
	if x+step >= far {
		return far
	}
	for ; step > 0; step /= 2 {
		if f(x + step) {
			x += step
		}
	}
	return x
}

// gen returns the generator.
func (b *bounds) gen() bigen.Gen[[]int] {
	step := len(b.columns)
	one := func(before []int) bigen.Gen[[]int] {
		return bigen.SliceBy(func(here []int) (bigen.Gen[int], bool) {
			prefix := append(before[:len(before):len(before)], here...)
			lo, hi := b.columns[len(here)].span(prefix, step)
			return bigen.IntRange(min(lo, hi), hi), lo <= hi
		}, step, step)
	}
	c := b.columns[0]
	switch {
	case !b.list:
		return one(nil)
	case b.ends:
		return (&machine{
			ends:   func(v []int) bool { return sum(v) == c.high.sum },
			toward: func(v []int) int { return c.high.sum - sum(v) },
			more: func(v []int) (bigen.Gen[int], bool) {
				lo, hi := c.span(v, 1)
				return bigen.IntRange(min(lo, hi), hi), lo <= hi
			},
		}).gen()
	case c.distinct && c.low.kind+c.high.kind == "":
		return bigen.Distinct(bigen.IntRange(c.lo, c.hi), b.least, maxLen)
	case c.distinct:
		return bigen.SliceBy(func(v []int) (bigen.Gen[int], bool) {
			lo, hi := c.span(v, 1)
			fresh := func(x int) bool { return !slices.Contains(v, x) }
			return bigen.SuchThat(bigen.IntRange(min(lo, hi), hi), fresh), lo <= hi
		}, b.least, maxLen)
	case step == 1:
		return bigen.SliceBy(func(v []int) (bigen.Gen[int], bool) {
			lo, hi := c.span(v, 1)
			return bigen.IntRange(min(lo, hi), hi), lo <= hi
		}, b.least, maxLen)
	}
	return flat(bigen.SliceBy(func(v [][]int) (bigen.Gen[[]int], bool) {
		before := slices.Concat(v...)
		lo, hi := c.span(before, step)
		return one(before), lo <= hi
	}, b.least, maxLen), step)
}

// maxLen is the greatest length of lists that are made.
const maxLen = 256

// flat makes one list of the lists of step integers that g makes.
func flat(g bigen.Gen[[][]int], step int) bigen.Gen[[]int] {
	return bigen.Iso(g, func(v [][]int) []int { return slices.Concat(v...) },
		func(v []int) (rows [][]int, ok bool) {
			if len(v)%step != 0 {
				return nil, false
			}
			for row := range slices.Chunk(v, step) {
				rows = append(rows, row)
			}
			return rows, true
		})
}

// describe says what the template is, in a few words.
func (b *bounds) describe() string {
	var parts []string
	for i, c := range b.columns {
		s := fmt.Sprintf("%s..%s", end(c.lo, c.low), end(c.hi, c.high))
		if c.distinct {
			s += " distinct"
		}
		if len(b.columns) > 1 {
			s = fmt.Sprintf("%d: %s", i, s)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

func end(constant int, t term) string {
	s := ""
	if constant > -far && constant < far {
		s = fmt.Sprint(constant)
	}
	switch t.kind {
	case "":
		return s
	case "rest":
		return fmt.Sprintf("%d-sum", t.sum)
	case "count":
		s = "count"
	default:
		s = fmt.Sprintf("%s[%d]", t.kind, t.col)
	}
	if t.off != 0 {
		s += fmt.Sprintf("%+d", t.off)
	}
	return s
}
