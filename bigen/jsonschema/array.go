package jsonschema

import (
	"fmt"
	"math"

	"github.com/espalier-go/espalier/bigen"
	js "github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/exp/slices"
)

// arrays is what is asked of arrays.
type arrays struct {
	minItems, maxItems     int // maxItems < 0: no bound
	minItemsBy, maxItemsBy string
	rules                  []itemRule
	contains               []contained
	unique                 bool
}

// An itemRule is about the items from one index up to another; to < 0 means up to the end.
type itemRule struct {
	from, to int
	lit      lit
}

// contained says how many items a literal holds for; max < 0 means any number.
type contained struct {
	lit      lit
	from     int // the index where counting begins
	min, max int
	by       string
}

func (s *shape) items(lo, hi *int, by string) {
	if lo != nil && *lo > s.minItems {
		s.minItems, s.minItemsBy = *lo, by+"/minItems"
	}
	if hi != nil && (s.maxItems < 0 || *hi < s.maxItems) {
		s.maxItems, s.maxItemsBy = *hi, by+"/maxItems"
	}
	s.checkItems()
}

func (s *shape) checkItems() {
	if s.minItems > maxParts {
		s.drop(array, "%s asks for %d items: no more than %d are made", s.minItemsBy, s.minItems, maxParts)
	}
	if s.maxItems >= 0 && s.minItems > s.maxItems {
		s.drop(array, "no array has a length for %s and %s", s.minItemsBy, s.maxItemsBy)
	}
}

// itemsOf returns the schemas of the first items that a schema has, and that of the others, or nil.
func (x *schemas) itemsOf(k *js.Schema) (list []*js.Schema, rest *js.Schema) {
	switch items := k.Items.(type) { // before draft 2020-12
	case *js.Schema:
		return nil, items
	case []*js.Schema:
		return items, x.schemaOf(k.AdditionalItems, k, "additionalItems")
	}
	return k.PrefixItems, k.Items2020
}

// item returns what is asked of the item at an index.
func (a *arrays) item(i int) (lits []lit) {
	for _, r := range a.rules {
		if r.from <= i && (r.to < 0 || i < r.to) {
			lits = append(lits, r.lit)
		}
	}
	return lits
}

// last returns an index from which on all items are alike.
func (a *arrays) last() (i int) {
	for _, r := range a.rules {
		i = max(i, r.from, r.to)
	}
	for _, c := range a.contains {
		i = max(i, c.from)
	}
	return i
}

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
