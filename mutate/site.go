package mutate

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// pickOne returns an index of t that ok accepts, all equally often, or -1.
func pickOne(t choices.Tree, r *rand.Rand, ok func(c *choices.Choice) bool) int {
	n := 0
	for i := range t {
		if ok(&t[i]) {
			n++
		}
	}
	if n == 0 {
		return -1
	}
	n = r.IntN(n)
	for i := range t {
		if ok(&t[i]) {
			if n--; n < 0 {
				return i
			}
		}
	}
	return -1
}

// asked reports whether c is a choice that an edit can change.
func asked(c *choices.Choice) bool { return c.Kind != choices.Regenerate && c.Asked() }

// isNumber reports whether c is an integer that could be another.
func isNumber(c *choices.Choice) bool {
	return (c.Kind == choices.Int || c.Kind == choices.Uint) && c.Kind.Less(c.Lo, c.Hi)
}

// isText reports whether c is a text.
func isText(c *choices.Choice) bool { return c.Kind == choices.Text }

// isLeaf reports whether c is an integer or text that could be another.
func isLeaf(c *choices.Choice) bool { return isText(c) || isNumber(c) }

// within returns where in the other tree the possible partners of a choice are.
type within func(i int) (from, end int)

// anywhere is within for all of a tree.
func anywhere(t choices.Tree) within { return func(int) (int, int) { return 0, len(t) } }

// below is within for the choices below t[i].
func below(t choices.Tree) within { return func(i int) (int, int) { return i + 1, t.End(i) } }

const (
	pairDraws = 32 // pairs drawn before the search in order
	pairScans = 8  // bounds that search, in lengths of the other tree
)

// pair looks for Picks t[i] and u[j] that are compatible, accepted by ok, and different,
// where j is in the range in(i). It draws some pairs at random. Then it searches in order,
// from a random start, for a time in proportion to len(u).
func (m *Mutator) pair(
	t, u choices.Tree, r *rand.Rand, in within, ok func(i, j int) bool,
) (i, j int, found bool) {
	if len(t) == 0 || len(u) == 0 {
		return 0, 0, false
	}
	fits := func(i, j int) bool {
		return u[j].Kind == choices.Pick && m.compatible(t, i, u, j) && ok(i, j) &&
			!sameChoices(t.At(i), u.At(j))
	}
	for range pairDraws {
		i := r.IntN(len(t))
		if t[i].Kind != choices.Pick {
			continue
		}
		from, end := in(i)
		if from >= end {
			continue
		}
		if j := from + r.IntN(end-from); fits(i, j) {
			return i, j, true
		}
	}
	return searchPair(t, r.IntN(len(t)), pairScans*len(u), in, fits)
}

// searchPair looks at the Picks of t in order, from start on, until it has looked at so many pairs.
func searchPair(
	t choices.Tree, start, most int, in within, fits func(i, j int) bool,
) (i, j int, found bool) {
	for k := 0; k < len(t) && most > 0; k++ {
		i := (start + k) % len(t)
		if t[i].Kind != choices.Pick {
			continue
		}
		from, end := in(i)
		for j := from; j < end; j++ {
			if fits(i, j) {
				return i, j, true
			}
		}
		most -= end - from
	}
	return 0, 0, false
}

// transplant replaces t[i] by u[j], for a pair of indices i and j.
func (m *Mutator) transplant(
	t, u choices.Tree, r *rand.Rand, in within, ok func(i, j int) bool,
) (edited choices.Tree, done bool) {
	i, j, found := m.pair(t, u, r, in, ok)
	if !found {
		return t, false
	}
	return m.graft(t, i, u.At(j))
}

// compatible reports whether the Picks t[i] and u[j] can replace each other.
func (m *Mutator) compatible(t choices.Tree, i int, u choices.Tree, j int) bool {
	a, b := &t[i], &u[j]
	if m.Compat == nil && a.Family != b.Family || m.Compat != nil && !m.Compat(a, b) {
		return false
	}
	if a.Tag != b.Tag || i+1 >= t.End(i) || j+1 >= u.End(j) {
		return true
	}
	x, y := &t[i+1], &u[j+1]
	return x.Slot == y.Slot && (x.Kind == y.Kind && x.Family == y.Family ||
		x.Kind == choices.Regenerate || y.Kind == choices.Regenerate)
}

// sameChoices reports whether two trees make the same choices, wherever they are.
func sameChoices(a, b choices.Tree) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Kind != b[i].Kind || a[i].Reroll != b[i].Reroll || a[i].N != b[i].N ||
			a[i].Tag != b[i].Tag {
			return false
		}
	}
	return true
}

// maxTree bounds the choices of a tree: a value has no more.
const maxTree = 1 << 16

// replace replaces the siblings from i up to end, at least one, by parts, one after the
// other. ok is false if the tree would become too large.
func (m *Mutator) replace(
	t choices.Tree, i, end int, parts ...choices.Tree,
) (edited choices.Tree, ok bool) {
	more := i - end
	for _, p := range parts {
		more += len(p)
	}
	if more > 0 && len(t)+more > maxTree {
		return t, false
	}
	out := m.room(len(t) + more)
	out = append(out, t[:i]...)
	for _, p := range parts {
		out = append(out, p...)
	}
	out = append(out, t[end:]...)
	for j := range out[:i] {
		if t.End(j) > i { // an ancestor
			out[j].Size += int32(more)
		}
	}
	return out, true
}

// graft replaces the subtree at i by sub, which has a single root.
func (m *Mutator) graft(t choices.Tree, i int, sub choices.Tree) (edited choices.Tree, ok bool) {
	edited, ok = m.replace(t, i, t.End(i), sub)
	if ok {
		edited[i].Slot, edited[i].Index = t[i].Slot, t[i].Index
	}
	return edited, ok
}
