package apigen

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A zero value is ready if its comment says so, or if users get no other and cannot set it up.
func TestReady(t *testing.T) {
	p := packageOf(t, "", `
		// The zero value is ready to use.
		type Documented struct{ N int }
		// The zero value for a Single is a list of one element.
		type Single struct{ N int }
		func Singles() *Single { return nil }
		type Closed struct{ n int }
		func (c *Closed) Do() {}
		type Open struct{ N int }
		type Made struct{ n int }
		func NewMade() *Made { return nil }
		type Fault struct{ err error }
		func (f *Fault) Error() string { return "" }
		type Own struct{ n int }
		func (o *Own) Add(p *Own) {}
		type Hidden struct{ n int }
		func (h *Hidden) Write() {}
		func NewHidden() interface{ Write() } { return &Hidden{} }
		type Named struct{ n int }
		func NewNamed() interface{ Read() } { return nil }
		`)
	e := newEnum(p, Options{})
	for name, want := range map[string]bool{
		"Documented": true, "Single": true, "Closed": true, "Open": false, "Made": false,
		"Fault": false, "Own": true, "Hidden": false, "Named": true,
	} {
		require.Equal(t, want, e.ready(namedType(p.types.Scope().Lookup(name))), name)
	}
}

// Names and comments announce that a function may panic, wait, or end the process.
func TestMayPanic(t *testing.T) {
	p := packageOf(t, "", `
		func Must(int) {}
		func Fatalf(string) {}
		func LogFatal(string) {}
		func ExitIf(bool) {}
		// Usage prints the flags and terminates.
		func Usage() {}
		// Close exits without an error if it is closed.
		func Close() {}
		// Peek returns the value (or zero if there is none).
		func Peek() {}
		// Swap has undefined behavior for others.
		func Swap() {}
		// The output must be a pointer.
		func Copy(output any) {}
		// The output must be a pointer.
		func Decode(output any) error { return nil }
		// First returns the first entry.
		//
		// Bug: panics for one entry.
		func First() {}
		// BUG(ann): it panics if there is no entry.
		//
		// Last panics if it is closed.
		func Last() {}
		func Exact() {}`)
	warned := map[string]bool{}
	e := newEnum(p, Options{})
	for _, o := range e.ops {
		warned[o.name] = e.mayPanic(o)
	}
	require.Equal(t, map[string]bool{
		"p.Must": true, "p.Fatalf": true, "p.LogFatal": true, "p.ExitIf": true, "p.Usage": true,
		"p.Close": true, "p.Peek": false, "p.Swap": true, "p.Copy": true, "p.Decode": false,
		"p.First": false, "p.Last": true, "p.Exact": false,
	}, warned)
}
