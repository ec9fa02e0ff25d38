package apitest

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

// Errors that are most certain come first, then the shortest. Those of one cause come below the
// first, and name it.
func TestRanked(t *testing.T) {
	panics := func(place, op, code string) job.Test {
		return job.Test{Place: place, Op: op, Code: code, Message: "panic: runtime error: index out of range [" + op + "]"}
	}
	errs := ranked([]job.Test{
		panics("a.go:1", "1", "x\ny\nz"),
		panics("a.go:2", "2", "z\ny"),
		panics("a.go:1", "3", "x"),
		{Message: "panic: stopped", Place: "a.go:1", Code: "p"},
		{Message: "the sequence does not end", Code: "x\ny\nz"},
		{Message: "contract of x1: x.Len() < 0: got true, want false", Code: "q"},
	})
	var got [][3]string
	for _, e := range errs {
		got = append(got, [3]string{e.Test, e.Code, e.Like})
	}
	require.Equal(t, [][3]string{
		{"TestError1", "q", ""},
		{"TestError2", "x", ""},
		{"TestError3", "x\ny\nz", "TestError2"},
		{"TestError4", "z\ny", ""},
		{"TestError5", "x\ny\nz", ""},
		{"TestError6", "p", ""},
	}, got)
	require.Equal(t, "No comment announces the panic.", errs[5].Why)
	require.Equal(t, "TestError3: a.go:1: 1: panic: runtime error: index out of range [1], like TestError2", describe(&errs[2]))
}

// Tests that call a function of the user in the harness need that file.
func TestNeedsHarness(t *testing.T) {
	g := &generation{harness: &apigen.Harness{Calls: "calls", Own: map[string]bool{"mine": true}}}
	for text, want := range map[string]bool{"\tx := mine()": true, "\tx := mine2()": false, "\tcalls.Run(t, x)": true, "": false} {
		require.Equal(t, want, g.needsHarness([]byte(text)), text)
	}
}

// What has all calls of another error, or hangs after the same calls, has the same cause.
func TestSameCause(t *testing.T) {
	hangs, panics, broken := "the sequence does not end", "panic: runtime error: index out of range", "contract of x1: no"
	for _, c := range []struct {
		a, b string // messages
		x, y []string
		same bool
	}{
		{broken, panics, []string{"x1 := New()", "x1.Put(1)"}, []string{"x1 := New()", "y1, _ := Parse(\"a := 1\")", "x2 := New()", "x1.Put(1)", "x1.Join(x2)"}, true},
		{broken, panics, []string{"x1 := New()", "x1.Put(1)"}, []string{"x1 := New()", "x2 := New()", "x2.Put(1)"}, true},
		{broken, panics, []string{"x2 := New()", "x2.Put(1)", "Close()"}, []string{"x1 := New()", "x1.Put(1)", "x1.Len()", "Close()"}, true},
		{broken, panics, []string{"x1 := New()", "x1.Put(1)"}, []string{"x1 := New()", "x1.Put(2)", "x1.Len()"}, false},
		{broken, panics, []string{"x1 := New()"}, []string{"x1 := New()", "x1.Len()"}, false},
		{broken, panics, []string{"x1, _ := New()", "x1.Len()"}, []string{"x1, x2 := New()", "x1.Len()"}, true},
		{broken, panics, []string{"x1, x2 := New()", "x2.Len()"}, []string{"x1, _ := New()", "x1.Len()", "x1.Cap()"}, true},
		{broken, broken, []string{"New()"}, []string{"New()"}, true},
		{"contract of x1: no", "contract of x2: no", []string{"x1 := New()", "x1.Put(1)"}, []string{"x1 := Make()", "x2 := Make()"}, true},
		{"contract of x1: no", "contract of x1: yes", []string{"x1 := New()", "x1.Put(1)"}, []string{"x1 := Make()"}, false},
		{hangs, hangs, []string{"x1 := New()", "x1.Lock()", "x1.Get()"}, []string{"x1 := New()", "x1.Lock()", "x1.Put()"}, true},
		{hangs, hangs, []string{"x1 := New()", "x1.Get()"}, []string{"x1 := New()", "x1.Put()"}, false},
		{hangs, stackOverflow, []string{"x1 := New()", "x1.Put(x1)", "x1.Get()"}, []string{"x1 := New()", "x2 := x1.Next()", "x1.Put(x1)", "x2.Len()"}, true},
		{hangs, panics, []string{"x1 := New()", "x1.Put(x1)", "x1.Get()"}, []string{"x1 := New()", "x1.Put(x1)", "x1.Len()"}, false},
		{hangs, stackOverflow, []string{"x1 := New()", "x1.Put(1)", "x1.Get()"}, []string{"x1 := New()", "x1.Put(x1)", "x1.Len()"}, false},
		{panics, panics, []string{"x1 := New()", "x1.Lock()", "x1.Get()"}, []string{"x1 := New()", "x1.Lock()", "x1.Put()"}, false},
	} {
		a, b := job.Test{Message: c.a, Steps: c.x}, job.Test{Message: c.b, Steps: c.y}
		require.Equal(t, c.same, sameCause(a, b), fmt.Sprint(c.x, c.y))
		require.Equal(t, c.same, sameCause(b, a), fmt.Sprint(c.y, c.x))
	}
}
