package jsonschema

import (
	"fmt"
	"strconv"

	"golang.org/x/exp/slices"
)

const (
	fewShapes, manyShapes = 64, 1000 // of a goal; many, if few of them are none
	maxAlternatives       = 1000     // of the first choice
	maxTaken              = 4000     // alternatives, for one goal
)

// shapesOf returns the conjunctions of which each makes some of the values for which all literals
// hold, and why others make none. Together they make all of these values, unless they are narrow.
func (x *schemas) shapesOf(lits []lit) (all []*shape, why []string) {
	for _, most := range []int{fewShapes, manyShapes} {
		e := expander{x: x, most: most}
		if all = e.shapes(lits); len(all) > 0 || !e.narrow {
			return all, e.why
		}
	}
	rest := newShape(x) // whether there are values is not known
	rest.check, rest.narrow = anything, true
	return []*shape{rest}, nil
}

// An expander makes the choices that schemas leave. If it has too many shapes, or has done too much,
// each shape takes just one alternative of a choice. The shapes are narrow then.
type expander struct {
	x      *schemas
	most   int // shapes
	taken  int // alternatives
	narrow bool
	why    []string
}

func (e *expander) shapes(lits []lit) (all []*shape) {
	first := newShape(e.x)
	for _, l := range lits {
		first.add(l, nil)
	}
	all = []*shape{first}
	for more := true; more; {
		var next []*shape
		more = false
		for i, s := range all {
			switch c, ok := s.nextChoice(); {
			case s.dead():
				e.why = appendNew(e.why, s.why...)
			case !ok:
				next = append(next, s)
			case c.denied != nil && !e.tired() && s.excludes(c.denied):
				more = true
				next = append(next, s)
			default:
				more = true
				room := max(1, e.most-len(next)-(len(all)-i-1))
				if len(all) == 1 {
					room = maxAlternatives
				}
				next = append(next, e.take(s, c, i, room)...)
			}
		}
		all = distinct(next)
	}
	return slices.DeleteFunc(all, func(s *shape) bool {
		s.finish(lits)
		if s.dead() {
			e.why = appendNew(e.why, s.why...)
		}
		return s.dead()
	})
}

// tired reports whether enough has been done.
func (e *expander) tired() bool { return e.taken > maxTaken }

// nextChoice takes a choice that is still to be made from a shape: one of the fewest alternatives,
// since most of those that remain are excluded then.
func (s *shape) nextChoice() (c choice, ok bool) {
	if s.dead() || len(s.todo) == 0 && !s.settle() || len(s.todo) == 0 {
		return c, false
	}
	at := 0
	for j := range s.todo {
		if len(s.todo[j].alts) < len(s.todo[at].alts) {
			at = j
		}
	}
	c = s.todo[at]
	s.todo = slices.Delete(slices.Clone(s.todo), at, at+1)
	return c, true
}

// take returns the shapes that follow from the i-th one by a choice: one, if there is no room for
// all.
func (e *expander) take(s *shape, c choice, i, room int) (all []*shape) {
	full := len(c.alts) > room || e.tired()
	begin := 0
	if full { // shapes take different ones
		begin = int(spread(i, len(s.seen))) % len(c.alts)
	}
	for j := range c.alts {
		e.taken++
		t := s.clone()
		t.within = c.within
		t.take(c.alts[(begin+j)%len(c.alts)])
		t.within = nil
		if t.reachable(); t.dead() {
			e.why = appendNew(e.why, t.why...)
			continue
		}
		if all = append(all, t); full {
			t.narrow, e.narrow = true, true
			break
		}
	}
	return all
}

// spread returns a number that looks random.
func spread(i, n int) uint32 {
	h := (uint32(i)*0x9E3779B1 + uint32(n)) * 0x85EBCA6B
	return (h ^ h>>15) >> 8
}

func appendNew(all []string, more ...string) []string {
	for _, s := range more {
		if !slices.Contains(all, s) && len(all) < 8 {
			all = append(all, s)
		}
	}
	return all
}

// distinct leaves out shapes that ask the same as another.
func distinct(all []*shape) (kept []*shape) {
	seen := map[string]bool{}
	for _, s := range all {
		key := fmt.Sprint(s.types, s.check, s.seenSum, sortedKeys(s.required), sortedKeys(s.absent),
			s.numbers, s.minLen, s.maxLen, s.minItems, s.maxItems, s.minProps, s.maxProps, len(s.todo),
			len(s.some), s.settled, len(s.rules), len(s.contains), len(s.given))
		for _, v := range s.given {
			key += v.text
		}
		for _, name := range sortedKeys(s.props) {
			key += name + keyOf(s.props[name])
		}
		for _, p := range s.some {
			key += fmt.Sprint(p.lit.number(), p.ofName, p.names)
		}
		for _, p := range s.others {
			key += fmt.Sprint("another", p.lit.number(), p.ofName, p.names)
		}
		for _, r := range s.rules {
			key += fmt.Sprint(r.from, r.to, r.lit.number())
		}
		for _, c := range s.contains {
			key += fmt.Sprint(c.from, c.min, c.max, c.lit.number())
		}
		if !seen[key] {
			seen[key] = true
			kept = append(kept, s)
		}
	}
	return kept
}

// settle leaves the choice which property is the next one of those that there must be some of.
func (s *shape) settle() bool {
	if s.settled == len(s.some) || s.types&object == 0 {
		return false
	}
	p := s.some[s.settled]
	s.settled++
	var c choice
	names, closed := s.declared()
	for _, name := range names {
		if _, absent := s.absent[name]; absent || !p.takes(name) || p.ofName && !p.lit.holds(name) {
			continue
		}
		c.alts = append(c.alts, alternative{label: "with " + name, apply: func(s *shape) {
			if s.require(name, "a property that is not as a schema says"); !p.ofName {
				s.props[name] = append(s.props[name], p.lit)
			}
		}})
	}
	if !closed {
		c.alts = append(c.alts, alternative{label: "with another", apply: func(s *shape) {
			s.others = append(s.others, p)
		}})
	}
	if c.alts == nil {
		s.drop(object, "no property can be as a schema forbids it, which is not to hold")
		return true
	}
	s.leave(c)
	return true
}

// take makes one of the choices that a shape leaves.
func (s *shape) take(a alternative) {
	if a.label != "" {
		s.labels = append(s.labels, a.label)
	}
	a.apply(s)
}

// reachable drops objects that need a property which no value fits, as far as that is known.
func (s *shape) reachable() {
	if s.types&object == 0 {
		return
	}
	for _, name := range sortedKeys(s.required) {
		if lits := s.property(name); len(lits) > 0 && s.x.excludes(lits) {
			s.drop(object, "no value of the property %q, which %s requires, is valid: %s", name,
				s.required[name], s.x.reason(lits))
			return
		}
	}
}

// add asks that a literal holds. What its schema evaluates is noted in tracked[i] for all i of
// track.
func (s *shape) add(l lit, track []int) {
	if s.dead() {
		return
	}
	// A schema that refers to itself, for the same value, fails there.
	for c := s.within; c != nil; c = c.outer {
		if c.lit.node == l.node {
			if c.lit == l {
				s.drop(anything, "%s refers to itself without end", l.place())
			}
			return
		}
	}
	if s.seen[litKey(l.opposite(), nil)] {
		s.drop(anything, "%s is to hold, and not to hold", l.place())
		return
	}
	key := litKey(l, track)
	if s.seen[key] {
		return
	}
	defer func(c *chain) { s.within = c }(s.within)
	s.within = &chain{l, s.within}
	s.see(key)
	s.see(litKey(l, nil))
	switch {
	case l.schema == nil && l.not:
		for _, e := range l.either {
			s.add(e.opposite(), nil)
		}
	case l.schema == nil:
		s.choose("", l.either...)
	case l.not:
		s.deny(l.node)
	default:
		s.demand(l.node, track)
	}
}

// A seenKey is a literal, and where what it evaluates is noted.
type seenKey struct {
	number int
	track  uint64
}

func litKey(l lit, track []int) seenKey {
	key := seenKey{number: l.number()}
	for _, i := range track {
		key.track = key.track*1000003 + uint64(i) + 1
	}
	return key
}

// see notes a literal. seenSum tells sets of literals apart.
func (s *shape) see(key seenKey) {
	if !s.seen[key] {
		s.seen[key] = true
		h := (uint64(key.number)*0x9E3779B97F4A7C15 + key.track) * 0xD6E8FEB86659FD93
		s.seenSum += h ^ h>>32
	}
}

// leave leaves a choice for later.
func (s *shape) leave(c choice) {
	c.within = s.within
	s.todo = append(s.todo, c)
}

// choose leaves the choice among literals.
func (s *shape) choose(keyword string, lits ...lit) {
	var c choice
	for i, l := range lits {
		c.alts = append(c.alts, s.holding(label(l, keyword, i), l))
	}
	s.leave(c)
}

// holding is the alternative that literals hold.
func (s *shape) holding(label string, lits ...lit) alternative {
	return alternative{label: label, apply: func(s *shape) {
		for _, l := range lits {
			s.add(l, nil)
		}
	}}
}

func label(l lit, keyword string, i int) string {
	switch {
	case l.schema != nil && l.schema.Title != "" && !l.not:
		return l.schema.Title
	case keyword == "":
		return ""
	}
	return keyword + "/" + strconv.Itoa(i)
}

// excludes reports whether a shape has no value for which a node holds, as far as that shows at
// once.
func (s *shape) excludes(n *node) bool {
	t := s.clone()
	delete(t.seen, litKey(no(n), nil))
	t.add(yes(n), nil)
	t.reachable()
	return t.dead()
}

// finish computes what can be said when all choices have been made.
func (s *shape) finish(lits []lit) {
	for _, t := range s.tracked {
		k := t.node.schema
		if rest := k.UnevaluatedProperties; rest != nil && !t.allNames && !isTrue(rest) {
			s.described = true
			s.rests = append(s.rests, restRule{t.names, t.patterns, yes(s.x.node(rest, t.node.scope))})
		}
		if rest := k.UnevaluatedItems; rest != nil && !t.allItems && !isTrue(rest) {
			l := s.x.either(append([]lit{yes(s.x.node(rest, t.node.scope))}, t.contains...))
			s.rules = append(s.rules, itemRule{t.items, -1, l})
		}
	}
	s.finishNeeds()
	s.reachable()
	if !s.listed {
		return
	}
	left := s.given[:0:0]
	var types typeSet
	alone := s.onlyListed()
	for _, v := range s.given {
		if s.types&v.typ == 0 {
			continue
		}
		if alone || !slices.ContainsFunc(lits, func(l lit) bool { return !l.holds(v.value) }) {
			left, types = append(left, v), types|v.typ
		}
	}
	s.given = left
	s.drop(anything&^types, "no listed value is valid")
}

// finishNeeds requires what required properties need, in turn.
func (s *shape) finishNeeds() {
	for again := true; again; {
		again = false
		for _, name := range sortedKeys(s.required) {
			for _, other := range s.needs[name] {
				if _, ok := s.required[other]; !ok {
					s.require(other, "what "+name+" needs")
					again = true
				}
			}
		}
	}
}
