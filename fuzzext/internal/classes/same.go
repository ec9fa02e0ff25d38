package classes

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/alike"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/mutate"
)

// isKnown reports whether a minimal value without a known pattern is of a class that is known all
// the same, whose patterns it then extends.
func (c *Classes) isKnown(key string, t choices.Tree) bool {
	return c.absorbs(key, t) || c.printsAlike(key, t) || c.containsKnown(key, t)
}

// absorbs reports whether a minimal value belongs to a class that is known: it is a neighbor of
// its value, or there are several that differ only in integers.
func (c *Classes) absorbs(key string, t choices.Tree) bool {
	var same []*alike.Pattern
	for _, f := range c.list {
		if f.key != key {
			continue
		}
		if f.pattern.Absorb(t, false) {
			return true
		}
		if f.pattern.Likes(t, true) {
			same = append(same, f.pattern)
		}
	}
	return len(same) >= maxIntegers && same[0].Absorb(t, true)
}

// printsAlike reports whether the minimal value of a class looks the same, as two NaNs do.
func (c *Classes) printsAlike(key string, t choices.Tree) bool {
	text, all := c.print(t)
	for _, f := range c.list {
		if f.key == key && all {
			if known, _ := c.print(f.Tree); known == text {
				c.extend(f, t)
				return true
			}
		}
	}
	return false
}

// print returns the literal of the value of a tree, and whether that is all of it.
func (c *Classes) print(t choices.Tree) (text string, all bool) {
	v, _, err := c.make(t)
	if err != nil {
		return "", false
	}
	_, pkg, _ := c.Subject()
	return literal.Within(MaxValue, v, pkg)
}

// extend makes the pattern of another minimal value one of a class.
func (c *Classes) extend(f *class, t choices.Tree) {
	f.others = append(f.others, c.patternOf(&class{Minimal: Minimal{Tree: t}, key: f.key}))
}

// containsKnown reports whether a minimal value fails since a part of it alone does, in a class
// that is known: hoisting leads to it. The pattern of the value becomes one of that class.
func (c *Classes) containsKnown(key string, t choices.Tree) bool {
	left := maxHoists
	f := c.hoisted(key, t, &left)
	if f != nil {
		c.extend(f, t)
	}
	return f != nil
}

// hoisted returns the known class of a value that hoisting leads to, or nil.
func (c *Classes) hoisted(key string, t choices.Tree, left *int) *class {
	for edited := range mutate.Hoists(t) {
		if *left--; *left < 0 {
			return nil
		}
		v, made, err := c.make(edited)
		if err != nil || len(made) >= len(t) {
			continue
		}
		run := c.Run(v, made)
		if run == nil {
			return nil
		}
		if !run.Failed || c.keyOf(run) != key {
			continue
		}
		if f := c.find(key, made); f != nil {
			return f
		}
		if f := c.hoisted(key, made, left); f != nil {
			return f
		}
	}
	return nil
}

// unite makes the classes of messages of one wording one class, and returns its key. Those stay
// apart whose minimal values do.
func (c *Classes) unite(sh *alike.Wording, place string) string {
	key := sh.Key(place)
	var united []*class
	c.list = slices.DeleteFunc(c.list, func(f *class) bool {
		if !sh.Has(f.key) {
			return false
		}
		united = append(united, f)
		return true
	})
	slices.SortStableFunc(united, func(f, g *class) int { return mutate.Compare(f.Tree, g.Tree) })
	for _, f := range united {
		c.tried[key] += c.tried[f.key]
		if f.key = key; f.flaky == "" {
			if known := c.find(key, f.Tree); known != nil || c.isKnown(key, f.Tree) {
				c.forget(f)
				if known != nil {
					known.seen += f.seen
				}
				continue
			}
			f.pattern = c.patternOf(f)
		}
		c.list = append(c.list, f)
	}
	return key
}

// forget removes the file of a class that is none, unless the file was there before.
func (c *Classes) forget(f *class) {
	if f.isNew && f.err == nil {
		c.Forget(f.file)
	}
}
