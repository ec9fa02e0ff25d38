package classes

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/mutate"
)

// A run that does not return is of the class of the function where it hangs, and of the name
// that the property has given.

// addHang adds a run that has been left behind. Its value is not minimized: each step that
// fails would be another such run. Of several in one function, the simplest value counts.
func (c *Classes) addHang(tree choices.Tree, run *Run) {
	place := "hang in " + run.Hang.At.Function
	key := engine.JoinClass(place, run.Coarse)
	i := slices.IndexFunc(c.list, func(f *class) bool { return f.key == key })
	if i < 0 {
		i = len(c.list)
		c.list = append(c.list, &class{key: key, place: place})
	}
	f := c.list[i]
	if f.seen++; f.seen > 1 && mutate.Compare(f.Tree, tree) <= 0 {
		return
	}
	f.Minimal = Minimal{Tree: tree, Run: run}
	f.file, f.isNew, f.err = c.Save(tree)
}

// hangs reports whether there is a class of runs that do not return.
func (c *Classes) hangs() bool {
	return slices.ContainsFunc(c.list, func(f *class) bool { return f.Run.Hang != nil })
}

// leftBehind says how many runs have been left behind.
func (c *Classes) leftBehind() string {
	n, ended := c.Left()
	switch {
	case n == 0:
		return ""
	case !ended:
		return fmt.Sprintf(", %s did not return", text.Count(n, "run"))
	}
	i := slices.IndexFunc(c.list, func(f *class) bool { return f.Run.Hang != nil })
	if i < 0 { // while they were being minimized
		return fmt.Sprintf(", %s did not return, so the check has ended", text.Count(n, "run"))
	}
	most := c.list[i]
	for _, f := range c.list[i:] {
		if f.Run.Hang != nil && f.seen > most.seen {
			most = f
		}
	}
	return fmt.Sprintf(", %s did not return, so the check has ended: %d of them hang in %v. Mend that, or leave such values out, as by t.Assume, and run it again",
		text.Count(n, "run"), most.seen, most.Run.Hang.At)
}

// hangText returns the message of a class of runs that do not return.
func (f *class) hangText() string {
	return fmt.Sprintf("hang in %v\nthe property has not returned after %v, with %v of CPU time", f.Run.Hang.At, f.Run.Hang.After, f.Run.Hang.CPU)
}
