package fuzzext

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

// maxClassValue is how many bytes the literal of a value has at most.
const maxClassValue = 4 << 10

// summary returns a summary of the classes.
func (c *collector) summary() string {
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
		return cmp.Or(cmp.Compare(f.place, g.place), mutate.Compare(f.tree, g.tree))
	})
	for i, f := range c.list {
		fmt.Fprintf(&b, "\n%d. %s", i+1, c.describe(f))
	}
	test := c.s.tb.Name()
	fmt.Fprintf(&b, "\nto run them again:\n%s\nto make the same random values again:\n%s\n",
		text.Indent(c.home.rerun(test, c.list[0].file, c.hangs())+" -fuzzext.keepgoing"), text.Indent(c.home.repeat(test, c.hangs())+" -fuzzext.keepgoing"))
	return b.String()
}

// describe returns the message of a class, its minimal value and where that is saved.
func (c *collector) describe(f *class) string {
	var b strings.Builder
	log, _ := f.run.logged()
	if at := strings.Index(log, f.place+":"); at > 0 {
		log = log[at:] // not what the property has logged before
	}
	if f.run.hang != nil {
		log = f.hangText()
	}
	message, _, panics := strings.Cut(strings.TrimSpace(log), "\n\ngoroutine ")
	if panics {
		message = strings.TrimPrefix(f.place, "panic at ") + ": " + message
	}
	b.WriteString(firstLines(message) + "\n")
	shown, passes, left := "it cannot be made again", "", ""
	if v, _, err := c.tryRemake(f.tree); err == nil {
		var all bool
		shown, all = literal.Within(maxClassValue, v, c.target.pkg)
		if f.run.hang == nil && f.flaky == "" && f.stopped == "" && c.explained < maxExplained {
			c.explained++
			e := c.explain(c.s, f.tree, f.run.class(false), explainTime)
			passes, left = e.passes, e.left
			if all && len(e.marks) > 0 {
				shown, _ = literal.Marked(maxClassValue, v, c.target.pkg, e.marks)
			}
		}
	}
	what := "minimal failing value"
	switch {
	case f.run.hang != nil:
		what = "value on which it does not return, not minimized"
	case f.flaky != "":
		what = "failing value, flaky: " + f.flaky
	case f.stopped != "":
		what = "failing value, minimized as far as " + f.stopped + " allowed"
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
