package predict

import (
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/internal/hash"
)

// build returns the grammar of what has been read.
func build(l *log, s *states) *Grammar {
	b := &builder{
		log:           l,
		states:        s,
		g:             &Grammar{},
		constructorOf: map[Constructor]int{},
		familyOf:      map[int32]int{},
	}
	classes, firsts := s.merge()
	b.typeOf = classes
	for _, x := range firsts {
		b.addType(x)
	}
	b.findPoints()
	b.name()
	b.g.findLast()
	return b.g
}

type builder struct {
	log    *log
	states *states
	typeOf []int // by state
	g      *Grammar

	constructorOf map[Constructor]int
	familyOf      map[int32]int // by menu
}

// merge finds the states that are one type: their picks have the same alternatives and
// weights, and offspring of the same types (Moore's algorithm). Types are in the order of
// their first states.
func (s *states) merge() (typeOf, firsts []int) {
	typeOf = s.byMenu()
	for before := -1; ; before = len(firsts) {
		byKey := map[uint64]int{}
		next := make([]int, len(typeOf))
		firsts = firsts[:0]
		for i := range s.all {
			h := s.offspring(i, typeOf)
			c, ok := byKey[h]
			if !ok {
				c = len(firsts)
				byKey[h] = c
				firsts = append(firsts, i)
			}
			next[i] = c
		}
		typeOf = next
		if len(firsts) == before {
			return typeOf, firsts
		}
	}
}

// byMenu gives states whose picks have the same alternatives and weights one type.
func (s *states) byMenu() (typeOf []int) {
	typeOf = make([]int, len(s.all))
	first := map[[2]int32]int{}
	for i := range s.all {
		n := &s.log.nodes[s.all[i].first]
		key := [2]int32{n.menu, n.weights}
		if _, ok := first[key]; !ok {
			first[key] = len(first)
		}
		typeOf[i] = first[key]
	}
	return typeOf
}

// offspring hashes the type of a state, and the types of what its alternatives make.
func (s *states) offspring(i int, typeOf []int) uint64 {
	h := hash.Mix(3, uint64(typeOf[i]))
	for _, a := range s.all[i].alts {
		h = hash.Mix(h, uint64(len(a.kids))<<8|5)
		if a.count > 0 && s.log.nodes[a.first].next >= 0 {
			h = hash.Mix(h, 11)
		}
		for _, k := range a.kids {
			h = hash.Mix(h, uint64(typeOf[k]))
		}
	}
	return h
}

// addType adds the type whose first state is x.
func (b *builder) addType(x int) {
	st := &b.states.all[x]
	t := typ{family: b.family(b.log.nodes[st.first].menu), self: -1}
	for n := range st.alts {
		a := alternative{
			constructor: b.constructor(t.family, n),
			weight:      b.states.weight(st, n),
			next:        -1,
		}
		a.counts = a.constructor
		a.absent = a.weight == 0
		for _, k := range st.alts[n].kids {
			a.kids = append(a.kids, b.typeOf[k])
		}
		if seen := &st.alts[n]; seen.count > 0 && b.log.nodes[seen.first].next >= 0 {
			last := len(a.kids) - 1
			a.next, a.kids = a.kids[last], a.kids[:last]
			if a.next == len(b.g.types) {
				t.self = n
			}
		}
		t.alts = append(t.alts, a)
	}
	b.g.types = append(b.g.types, t)
}

// family returns the index of the family of a menu.
func (b *builder) family(of int32) int {
	f, ok := b.familyOf[of]
	if !ok {
		f = len(b.g.families)
		b.familyOf[of] = f
		m := &b.log.menus[of]
		b.g.families = append(b.g.families, family{
			tags:   m.tags,
			hash:   m.family,
			common: m.common,
			place:  m.place,
		})
	}
	return f
}

// constructor returns the index of the constructor of alternative n of a family, or -1 for
// the root.
func (b *builder) constructor(f, n int) int {
	fam := &b.g.families[f]
	if f == 0 {
		return -1
	}
	key := Constructor{fam.tags[n], fam.hash, fam.place}
	c, ok := b.constructorOf[key]
	if !ok {
		c = len(b.g.constructors)
		b.constructorOf[key] = c
		b.g.constructors = append(b.g.constructors, key)
		b.g.familyOf = append(b.g.familyOf, f)
	}
	return c
}

// findPoints finds where the picks of each family are asked.
func (b *builder) findPoints() {
	type pointOf struct {
		point
		menu int32
	}
	known := map[pointOf]bool{}
	for _, n := range b.log.nodes {
		p := pointOf{b.log.pointIn(n.parent, n.slot), n.menu}
		if n.parent >= 0 && !known[p] {
			known[p] = true
			f := &b.g.families[b.familyOf[n.menu]]
			f.points = append(f.points, p.point)
		}
	}
}

// name names the types.
func (b *builder) name() {
	count, number := map[string]int{}, map[string]int{}
	for i := range b.g.types {
		t := &b.g.types[i]
		t.name = (&menu{tags: b.g.families[t.family].tags}).name()
		if t.alts[0].constructor < 0 {
			t.name = "root"
		}
		count[t.name]++
	}
	for i := range b.g.types {
		t := &b.g.types[i]
		if name := t.name; count[name] > 1 {
			number[name]++
			t.name = fmt.Sprintf("%s #%d", name, number[name])
		}
		t.name = strings.TrimSpace(t.name)
	}
}
