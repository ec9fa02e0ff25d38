package jsonschema

import (
	"fmt"
	"math"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
)

// maxFewest bounds the items of which each needs a goal of its own.
const maxFewest = 1000

// requiredItems returns the goals of which each array has values, or why there is no array.
func (s *shape) requiredItems() (kids []*goal, why string) {
	last := s.last()
	for i := 0; i <= last && i < maxFewest; i++ {
		if s.maxItems >= 0 && i >= s.maxItems {
			break
		}
		lits := s.item(i)
		if s.x.excludes(lits) {
			if s.maxItems = i; i < s.minItems {
				return nil, fmt.Sprintf("no value of the item %d, which %s requires, is valid: %s", i,
					s.minItemsBy, s.x.reason(lits))
			}
			break
		}
		if i < s.minItems {
			kids = append(kids, s.x.goal(lits))
		}
	}
	if s.unique {
		if n, ok := s.distinctItems(last); ok && n < s.minItems {
			return nil, fmt.Sprintf("items can have %d different values, and %s asks for %d", n,
				s.minItemsBy, s.minItems)
		}
	}
	for _, c := range s.contains {
		if c.min == 0 {
			continue
		}
		// Some item has to be the one; the goal of the least item beyond all rules stands for it.
		var fitting *goal
		for i := c.from; i <= last && (s.maxItems < 0 || i < s.maxItems); i++ {
			if lits := append(s.item(i), c.lit); !s.x.excludes(lits) {
				fitting = s.x.goal(lits)
			}
		}
		if fitting == nil {
			return nil, "no item is valid for " + c.by + ": " + s.x.reason(append(s.item(last), c.lit))
		}
		kids = append(kids, fitting)
	}
	return kids, ""
}

// distinctItems returns how many values items can have, if all are listed.
func (s *shape) distinctItems(last int) (int, bool) {
	var all []any
	for i := 0; i <= last; i++ {
		values, ok := s.x.goal(s.item(i)).listed()
		if !ok {
			return 0, false
		}
		for _, v := range values {
			if !containsValue(all, v) {
				all = append(all, v)
			}
		}
	}
	return len(all), true
}

// arrayGen returns the generator of arrays.
func (p *part) arrayGen() bigen.Gen[any] {
	s := p.shape
	a := &arrayMaker{shape: s, contains: s.contains, most: s.maxItems}
	if a.most < 0 {
		a.most = math.MaxInt32
	}
	if a.most == 0 {
		return bigen.Just[any]([]any{})
	}
	if slices.ContainsFunc(s.contains, func(c contained) bool { return !c.lit.known() }) {
		// What an array contains cannot be told item by item: the root tells.
		a.contains = nil
		p.check, p.narrow = p.check|array, true
	}
	if len(a.contains) > 0 {
		a.first = a.contains[0]
	}
	if a.plan(); len(a.contains) == 0 {
		if p.check&array != 0 {
			a.favorAll(s.contains)
		}
		return a.sized(nil, s.minItems, a.most, a.item)
	}
	if len(a.contains) > 1 {
		p.check |= array
	}
	return bigen.Iso(a.segments(), func(v contents) any {
		all := v.flat()
		return append(all, v.After...)
	}, a.split)
}

// An arrayMaker makes arrays of a shape.
type arrayMaker struct {
	*shape
	contains []contained // of the shape, as far as it can be told item by item
	most     int
	first    contained // what the array contains
	items    [3][]planned
}

// An itemGen returns the generator of the item that follows others, or false if none can.
type itemGen func(before []any) (bigen.Gen[any], bool)

// Kinds of items: any that is valid, one that is what the array contains, and one that is not.
const (
	anyItem = iota
	hit
	other
)

// item returns the generator of any item after others.
func (a *arrayMaker) item(before []any) (bigen.Gen[any], bool) {
	if c := a.first; len(a.contains) > 0 && c.max >= 0 && a.count(before) >= c.max {
		return a.itemOf(other, before)
	}
	return a.itemOf(anyItem, before)
}

// other returns the generator of an item that is not what the array contains.
func (a *arrayMaker) other(before []any) (bigen.Gen[any], bool) { return a.itemOf(other, before) }

// count returns how many items are what the array contains.
func (a *arrayMaker) count(items []any) (n int) {
	for i, v := range items {
		if i >= a.first.from && a.first.lit.holds(v) {
			n++
		}
	}
	return n
}

// plan computes the items of each kind. All from the last index on are alike.
func (a *arrayMaker) plan() {
	var heights []int
	for i := 0; i <= min(a.last(), maxFewest); i++ {
		for kind := range a.items {
			if kind != anyItem && len(a.contains) == 0 {
				continue
			}
			lits := a.shape.item(i)
			if kind == hit || kind == other && i >= a.first.from {
				lits = append(lits, lit{a.first.lit.node, a.first.lit.not != (kind == other)})
			}
			p := a.planned(lits)
			if kind == hit && p.possible {
				heights = append(heights, p.height)
			}
			if kind != hit && i >= a.first.from {
				a.favor(&p, lits, a.contains[min(1, len(a.contains)):])
			}
			a.items[kind] = append(a.items[kind], p)
		}
	}
	a.lowHits(heights)
}

// lowHits leaves a hit out where its value is higher than elsewhere: it need not be there.
func (a *arrayMaker) lowHits(heights []int) {
	for i := range a.items[hit] {
		if p := &a.items[hit][i]; p.possible && p.height > slices.Min(heights) {
			p.possible, a.narrow = false, true
		}
	}
}

func (a *arrayMaker) planned(lits []lit) planned {
	g := a.x.goal(lits)
	if !g.possible() {
		return planned{}
	}
	p := planned{possible: true, height: g.height}
	p.values, p.listed = g.listed()
	p.gen = a.x.within(g)
	return p
}

// favorAll makes items often what the array must contain.
func (a *arrayMaker) favorAll(contains []contained) {
	for i := range a.items[anyItem] {
		a.favor(&a.items[anyItem][i], a.shape.item(i), contains)
	}
}

// favor makes items often what the array contains: chance would not hit it.
func (a *arrayMaker) favor(p *planned, lits []lit, contains []contained) {
	alts := []bigen.Alt[any]{bigen.Tag("item", p.gen)}
	for i, c := range contains {
		if c.min == 0 || !p.possible {
			continue
		}
		if more := a.planned(append(slices.Clone(lits), c.lit)); more.possible {
			alts = append(alts, bigen.Tag(fmt.Sprint("contained ", i), more.gen))
		}
	}
	if len(alts) > 1 {
		p.gen = bigen.Pick(alts...)
	}
}

// planned is an item.
type planned struct {
	possible bool
	height   int
	gen      bigen.Gen[any]
	values   []any // all of them, if they are listed
	listed   bool
}

func (a *arrayMaker) itemOf(kind int, before []any) (bigen.Gen[any], bool) {
	all := a.items[kind]
	p := &all[min(len(before), len(all)-1)]
	if !p.possible || !a.unique || len(before) == 0 {
		return p.gen, p.possible
	}
	if p.listed {
		left := slices.DeleteFunc(slices.Clone(p.values), func(v any) bool {
			return containsValue(before, v)
		})
		if len(left) == 0 {
			return bigen.Gen[any]{}, false
		}
		return bigen.OneOf(left...), true
	}
	return bigen.SuchThat(p.gen, func(v any) bool { return !containsValue(before, v) }), true
}

// listed returns the values of a goal if all of them are listed, or few.
func (g *goal) listed() (all []any, ok bool) {
	for _, p := range g.parts {
		switch {
		case p.shape.listed:
			for _, v := range p.given {
				all = append(all, v.value)
			}
		case p.check&p.typ != 0:
			return nil, false
		case p.typ == null:
			all = append(all, nil)
		case p.typ == boolean:
			all = append(all, false, true)
		case p.typ == integer && p.few():
			lo, hi := p.floats()
			for f := math.Ceil(lo); f <= hi; f++ {
				if p.numbers.fits(f) {
					all = append(all, f)
				}
			}
		default:
			return nil, false
		}
	}
	return all, len(g.parts) > 0
}

// sized returns the generator of lo to hi items after others.
func (a *arrayMaker) sized(before []any, lo, hi int, item itemGen) bigen.Gen[any] {
	toAny := func(v []any) any {
		if v == nil {
			return []any{}
		}
		return v
	}
	fromAny := func(v any) ([]any, bool) {
		items, ok := v.([]any)
		return items, ok && items != nil
	}
	next := item
	if len(before) > 0 {
		next = func(more []any) (bigen.Gen[any], bool) { return item(join(before, more)) }
	}
	upTo := func(hi int) bigen.Gen[any] {
		return bigen.Iso(bigen.SliceBy(next, lo, hi), toAny, fromAny)
	}
	if lo >= hi {
		return upTo(hi)
	}
	// The deeper, the fewer.
	const few = 3
	depth := func(c *bigen.C) float64 { return shrinking(a.x.family.Param(c).depth) }
	alts := []bigen.Alt[any]{
		bigen.Tag("fewest", upTo(lo)).WeightBy(func(c *bigen.C) float64 { return 1.2 - depth(c) }),
		bigen.Tag("few", upTo(min(hi, lo+few))).WeightBy(depth),
	}
	if hi > lo+few {
		alts = append(alts, bigen.Tag("items", upTo(hi)).WeightBy(func(c *bigen.C) float64 {
			return depth(c) * depth(c) / 2
		}))
	}
	return bigen.Pick(alts...)
}

func join(a, b []any) []any { return append(a[:len(a):len(a)], b...) }

// contents is the items of an array that contains something: up to each of the first that is what
// it contains, and after the last of these.
type contents struct {
	Until []segment
	After []any
}

type segment struct {
	Before []any
	Item   any
}

// flat returns the items without those after the last segment.
func (v contents) flat() []any { return flatten(v.Until) }

func flatten(segments []segment) []any {
	all := []any{}
	for _, s := range segments {
		all = append(append(all, s.Before...), s.Item)
	}
	return all
}

func (a *arrayMaker) segments() bigen.Gen[contents] {
	n := a.first.min
	until := bigen.SliceBy(func(prev []segment) (bigen.Gen[segment], bool) {
		head := flatten(prev)
		room := a.most - len(head) - (n - len(prev))
		if room < 0 {
			return bigen.Gen[segment]{}, false
		}
		least := max(0, a.first.from-len(head))
		return bigen.Struct(func(c *bigen.C, s *segment) {
			bigen.At(c, &s.Before, a.slice(head, least, room, a.other))
			item, ok := a.itemOf(hit, join(head, s.Before))
			if !ok {
				item = bigen.SuchThat(bigen.JSON(), func(any) bool { return false })
			}
			bigen.At(c, &s.Item, item)
		}), true
	}, n, max(n, 1))
	if n == 0 {
		until = bigen.SliceOf(bigen.Just(segment{}), 0, 0)
	}
	return bigen.Struct(func(c *bigen.C, v *contents) {
		bigen.At(c, &v.Until, until)
		head := v.flat()
		bigen.At(c, &v.After,
			a.slice(head, max(0, a.minItems-len(head)), max(0, a.most-len(head)), a.item))
	})
}

// slice is sized for a field.
func (a *arrayMaker) slice(before []any, lo, hi int, item itemGen) bigen.Gen[[]any] {
	return bigen.Iso(a.sized(before, lo, hi, item), func(v any) []any { return v.([]any) },
		func(v []any) (any, bool) { return v, v != nil })
}

// split undoes the joining of segments.
func (a *arrayMaker) split(v any) (contents, bool) {
	items, ok := v.([]any)
	if !ok || items == nil {
		return contents{}, false
	}
	out := contents{After: []any{}}
	begin := 0
	for i, item := range items {
		if len(out.Until) == a.first.min {
			break
		}
		if i >= a.first.from && a.first.lit.holds(item) {
			out.Until = append(out.Until, segment{append([]any{}, items[begin:i]...), item})
			begin = i + 1
		}
	}
	out.After = append(out.After, items[begin:]...)
	return out, len(out.Until) == a.first.min
}
