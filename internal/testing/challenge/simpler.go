package challenge

import (
	"fmt"
	"iter"
	"slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// simpler returns a value that fails, and is simpler than that of a failing tree by one edit, as
// package fmt prints it, or "". The edits are those that a reader would try by hand; the minimizer
// has no part in them:
//
//   - a part goes, or becomes the simplest one, or one of its own parts of the same kind;
//   - a choice has a simpler answer, or a text has a rune less, or a plainer one;
//   - an integer comes nearer to the simplest, and another one is as simple as it can be then.
func simpler[V any](g bigen.Gen[V], t choices.Tree, fails func(V) bool) string {
	found, value := "", ""
	if v, err := bigen.Value(g, choices.Replay(t, nil)); err == nil {
		value = fmt.Sprint(v)
	}
	try := func(edited choices.Tree) bool {
		v, made, err := bigen.Run(g, choices.Replay(edited, nil))
		if err != nil || mutate.Compare(made, t) >= 0 || !fails(v) {
			return false
		}
		found = fmt.Sprint(v)
		return found != value // else the same value is made in another way
	}
	for edited := range singleEdits(t) {
		if try(edited) {
			return found
		}
	}
	for i := range t {
		for n := range nearer(&t[i]) {
			for j := range t {
				if j != i && isInt(&t[j]) && frontier(g, t, i, j, n, fails, try) {
					return found
				}
			}
		}
	}
	return ""
}

func singleEdits(t choices.Tree) iter.Seq[choices.Tree] {
	return func(yield func(choices.Tree) bool) {
		for i := range t {
			c, end := &t[i], t.End(i)
			plain := slices.Clone(t)
			for j := i; j < end; j++ {
				simplest(&plain[j])
			}
			if !yield(t.Cut(i, end)) || !yield(plain) {
				return
			}
			for j := i + 1; j < end; j++ {
				if t[j].Kind == c.Kind && t[j].Family == c.Family && !yield(t.Splice(i, t.At(j))) {
					return
				}
			}
			for answer := range answers(c) {
				edited := slices.Clone(t)
				answer(&edited[i])
				if !yield(edited) {
					return
				}
				if c.Kind == choices.Pick && end > i+1 && !yield(edited.Cut(i+1, end)) {
					return
				}
			}
		}
	}
}

// answers yields changes to simpler answers.
func answers(c *choices.Choice) iter.Seq[func(*choices.Choice)] {
	return func(yield func(func(*choices.Choice)) bool) {
		switch {
		case isInt(c):
			for n := range nearer(c) {
				if !yield(func(c *choices.Choice) { c.N = n }) {
					return
				}
			}
		case c.Kind == choices.Pick:
			for n := range c.N {
				if !yield(func(c *choices.Choice) { c.TakeIndex(n) }) {
					return
				}
			}
		case c.Kind == choices.Text:
			runes := []rune(c.Tag)
			for i, r := range runes {
				less := string(slices.Concat(runes[:i], runes[i+1:]))
				if !yield(func(c *choices.Choice) { c.Tag = less }) {
					return
				}
				for _, plainer := range "a0 " {
					other := slices.Clone(runes)
					if other[i] = plainer; plainer != r &&
						!yield(func(c *choices.Choice) { c.Tag = string(other) }) {
						return
					}
				}
			}
		}
	}
}

// nearer yields integers that are nearer to the simplest: that one, and halfway and so on to the
// integer.
func nearer(c *choices.Choice) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if !isInt(c) {
			return
		}
		from, n := c.Origin(), c.N
		for n != from {
			if !yield(from) {
				return
			}
			half := from + (n-from)/2
			if half == from { // they are next to each other, or far apart in the range of a Uint
				return
			}
			from = half
		}
	}
}

// frontier looks for the simplest integer at j with which the value fails that has n at i: by
// doubling from the one that it has, and by bisection. It reports whether try takes the result.
func frontier[V any](
	g bigen.Gen[V], t choices.Tree, i, j int, n int64, fails func(V) bool,
	try func(choices.Tree) bool,
) bool {
	with := func(m int64) choices.Tree {
		edited := slices.Clone(t)
		edited[i].N, edited[j].N = n, m
		return edited
	}
	failsWith := func(m int64) bool {
		v, err := bigen.Value(g, choices.Replay(with(m), nil))
		return err == nil && fails(v)
	}
	c := &t[j]
	for _, end := range []int64{c.Lo, c.Hi} {
		passes, failing, step := c.N, c.N, int64(1)
		for failing != end && !failsWith(failing) {
			passes = failing
			if distance := end - failing; distance > 0 && distance > step {
				failing += step
			} else if distance < 0 && -distance > step {
				failing -= step
			} else {
				failing = end
			}
			step *= 2
		}
		if !failsWith(failing) {
			continue
		}
		for passes != failing {
			middle := passes + (failing-passes)/2
			if middle == passes {
				break
			}
			if failsWith(middle) {
				failing = middle
			} else {
				passes = middle
			}
		}
		if try(with(failing)) {
			return true
		}
	}
	return false
}

func isInt(c *choices.Choice) bool {
	return (c.Kind == choices.Int || c.Kind == choices.Uint) && c.Asked()
}

func simplest(c *choices.Choice) {
	switch {
	case c.Kind == choices.Pick:
		c.TakeIndex(0)
	case c.Kind == choices.Text:
		c.Tag = ""
	default:
		c.N = c.Origin()
	}
}
