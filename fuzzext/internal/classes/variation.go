package classes

import (
	"iter"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/entry"
	"github.com/espalier-go/espalier/mutate"
)

// variationOf returns the known class of which a minimal value of a key is a variation, or nil: one
// step makes it a value of that class, it needs the same text elsewhere, or differs
// in integers and texts only, as [difference.small] says. From then on, what the value needs will do.
func (k *Known) variationOf(key string, m *Minimal) *Class {
	t := m.Tree
	if c := k.Find(key, t); c != nil { // the search has been of no use
		return c
	}
	needs := k.needs(key, t)
	text := textOf(needs)
	near := k.nextTo(key, m)
	alike := 0
	for _, c := range k.List {
		d := compare(c.Tree, t)
		switch {
		case c == near && c.Key == key && !c.Whole:
			c.Needs = append(c.Needs, needs)
			return c
		case c == near, !c.Whole && c.Place == m.Run.Place && c.Key != key && d.texts && (k.metBy(c, t) != nil || k.met(needs, c.Tree) != nil):
			k.alias[key] = c.Key // the message quotes the text, or the stack is longer
			return c
		case c.Whole || c.Key != key:
		case d.small(), d.alike && k.met(needs, c.Tree) != nil, text != "" && text == textOf(c.Needs[0]), d.alike && len(d.places) == 1 && k.between(c, t, needs, d.places[0]):
			c.loosen(d)
			c.Needs = append(c.Needs, needs)
			return c
		case d.alike && len(d.places) == 1:
			if alike++; alike == maxAlike {
				return c
			}
		}
	}
	return nil
}

// between reports whether two values that differ in one integer are of a class since other integers
// are, up to four times as far from the simplest, that neither needs.
func (k *Known) between(c *Class, t choices.Tree, needs []Need, i int) bool {
	origin, failed := t[i].Origin(), 0
	far := max(c.Tree[i].N-origin, origin-c.Tree[i].N, t[i].N-origin, origin-t[i].N)
	if t[i].Kind == choices.Text || far <= 0 || far > 1<<60 || side(&t[i]) == 0 {
		return false
	}
	for range 20 {
		edited := slices.Clone(t)
		edited[i].N = t[i].Kind.Clamp(origin+int64(side(&t[i]))*k.r.Int64N(4*far), t[i].Lo, t[i].Hi)
		if k.met(needs, edited) == nil && k.metBy(c, edited) == nil {
			if run := k.run(edited); run != nil && run.Failed && k.Key(run) == c.Key {
				failed++
			}
		}
	}
	return failed > 1
}

// nextTo returns the known class in which a value fails after a step, or nil.
func (k *Known) nextTo(key string, m *Minimal) *Class {
	left := maxSteps
	for edited, hoists := range steps(m.Tree) {
		if left--; left < 0 {
			break
		}
		_, made, err := entry.Make(k.Gen(), choices.Replay(edited, nil))
		if err != nil {
			continue
		}
		if run := k.run(made); run != nil && run.Failed && (k.Key(run) == key || hoists && run.Place == m.Run.Place) {
			if c := k.Find(k.Key(run), made); c != nil {
				return c
			}
		}
	}
	return nil
}

// steps yields what a tree becomes if an element goes, or if the value becomes a part of itself, which
// it hoists. Each is to be replayed.
func steps(t choices.Tree) iter.Seq2[choices.Tree, bool] {
	return func(yield func(_ choices.Tree, hoists bool) bool) {
		for i := range t {
			if c := &t[i]; c.Element && c.Asked() && !c.IsSimplest() && !yield(t.Cut(i, t.End(i)), false) {
				return
			}
		}
		for edited := range mutate.Hoists(t) {
			if !yield(edited, true) {
				return
			}
		}
	}
}

// A difference says how two minimal values differ whose choices are asked in the same places.
type difference struct {
	alike  bool  // in integers and texts only
	texts  bool  // in texts only
	places []int // where they do
	near   bool  // in integers by 1, or their signs, and in texts of runes of the same kinds
	twins  bool  // everywhere in the same answers
	shared bool  // in an integer that is not the simplest in both
	up     bool  // in an integer that is farther from the simplest in the second one
	down   bool  // in one that is nearer
}

func compare(a, b choices.Tree) difference {
	if len(a) != len(b) {
		return difference{}
	}
	d := difference{alike: true, texts: true, near: true, twins: true}
	for i := range a {
		x, y := &a[i], &b[i]
		switch {
		case x.Kind != y.Kind || x.Slot != y.Slot || x.Element && x.Tag != y.Tag:
			return difference{}
		case x.N == y.N && x.Tag == y.Tag:
			continue
		case x.Kind == choices.Pick:
			d.alike, d.texts, d.near = false, false, false
		case x.Kind == choices.Text:
			d.near = d.near && sameKinds(x.Tag, y.Tag)
		default:
			d.texts = false
			d.near = d.near && (x.N-y.N <= 1 && y.N-x.N <= 1 || x.N == -y.N)
			up := side(x) == 0 || side(x) == side(y) && x.Kind.Less(x.N, y.N) == (side(x) > 0)
			d.up, d.down = d.up || up, d.down || !up && side(x)+side(y) != 0
			d.shared = d.shared || !x.IsSimplest() && !y.IsSimplest()
		}
		if len(d.places) > 0 {
			was, is := &a[d.places[0]], &b[d.places[0]]
			d.twins = d.twins && x.N == was.N && x.Tag == was.Tag && y.N == is.N && y.Tag == is.Tag
		}
		d.places = append(d.places, i)
	}
	d.texts = d.texts && len(d.places) > 0
	return d
}

// small reports whether values differ so little that they are of one class: as neighbors do; in equal
// parts that are other ones; or as two ends of a search that is stuck, for which one integer is nearer
// to the simplest, and another one farther from it.
func (d difference) small() bool {
	several := len(d.places) > 1
	return d.alike && d.near || several && d.twins || d.alike && several && d.shared && d.up && d.down
}

// sameKinds reports whether two texts have equal runes, or ones of a kind.
func sameKinds(a, b string) bool {
	return slices.EqualFunc([]rune(a), []rune(b), func(r, s rune) bool {
		return r == s || slices.ContainsFunc(kinds[1:], func(kind kind) bool { return kind.in(r) && kind.in(s) })
	})
}

// loosen makes integers in which values of a class differ any that are not the simplest.
func (c *Class) loosen(d difference) {
	for i := range c.Needs[0] {
		switch n := &c.Needs[0][i]; {
		case n.Kind == choices.Text || !slices.Contains(d.places, n.Of):
		case n.Side == 0:
			n.Side = anySide
		default:
			n.N = c.Tree[n.Of].Origin() + int64(n.Side)
		}
	}
}
