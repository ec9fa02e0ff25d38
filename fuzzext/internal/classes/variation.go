package classes

import (
	"iter"
	"math"
	"regexp"
	"strconv"
	"sync"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/mutate"
)

// variationOf returns the known class whose variation a minimal value of a key is, or nil. From
// then on, what the value needs will do. It is a variation if
//
//  1. it fails in that class without one element, or as a part of itself;
//  2. it has other numbers that are near, other runes of the same kinds, or other equal parts;
//  3. the known value has what it needs, or both need one text, wherever that stands;
//  4. many values between the two fail;
//  5. both need several integers or texts, in the same fields and of the same kinds; or
//  6. both need so much that it hardly says why they fail.
func (k *Known) variationOf(key string, m *Minimal) *Class {
	t := m.Tree
	if c := k.Find(key, t); c != nil { // the search has been of no use
		return c
	}
	if !m.Run.Whole {
		m.needs = k.needs(key, t)
	}
	if len(k.List) == 0 || m.Run.Named {
		return nil
	}
	near := k.nextTo(key, m)
	alike := 0
	for _, c := range k.List {
		d := compare(c.Tree, t)
		switch {
		case c == near && c.Key == key && !c.Whole:
			c.Needs = append(c.Needs, m.needs)
			return c
		case c == near, k.quotesText(c, key, m, d):
			k.alias[key] = c.Key // the message quotes the text, or the stack is longer
			return c
		case c.of == nil && elsewhere(c, key, m) && sameText(c, m):
			k.List = append(k.List,
				&Class{Key: key, Place: c.Place, Needs: [][]Need{m.needs}, Tree: t, of: c})
			return c
		case c.Whole || c.Key != key:
		case k.varies(c, m, d):
			c.loosen(d)
			c.Needs = append(c.Needs, m.needs)
			return c
		case d.alike && len(d.places) == 1:
			if alike++; alike == maxAlike {
				return c
			}
		}
	}
	return nil
}

// elsewhere reports whether a value fails in the place of a class, with another key.
func elsewhere(c *Class, key string, m *Minimal) bool {
	return !c.Whole && c.Place == m.Run.Place && c.Key != key
}

// quotesText reports whether a value has another key than a class only because its message quotes a
// text of the value.
func (k *Known) quotesText(c *Class, key string, m *Minimal, d difference) bool {
	return elsewhere(c, key, m) && !m.Run.Whole && d.texts &&
		(k.metBy(c, m.Tree) != nil || k.met(m.needs, c.Tree) != nil)
}

// sameText reports whether the value of a class and another one need one text.
func sameText(c *Class, m *Minimal) bool {
	text := textOf(m.needs)
	return text != "" && text == textOf(c.Needs[0])
}

// varies reports whether a value is a variation of the value of a class, by rules 2 to 6.
func (k *Known) varies(c *Class, m *Minimal, d difference) bool {
	switch needs := c.Needs[0]; {
	case d.small(), k.nearly(c.Tree, m.Tree):
		return true
	case d.alike && k.met(m.needs, c.Tree) != nil, sameText(c, m):
		return true
	case intricate(m.needs) && intricate(needs), relate(m.needs, needs):
		return true
	}
	varies := d.ints || d.texts && len(d.places) == 1
	return varies && k.between(c, m.Tree, m.needs, d.places)
}

// between reports whether two values that differ in integers, or in one rune, are of a class since
// many values like them are that neither needs: with integers up to four times as far from the
// simplest, or other runes that are not letters.
func (k *Known) between(c *Class, t choices.Tree, needs []Need, places []int) bool {
	failed := 0
	for n := range maxBetween {
		edited := slices.Clone(t)
		for _, i := range places {
			if t[i].Kind == choices.Text {
				edited[i].Tag = another(c.Tree[i].Tag, t[i].Tag, n)
			} else {
				edited[i].N = k.other(&c.Tree[i], &t[i])
			}
		}
		if k.met(needs, edited) == nil && k.met(c.Needs[0], edited) == nil {
			if run := k.run(edited); run != nil && run.Failed && k.Key(run) == c.Key {
				failed++
			}
		}
	}
	return failed > 1
}

// another returns a text with the n-th rune that is not a letter in place of the one in which it
// differs from another text, or the text itself.
func another(of, text string, n int) string {
	const others = "\t\n !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\x00\u00a0"
	a, b, c := []rune(of), []rune(text), []rune(others)
	for i := range b {
		if n < len(c) && len(a) == len(b) && a[i] != b[i] {
			b[i] = c[n]
			break
		}
	}
	return string(b)
}

// other returns an integer like the answers of two choices, or, if there are few, one of the two.
func (k *Known) other(a, b *choices.Choice) int64 {
	if n := b.Hi - b.Lo; 0 < n && n <= 8 {
		return []int64{a.N, b.N}[k.r.IntN(2)]
	}
	from := a // the one that is farther from the simplest
	if distance(b) > distance(a) {
		from = b
	}
	n := from.Origin() + int64(side(from))*k.r.Int64N(min(distance(from), 1<<60)*4)
	if b.Kind.Clamp(n, b.Lo, b.Hi) != n {
		n = from.Origin() + int64(side(from))*k.r.Int64N(distance(from))
	}
	return b.Kind.Clamp(n, b.Lo, b.Hi)
}

// number is one in a literal.
var number = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`-?\d[\d.]*(?:e[+-]?\d+)?`)
})

// nearly reports whether two values print alike, but for numbers that differ by one percent, by 1,
// or in their signs.
func (k *Known) nearly(a, b choices.Tree) bool {
	print := func(t choices.Tree) string {
		v, _, _ := values.Make(nil, k.Gen(), choices.Replay(t, nil))
		text, _ := literal.Within(4<<10, v, "")
		return text
	}
	x, y := print(a), print(b)
	return number().ReplaceAllString(x, "0") == number().ReplaceAllString(y, "0") &&
		slices.EqualFunc(number().FindAllString(x, -1), number().FindAllString(y, -1),
			func(x, y string) bool {
				m, _ := strconv.ParseFloat(x, 64)
				n, _ := strconv.ParseFloat(y, 64)
				m, n = math.Abs(m), math.Abs(n)
				return math.Abs(m-n) <= max(1, m/100)
			})
}

func distance(c *choices.Choice) int64 {
	d := c.N - c.Origin()
	return max(d, -d, 1)
}

// nextTo returns the known class in which a value fails after a step, or nil.
func (k *Known) nextTo(key string, m *Minimal) *Class {
	left := maxSteps
	for edited, hoists := range k.steps(m.Tree) {
		if left--; left < 0 {
			break
		}
		_, made, err := values.Make(nil, k.Gen(), choices.Replay(edited, nil))
		if err != nil {
			continue
		}
		if run := k.run(made); run != nil && run.Failed &&
			(k.Key(run) == key || hoists && run.Place == m.Run.Place && !run.Named) {
			if c := k.Find(k.Key(run), made); c != nil {
				return c
			}
		}
	}
	return nil
}

// steps yields what a tree becomes if an element goes, or if the value becomes a part of itself,
// which it hoists. Replay each. An element that decides stays: what fails without it may
// be another bug.
func (k *Known) steps(t choices.Tree) iter.Seq2[choices.Tree, bool] {
	return func(yield func(_ choices.Tree, hoists bool) bool) {
		for i := range t {
			if c := &t[i]; c.Element && c.Asked() && !c.IsSimplest() && !k.decides(t, i) &&
				!yield(t.Cut(i, t.End(i)), false) {
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

// decides reports whether a value mostly passes with another element in place of the one at i.
func (k *Known) decides(t choices.Tree, i int) bool {
	if t.End(i) == i+1 {
		return false
	}
	failed := 0
	for range maxOthers {
		edited := slices.Clone(t)
		for j := i + 1; j < t.End(i); j++ {
			edited[j].Reroll = true
		}
		if _, made, err := values.Make(nil, k.Gen(), choices.Replay(edited, k.r)); err == nil {
			if run := k.run(made); run != nil && run.Failed {
				failed++
			}
		}
	}
	return 3*failed < maxOthers
}

// A difference says how two minimal values differ whose choices are asked in the same places.
type difference struct {
	alike  bool  // in integers and texts only
	texts  bool  // in texts only
	places []int // where they do
	near   bool  // in texts only, of runes of the same kinds
	twins  bool  // everywhere in the same answers
	ints   bool  // in integers only
}

func compare(a, b choices.Tree) difference {
	if len(a) != len(b) {
		return difference{}
	}
	d := difference{alike: true, texts: true, ints: true, near: true, twins: true}
	for i := range a {
		x, y := &a[i], &b[i]
		switch {
		case x.Kind != y.Kind || x.Slot != y.Slot || x.Element && x.Tag != y.Tag:
			return difference{}
		case x.N == y.N && x.Tag == y.Tag:
			continue
		case x.Kind == choices.Pick:
			d.alike, d.texts, d.ints, d.near = false, false, false, false
		case x.Kind == choices.Text:
			d.ints, d.near = false, d.near && sameKinds(x.Tag, y.Tag)
		default:
			d.texts = false
			d.near = d.near && x.N == y.N
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

// small reports whether values differ so little that they are of one class: in runes of the same
// kinds, or in equal parts that are other ones.
func (d difference) small() bool { return d.alike && d.near || len(d.places) > 1 && d.twins }

// sameKinds reports whether two texts have equal runes, or ones of a kind.
func sameKinds(a, b string) bool {
	return slices.EqualFunc([]rune(a), []rune(b), func(r, s rune) bool {
		return r == s ||
			slices.ContainsFunc(kinds[1:], func(kind kind) bool { return kind.in(r) && kind.in(s) })
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
