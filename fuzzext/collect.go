package fuzzext

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/classes"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/visible"
	"github.com/espalier-go/espalier/mutate"
)

// A judge runs the property in a trial to tell failures apart: it is a [classes.Host].
type judge struct {
	trial  *trial
	before func() // precedes further runs, which may end the process; or nil
}

// runOf returns what is left of a run on the value of a tree.
func (j *judge) runOf(t *T, tree choices.Tree) *classes.Result {
	r := &classes.Result{Failed: t.Failed(), Invalid: t.Skipped(), Of: t}
	if r.Failed && !j.trial.spec.anyFailure {
		r.Place = t.left().where
		r.Key, r.Words = t.classOf(tree)
		r.Whole = t.left().class != ""
	}
	return r
}

func (j *judge) Gen() bigen.Gen[any] { return j.trial.spec.gen }

// RunOn implements [classes.Host]. It runs nothing if the time of the trial is nearly over.
func (j *judge) RunOn(v any, t choices.Tree) *classes.Result {
	if at := j.trial.lateAt(); !at.IsZero() && time.Now().After(at) {
		return nil
	}
	j.prepare()
	run := j.trial.run(v, j.trial.hangAt, minimizing)
	if run == nil {
		return nil
	}
	if !run.Failed() {
		defer j.trial.recycle(run)
	}
	return j.runOf(run, t)
}

// prepare calls before, once.
func (j *judge) prepare() {
	if before := j.before; before != nil {
		j.before = nil
		before()
	}
}

func (j *judge) Minimize(
	t choices.Tree, first *classes.Result, same func(*classes.Result) bool,
	allowed func(choices.Tree) bool,
) classes.Minimal {
	j.prepare()
	m := j.trial.minimize(t, first.Of.(*T),
		func(t *T, made choices.Tree) bool { return same(j.runOf(t, made)) }, allowed)
	return classes.Minimal{Tree: m.tree, Run: j.runOf(m.run, m.tree), Stopped: m.stopped, Of: m}
}

// A collector collects the failures of a Check that continues after a failure: the variants of each
// class, with their minimal values.
type collector struct {
	*judge
	known  *classes.Known
	list   []*collected
	failed int // values
	others int // of these, those that have not been looked at

	onlySaved bool // so many saved values hang that no others have been made
}

// A collected failure is the failure of a variant of a class.
type collected struct {
	variant *classes.Variant
	failure
	at    stack.Where // it hangs
	seen  int         // values
	path  string      // where the minimal value is saved, or ""
	isNew bool        // it was not before
	err   error       // why it is not saved
}

const (
	maxParts     = 4  // minimal values of one failing value
	maxExplained = 20 // variants
)

func newCollector(tr *trial) *collector {
	j := &judge{trial: tr}
	return &collector{judge: j, known: &classes.Known{Host: j}}
}

// none reports whether no failure has been collected.
func (c *collector) none() bool { return c == nil || len(c.list) == 0 }

// addFailure adds the failure of a run on the value of a tree. The minimal value may be of another
// class than the value itself. So addFailure adds minimal values until the class of the value is
// known, a few at most.
func (c *collector) addFailure(tree choices.Tree, t *T) {
	t.isCollected = true
	c.failed++
	tree = slices.Clone(tree)
	if t.hang != nil {
		c.addHang(tree, t)
		return
	}
	run := c.runOf(t, tree)
	for range maxParts {
		if known := c.addMinimal(tree, run); known {
			break
		}
	}
	if !c.count(c.known.Class(run), 1) {
		c.others++
	}
}

// addMinimal adds the variant of a minimal value, if there is one that is not known. It reports
// whether there is nothing more to find out about the value of a failing run.
func (c *collector) addMinimal(tree choices.Tree, run *classes.Result) (known bool) {
	minimal := func(string) bool { return false }
	c.before = func() { minimal = c.trial.saveFirst(tree) }
	class, m := c.known.Classify(tree, run)
	c.leaveOut()
	switch {
	case class != nil || m == nil:
		minimal("known")
		return true
	}
	found := m.Of.(minimized)
	f := &collected{failure: c.trial.failureOf(len(tree), found)}
	if len(c.list) < maxExplained {
		c.trial.addMarks(&f.failure, found)
	}
	f.variant = c.known.Add(m, f.note != "" || found.stopped == tooLong)
	c.leaveOut()
	c.saveCollected(f)
	f.isNew = minimal(f.path) || f.isNew
	same := func(g *collected) bool { return slices.Equal(g.tree, f.tree) }
	if slices.ContainsFunc(c.list, same) { // told apart before they were minimized
		return true
	}
	c.list = append(c.list, f)
	return f.variant.Class.Whole
}

// addHang adds a run that has been abandoned. The function where it hangs, and the name that the
// property has given, are its class. Its value is not minimized, since each step that fails would
// hang as well. Of several values that hang in one function, the simplest counts.
func (c *collector) addHang(tree choices.Tree, t *T) {
	f, at := hangOf(t, *t.hang), stack.Innermost(t.hang.stack)
	f.where = "hang in " + at.Function
	key := f.where + " " + t.left().class
	i := slices.IndexFunc(c.list, func(f *collected) bool { return f.variant.Class.Key == key })
	if i < 0 {
		i = len(c.list)
		class := &classes.Class{Key: key, Whole: true}
		c.list = append(c.list, &collected{variant: &classes.Variant{Class: class}})
	}
	if had := c.list[i]; had.seen == 0 || mutate.Compare(tree, had.tree) < 0 {
		f.tree = tree
		had.failure, had.at = f, at
		c.saveCollected(had)
	}
	c.list[i].seen++
}

func (c *collector) saveCollected(f *collected) {
	f.path, f.isNew, f.err = saveEntry(c.trial.home.dir(c.trial.test.Name()),
		choices.Encode(f.tree), f.mark)
}

// count counts values of a class. It reports false if nothing has been collected of the class.
func (c *collector) count(class *classes.Class, n int) bool {
	i := slices.IndexFunc(c.list, func(f *collected) bool { return f.variant.Class == class })
	if i >= 0 {
		c.list[i].seen += n
	}
	return i >= 0
}

// leaveOut leaves out the variants in whose place others are now.
func (c *collector) leaveOut() {
	var out []*collected
	c.list = slices.DeleteFunc(c.list, func(f *collected) bool {
		if f.hangs || slices.Contains(f.variant.Class.Variants, f.variant) {
			return false
		}
		out = append(out, f)
		return true
	})
	for _, f := range out {
		c.count(f.variant.Class, f.seen)
		if f.isNew && f.err == nil {
			_ = os.Remove(inPackage(f.path)) // it stays: a value that fails, too
		}
	}
}

// byClass returns what has been collected by classes, in the order of their places, and the simplest
// variant first.
func (c *collector) byClass() (all [][]*collected) {
	for _, f := range c.list {
		i := slices.IndexFunc(all, func(of []*collected) bool {
			return of[0].variant.Class == f.variant.Class
		})
		if i < 0 {
			i, all = len(all), append(all, nil)
		}
		all[i] = append(all[i], f)
	}
	for _, of := range all {
		slices.SortStableFunc(of, func(f, g *collected) int { return mutate.Compare(f.tree, g.tree) })
	}
	slices.SortStableFunc(all, func(a, b []*collected) int {
		return cmp.Or(cmp.Compare(a[0].where, b[0].where), mutate.Compare(a[0].tree, b[0].tree))
	})
	return all
}

// failTest fails the test with a summary, if there are failures.
func (c *collector) failTest() {
	if c.none() {
		return
	}
	var b strings.Builder
	all := c.byClass()
	fmt.Fprintf(&b, "%s of failures; %s failed", text.CountOf(len(all), "class", "classes"),
		text.Count(c.failed, "value"))
	if c.others > 0 {
		fmt.Fprintf(&b, ", %d of them not looked at", c.others)
	}
	b.WriteString(c.leftBehind() + "\n")
	hangs := false
	for i, of := range all {
		hangs = hangs || of[0].hangs
		fmt.Fprintf(&b, "\n%d. %s", i+1, c.describeClass(of))
	}
	test := c.trial.test.Name()
	repeat := c.trial.home.repeat(test, hangs)
	rerun := repeat
	if all[0][0].path != "" {
		rerun = c.trial.spec.target().rerun(test, hangs) // with all files
	}
	fmt.Fprintf(&b, "\nto run them again:\n%s\nto make the same random values again:\n%s\n",
		text.Indent(rerun+" -fuzzext.keepgoing"), text.Indent(repeat+" -fuzzext.keepgoing"))
	fmt.Fprint(c.trial.tb.Output(), visible.Text(b.String()))
	c.trial.tb.Fail()
}

// describeClass returns the message of a class, and its variants.
func (c *collector) describeClass(of []*collected) string {
	said := func(f *collected) string { return c.trial.spec.once(&f.failure, f.said()) }
	message, seen := said(of[0]), 0
	below := ""
	if class := of[0].variant.Class; class.United {
		below = "messages there vary, and do not count: T.Class tells failures apart\n"
	}
	for i, f := range of {
		if i > 0 {
			if f.what = "another " + f.what; said(f) != message {
				below += text.Lines(said(f), 3, 200) + "\n"
			}
		}
		below += c.describeVariant(f)
		seen += f.seen
	}
	if seen > 1 {
		below += fmt.Sprintf("%d values failed so\n", seen)
	}
	if strings.Contains(message, "\ncalls:\n") { // of a sequence, which is code to run again
		message = text.Shorten(message, maxValue)
	} else {
		message = text.Lines(message, 3, 200)
	}
	return strings.TrimSpace(text.Indent(message)) + "\n" +
		text.Indent(strings.TrimSuffix(below, "\n")) + "\n"
}

// said returns the message of a failure.
func (f *collected) said() string {
	message, _, panics := strings.Cut(strings.TrimSpace(f.message()), "\n\ngoroutine ")
	switch {
	case f.hangs:
		return fmt.Sprintf("hang in %v\n%s", f.at, text.Line(f.message()))
	case panics:
		return strings.TrimPrefix(f.where, "panic at ") + ": " + message
	}
	return saidBy(message)
}

// saidBy returns what a message of a failure says: of an assertion of testify, the error, and what
// the test has added.
func saidBy(message string) string {
	at, said, _ := strings.Cut(message, "Error Trace:")
	_, said, ok := strings.Cut(said, "\tError:")
	if !ok {
		return message
	}
	_, more, _ := strings.Cut(said, "\tMessages:")
	said, _, _ = strings.Cut(said, "\tTest:")
	var lines []string
	for line := range strings.Lines(said + "\n" + more) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(at) + " " + strings.Join(lines, "\n")
}

// describeVariant returns the minimal value of a variant and where it is saved.
func (c *collector) describeVariant(f *collected) string {
	shown, _, _ := c.trial.spec.describe(&f.failure, maxValue/2, f.path != "")
	shown = f.note + shown
	switch {
	case f.err != nil:
		shown += fmt.Sprintf("it could not be saved: %v\n", f.err)
	case f.path != "":
		shown += "saved as " + filepath.ToSlash(f.path) + "\n"
	}
	return shown
}

// leftBehind says how many runs have been abandoned.
func (c *collector) leftBehind() string {
	n := int(c.trial.left.Load())
	if n == 0 {
		return ""
	}
	told := fmt.Sprintf(", %s did not return", text.Count(n, "run"))
	switch {
	case !c.trial.hasLeftMany():
		return told
	case c.onlySaved:
		told += ", all on saved values, so no other values were made"
	default:
		told += ", so the check has ended"
	}
	var most *collected
	for _, f := range c.list {
		if f.hangs && (most == nil || f.seen > most.seen) {
			most = f
		}
	}
	if most == nil { // while they were being minimized
		return told
	}
	return fmt.Sprintf("%s: %d of them hang in %v. Mend that, or leave such values out, as by "+
		"t.Assume, and run it again", told, most.seen, most.at)
}
