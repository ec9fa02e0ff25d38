// Package draw is for properties that draw their values while they run, as properties of rapid and
// of Hypothesis's data do:
//
//	func TestCut(t *testing.T) {
//		fuzzext.Sequence(t, draw.Property(func(t *draw.T) {
//			s := draw.From(t, "s", bigen.String(20))
//			n := draw.From(t, "n", bigen.IntRange(0, len(s)))
//			if s[:n]+s[n:] != s {
//				t.Errorf("cut at %d", n)
//			}
//		}))
//	}
//
// What is drawn may depend on what the code under test has returned. All that Check and Valid do
// works: the draws are a list of values, which is saved, mutated, minimized and replayed, and runs
// backward, so that lists can be Examples. Where a generator can make the value before the property
// runs, prefer that: the report then shows a value of a type of yours, and a property with draws
// costs two or three times as much. It runs a first time to learn what it draws, and a second time
// for its result.
package draw

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// A Value is one that a property has drawn.
type Value struct {
	Name  string
	Value any
}

// T is what a property has in place of a *testing.T. The TB is the one of the test, a *fuzzext.T,
// but for the first run, in which nothing that the property says, and no failure, counts. A value
// for which the property calls Skip is invalid, as by the method Assume of fuzzext.T.
type T struct {
	testing.TB
	gen    *bigen.C // in the first run
	values []Value  // to be drawn; nil in the first run, unless it reads values
	drawn  []Value
	counts map[string]int // draws by name
	inGen  bool           // a generator is running
}

// A Drawing is a property that draws. It has the methods that fuzzext.Sequence takes.
type Drawing struct{ prop func(t *T) }

// Property returns a property that draws. prop must use the T that it receives, must draw in its
// own goroutine, and must be deterministic: the same values drawn must lead to the same draws.
func Property(prop func(t *T)) *Drawing { return &Drawing{prop} }

// Gen returns the generator of the values that the property draws, which runs the property.
// Backward, it reads those that the property would draw.
func (d *Drawing) Gen() bigen.Gen[[]Value] {
	return bigen.Steps(func(c *bigen.C, s []Value) (bigen.Machine[Value], []Value) {
		t := &T{gen: c, values: s}
		if t.rehearse(d.prop); len(t.drawn) < len(s) {
			c.Refuse("the property draws %d values, not these %d", len(t.drawn), len(s))
		}
		return end{}, t.drawn
	}, 0, 1)
}

// Run runs the property on the values that it draws.
func (d *Drawing) Run(t testing.TB, values []Value) {
	d.prop(&T{TB: t, values: values})
}

// From draws a value of g. Reports, corpora and edits know it by its name and by how many of that
// name have been drawn before.
//
// If the property draws other values than the first time it ran, From fails the test, unless it has
// failed already: then From ends the run.
func From[A any](t *T, name string, g bigen.Gen[A]) A {
	if t.gen == nil {
		return next[A](t, name)
	}
	var v A
	if t.gen.Backward() {
		v = read[A](t, name)
	}
	t.inGen = true
	twin := bigen.Draw(t.gen, name, t.count(name), &v, g)
	t.inGen = false
	t.drawn = append(t.drawn, Value{name, v})
	return twin
}

// next returns the next of the values that the property has drawn when it ran first.
func next[A any](t *T, name string) A {
	i := len(t.drawn)
	if i == len(t.values) {
		t.Helper()
		t.astray("%q, and nothing when it ran first", name)
	}
	now := t.values[i]
	v, ok := now.Value.(A)
	if now.Name != name || !ok && now.Value != nil {
		t.Helper()
		t.astray("%q as %T, and %q as %T when it ran first", name, v, now.Name, now.Value)
	}
	t.drawn = t.values[:i+1]
	return v
}

// astray ends a run that draws other values than the first one.
func (t *T) astray(format string, args ...any) {
	t.Helper()
	if t.Failed() {
		t.FailNow() // the first run ended here
	}
	t.Fatalf("draw.From: the property now draws "+format+
		": what it draws may depend on nothing but the values drawn before", args...)
}

// read returns the next of the values that a run backward reads.
func read[A any](t *T, name string) A {
	i := len(t.drawn)
	t.inGen = true
	if i == len(t.values) {
		t.gen.Refuse("the property draws %q after these %d values", name, i)
	}
	now := t.values[i]
	v, ok := now.Value.(A)
	if now.Name != name || !ok && now.Value != nil {
		t.gen.Refuse("the property draws %q as %T, where value %d is %q as %T", name, v, i,
			now.Name, now.Value)
	}
	return v
}

// count returns how many values of a name have been drawn, and counts another one.
func (t *T) count(name string) int {
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[name]++
	return t.counts[name] - 1
}

// Assume ends the run unless ok, and marks what has been drawn as invalid.
func (t *T) Assume(ok bool) {
	if !ok {
		t.SkipNow()
	}
}

// Label counts the draws under a name, as the method of fuzzext.T does.
func (t *T) Label(name string) {
	if tb, ok := t.TB.(interface{ Label(name string) }); ok {
		tb.Label(name)
	}
}

// Class names the class of the failure, as the method of fuzzext.T does.
func (t *T) Class(name string) {
	if tb, ok := t.TB.(interface{ Class(name string) }); ok {
		tb.Class(name)
	}
}

// end is the machine of no steps: all is drawn before.
type end struct{}

func (end) Offer() []choices.Alt             { return nil }
func (end) Allows(int) bool                  { return false }
func (end) Find(*bigen.C, *Value) int        { return 0 }
func (end) Step(_ *bigen.C, _ int, _ *Value) {}
