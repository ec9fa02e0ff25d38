package apitest

import (
	"testing"

	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// Errors that are most certain come first, then the shortest. Those of one cause come below the first,
// and name it.
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
		{Message: "contract Len of x1", Code: "q"},
	})
	var got [][3]string
	for _, e := range errs {
		got = append(got, [3]string{e.Test, e.Code, e.Like})
	}
	require.Equal(t, [][3]string{
		{"TestError1", "x\ny\nz", ""},
		{"TestError2", "q", ""},
		{"TestError3", "x", ""},
		{"TestError4", "x\ny\nz", "TestError3"},
		{"TestError5", "z\ny", ""},
		{"TestError6", "p", ""},
	}, got)
	require.Equal(t, "No comment announces the panic.", errs[5].Why)
	require.Equal(t, "TestError4: a.go:1: 1: panic: runtime error: index out of range [1], like TestError3", describe(&errs[3]))
}
