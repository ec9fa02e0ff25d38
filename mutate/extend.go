package mutate

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// In this file, a branch is the index of a Pick with parts, or -1 for the tree as a whole.

// maxInStep is the maximum number of branches that an edit changes.
const maxInStep = 16

// extend adds a part: it replaces a small Pick that takes the first alternative, as leaves do, by a
// copy of the smallest compatible one that is larger, or adds such an element to a sequence. One of
// its integers is drawn again, or becomes a neighbor of the same integer in the enclosing part.
// Half of the time, extend also changes one kind of choice, such as a height or a length, in the
// enclosing parts, from the innermost outward.
func (m *Mutator) extend(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	i, j, found := m.pair(t, t, r, anywhere(t), func(i, j int) bool { return extends(t, i, j) })
	if !found {
		return t, false
	}
	j = m.smallestExtending(t, i, j, r)
	if t[i].Element { // the end of a sequence, which stays
		edited, ok = m.replace(t, i, t.End(i), t.At(j), t.At(i))
	} else {
		edited, ok = m.graft(t, i, t.At(j))
	}
	if !ok {
		return t, false
	}
	t = edited
	around := enclosing(t, i, maxInStep-1)
	around = append(around, -1)
	drawNear(t, i, around[0], r)
	around = around[:1+r.IntN(len(around))]
	if model := someOf(t, around[r.IntN(len(around))], r); model != nil && r.IntN(2) == 0 {
		inStep(t, around, *model, r)
	}
	return t, true
}

// extends reports whether the Pick at j is larger than the small one at i, and not as plain.
func extends(t choices.Tree, i, j int) bool {
	const mostSize = 8
	a, b := &t[i], &t[j]
	return a.N == 0 && b.N != 0 && a.Size <= min(mostSize, b.Size-1)
}

// smallestExtending returns the smallest compatible Pick that extends the one at i: j, or one that
// is smaller.
func (m *Mutator) smallestExtending(t choices.Tree, i, j int, r *rand.Rand) int {
	start := r.IntN(len(t))
	for k := range t {
		k = (start + k) % len(t)
		if t[k].Kind == choices.Pick && t[k].Size < t[j].Size && extends(t, i, k) &&
			m.compatible(t, i, t, k) {
			j = k
		}
	}
	return j
}

// enclosing returns the choices that i is a part of, at most so many, the innermost first.
func enclosing(t choices.Tree, i, most int) []int {
	around := make([]int, 0, maxInStep)
	for k := i - 1; k >= 0 && len(around) < most; k-- {
		if t.End(k) > i {
			around = append(around, k)
		}
	}
	return around
}

// drawNear has an integer of the part at i drawn again, or makes it a neighbor of the same integer
// in the part around.
func drawNear(t choices.Tree, i, around int, r *rand.Rand) {
	k := pickOne(t.At(i), r, isNumber)
	if k < 0 {
		return
	}
	c := &t[i+k]
	c.Reroll = true
	if d := like(t, around, c); d != nil && r.IntN(2) == 0 {
		if n := d.N + int64(r.IntN(3)) - 1; !outside(c, n) {
			c.N, c.Reroll = n, false
		}
	}
}

// recolor changes one kind of choice, such as a color or a rank, in a part and in those directly
// below it.
func (m *Mutator) recolor(t choices.Tree, r *rand.Rand) (edited choices.Tree, ok bool) {
	const draws = 8
	for range draws {
		k := pickOne(t, r, func(c *choices.Choice) bool { return c.Kind == choices.Pick && c.Size > 1 })
		if k < 0 {
			break
		}
		model := someOf(t, k, r)
		if model == nil {
			continue
		}
		var buffer [maxInStep]int
		branches := append(buffer[:0], k)
		for p := k + 1; p < t.End(k) && len(branches) < maxInStep; p = t.End(p) {
			if t[p].Kind == choices.Pick && like(t, p, model) != nil {
				branches = append(branches, p)
			}
		}
		if len(branches) > 1 {
			t = m.clone(t)
			inStep(t, branches, *model, r)
			return t, true
		}
	}
	return t, false
}

// someOf returns an integer, or a Pick without parts, that is directly in a branch and could be
// another, or nil. A Pick that could replace the branch itself does not count, because it is a
// missing part.
func someOf(t choices.Tree, branch int, r *rand.Rand) (some *choices.Choice) {
	n := 0
	each(t, branch, func(c *choices.Choice) {
		single := c.Kind == choices.Pick && c.Size == 1 && c.Hi > 0 && !c.Element &&
			(branch < 0 || c.Family != t[branch].Family)
		if single || isNumber(c) {
			if n++; r.IntN(n) == 0 {
				some = c
			}
		}
	})
	return some
}

// like returns the choice directly in a branch that answers the question of c, or nil.
func like(t choices.Tree, branch int, c *choices.Choice) (found *choices.Choice) {
	each(t, branch, func(d *choices.Choice) {
		if d.Slot == c.Slot && d.Kind == c.Kind && d.Size == c.Size && d.Family == c.Family {
			found = d
		}
	})
	return found
}

// inStep changes the choices that are like one: in the first branch, and in most of the others.
func inStep(t choices.Tree, branches []int, of choices.Choice, r *rand.Rand) {
	by := int64(1)
	if r.IntN(4) == 0 {
		by = -1
	}
	for j, k := range branches {
		switch c := like(t, k, &of); {
		case c == nil || j > 0 && r.IntN(4) == 0:
		case c.Kind == choices.Pick:
			c.Reroll = true
		case !outside(c, c.N+by):
			c.N += by
		}
	}
}

// each calls f for the choices directly in a branch.
func each(t choices.Tree, branch int, f func(c *choices.Choice)) {
	end := len(t)
	if branch >= 0 {
		end = t.End(branch)
	}
	for p := branch + 1; p < end; p = t.End(p) {
		f(&t[p])
	}
}
