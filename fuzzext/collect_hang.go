package fuzzext

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/mutate"
)

// A run that does not return is of the class of the function where it hangs, and of the name
// that the property has given.

// addHang adds a run that has been left behind. Its value is not minimized: each step that
// fails would be another such run. Of several in one function, the simplest value counts.
func (c *collector) addHang(tree choices.Tree, run *T) {
	place := "hang in " + stack.Innermost(run.hang.stack).Function
	key := engine.JoinClass(place, run.class(false))
	i := slices.IndexFunc(c.list, func(f *class) bool { return f.key == key })
	if i < 0 {
		i = len(c.list)
		c.list = append(c.list, &class{key: key, place: place})
	}
	f := c.list[i]
	if f.seen++; f.seen > 1 && mutate.Compare(f.tree, tree) <= 0 {
		return
	}
	f.minimized = minimized{tree: tree, run: run}
	c.saveClass(f)
}

// hangs reports whether there is a class of runs that do not return.
func (c *collector) hangs() bool {
	return slices.ContainsFunc(c.list, func(f *class) bool { return f.run.hang != nil })
}

// leftBehind says how many runs have been left behind.
func (c *collector) leftBehind() string {
	n := int(c.s.left.Load())
	switch {
	case n == 0:
		return ""
	case n < maxHangs:
		return fmt.Sprintf(", %s did not return", text.Count(n, "run"))
	}
	i := slices.IndexFunc(c.list, func(f *class) bool { return f.run.hang != nil })
	if i < 0 { // while they were being minimized
		return fmt.Sprintf(", %s did not return, so the check has ended", text.Count(n, "run"))
	}
	most := c.list[i]
	for _, f := range c.list[i:] {
		if f.run.hang != nil && f.seen > most.seen {
			most = f
		}
	}
	return fmt.Sprintf(", %s did not return, so the check has ended: %d of them hang in %v. Mend that, or leave such values out, as by t.Assume, and run it again",
		text.Count(n, "run"), most.seen, stack.Innermost(most.run.hang.stack))
}

// hangText returns the message of a class of runs that do not return.
func (f *class) hangText() string {
	h := f.run.hang
	return fmt.Sprintf("hang in %v\nthe property has not returned after %v, with %v of CPU time", stack.Innermost(h.stack), h.after, h.cpu)
}
