package classes

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/mutate"
)

// MaxValue is how many bytes the literal of a value has at most.
const MaxValue = 4 << 10

// None reports whether no failure has been collected.
func (c *Classes) None() bool { return c == nil || len(c.list) == 0 }

// Len returns how many classes there are.
func (c *Classes) Len() int { return len(c.list) }

// Report returns a summary of the classes.
func (c *Classes) Report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of failures; %s failed", text.CountOf(len(c.list), "class", "classes"), text.Count(c.failed, "value"))
	if seen := 0; len(c.list) > 1 {
		for _, f := range c.list {
			seen += f.seen
		}
		if seen > c.failed {
			b.WriteString(", some for several reasons")
		}
	}
	if c.others > 0 {
		fmt.Fprintf(&b, ", %d of them not looked at", c.others)
	}
	b.WriteString(c.leftBehind() + "\n")
	slices.SortStableFunc(c.list, func(f, g *class) int {
		return cmp.Or(cmp.Compare(f.place, g.place), mutate.Compare(f.Tree, g.Tree))
	})
	for i, f := range c.list {
		fmt.Fprintf(&b, "\n%d. %s", i+1, c.describe(f))
	}
	fmt.Fprintf(&b, "\nto run them again:\n%s\nto make the same random values again:\n%s\n",
		text.Indent(c.Rerun(c.list[0].file, c.hangs())+" -fuzzext.keepgoing"), text.Indent(c.Repeat(c.hangs())+" -fuzzext.keepgoing"))
	return b.String()
}

// describe returns the message of a class, its minimal value and where that is saved.
func (c *Classes) describe(f *class) string {
	var b strings.Builder
	log := f.Run.Log()
	if at := strings.Index(log, f.place+":"); at > 0 {
		log = log[at:] // not what the property has logged before
	}
	if f.Run.Hang != nil {
		log = f.hangText()
	}
	message, _, panics := strings.Cut(strings.TrimSpace(log), "\n\ngoroutine ")
	if panics {
		message = strings.TrimPrefix(f.place, "panic at ") + ": " + message
	}
	b.WriteString(firstLines(message) + "\n")
	_, pkg, _ := c.Subject()
	shown, passes, left := "it cannot be made again", "", ""
	if v, _, err := c.make(f.Tree); err == nil {
		var all bool
		shown, all = literal.Within(MaxValue, v, pkg)
		if f.Run.Hang == nil && f.flaky == "" && f.Stopped == "" && c.explained < maxExplained {
			c.explained++
			e := c.Explain(f.Tree, f.Run.Coarse)
			passes, left = e.Passes, e.Left
			if all && len(e.Marks) > 0 {
				shown, _ = literal.Marked(MaxValue, v, pkg, e.Marks)
			}
		}
	}
	what := "minimal failing value"
	switch {
	case f.Run.Hang != nil:
		what = "value on which it does not return, not minimized"
	case f.flaky != "":
		what = "failing value, flaky: " + f.flaky
	case f.Stopped != "":
		what = "failing value, minimized as far as " + f.Stopped + " allowed"
	}
	fmt.Fprintf(&b, "    %s:\n%s\n", what, text.Indent(text.Indent(shown)))
	if passes != "" {
		fmt.Fprintf(&b, "    it passes with:\n%s\n", text.Indent(text.Indent(passes)))
	}
	if left != "" {
		fmt.Fprintf(&b, "    not tried, and so without a mark: %s\n", left)
	}
	switch {
	case f.err != nil:
		fmt.Fprintf(&b, "    it could not be saved: %v\n", f.err)
	case f.file != "":
		fmt.Fprintf(&b, "    saved as %s", filepath.ToSlash(f.file))
		if f.seen > 1 {
			fmt.Fprintf(&b, "; %d values failed so", f.seen)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// firstLines returns the first lines of a message, indented but for the first.
func firstLines(message string) string {
	const most = 3
	lines := strings.Split(message, "\n")
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	for i, l := range lines {
		lines[i] = text.Shorten(strings.TrimRight(l, " \t"), 200)
	}
	return strings.Join(lines, "\n    ")
}
