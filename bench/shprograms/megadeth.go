package shprograms

import (
	"reflect"

	"github.com/espalier-go/espalier/choices"
)

// MegaDeTH returns a prior that makes programs of [Gen] as MegaDeTH does ("Branching Processes for
// QuickCheck Generators", Figure 2): all constructors are equally likely. One with several
// recursive arguments divides the size by their number, one with a single recursive
// argument decrements it. At size 0 there are only constructors without recursive arguments,
// or the first if there are none. Slices have any length up to the size, equally likely.
func MegaDeTH(size int) choices.Prior {
	m := &megadeth{arguments: map[string]int{}}
	d := describe()
	for tag, t := range d.constructors {
		if t.Kind() == reflect.Struct {
			m.arguments[tag] = d.recursiveArguments(t)
			m.arguments["*"+tag] = m.arguments[tag]
		}
	}
	m.size = m.within(size, "File")
	return m
}

type megadeth struct {
	size      int
	arguments map[string]int // recursive ones, by tag
	sizes     []int          // within the picks around
	alts      []choices.Alt
}

func (m *megadeth) Begin() { m.sizes = append(m.sizes[:0], m.size) }

func (m *megadeth) Pick(q *choices.Question, word uint64) int {
	size := m.sizes[len(m.sizes)-1]
	m.alts = append(m.alts[:0], q.Alts...)
	total := 0.0
	for n := range m.alts {
		w := 1.0
		switch tag := m.alts[n].Tag; {
		case tag == "more":
			w = float64(max(0, size-int(q.Index)))
		case size == 0 && (tag == "ptr" || m.arguments[tag] > 0):
			w = 0
		}
		m.alts[n].Weight = w
		total += w
	}
	if total == 0 {
		return 0
	}
	changed := choices.Question{Kind: choices.Pick, Alts: m.alts}
	return changed.DrawPick(word)
}

func (m *megadeth) Picked(q *choices.Question, n int) {
	m.sizes = append(m.sizes, m.within(m.sizes[len(m.sizes)-1], q.Alts[n].Tag))
}

// within returns the size within a constructor.
func (m *megadeth) within(size int, tag string) int {
	switch k := m.arguments[tag]; k {
	case 0:
		return size
	case 1:
		return max(0, size-1)
	default:
		return size / k
	}
}

func (m *megadeth) Leave() { m.sizes = m.sizes[:len(m.sizes)-1] }

func (m *megadeth) Int(q *choices.Question, word uint64) int64   { return q.DrawInt(word) }
func (m *megadeth) Text(q *choices.Question, word uint64) string { return q.DrawText(word) }
func (m *megadeth) IntGiven(*choices.Question, int64)            {}
func (m *megadeth) TextGiven(*choices.Question, string)          {}

// recursiveArguments returns how many arguments of a constructor lead to an interface, and so to
// what may be as deep as itself. An argument whose type has one constructor counts as the
// arguments of that.
func (d *description) recursiveArguments(t reflect.Type) (n int) {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if made, ok := d.constructors[t.Name()]; ok {
		t = made
	}
	switch t.Kind() {
	case reflect.Interface:
		return 1
	case reflect.Struct:
		for i := range t.NumField() {
			n += d.recursiveArguments(t.Field(i).Type)
		}
	}
	return n
}
