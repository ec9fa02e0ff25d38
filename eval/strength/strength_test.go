package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestApply(t *testing.T) {
	for _, test := range []struct {
		name, kind, line string
		column           int
		want             string
	}{
		{"boundary", "CONDITIONALS_BOUNDARY", "\tif a <= b {", 7, "\tif a < b {"},
		{"negation", "CONDITIONALS_NEGATION", "\tif a < b {", 7, "\tif a >= b {"},
		{"arithmetic", "ARITHMETIC_BASE", "x := a*b + c", 10, "x := a*b - c"},
		{"increment", "INCREMENT_DECREMENT", "i++", 2, "i--"},
		{"sign", "INVERT_NEGATIVES", "return -1", 8, "return 1"},
		{"unknown", "INVERT_LOGICAL", "a && b", 3, ""},
		{"nothing there", "ARITHMETIC_BASE", "a", 2, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := mutant{Type: test.kind, Line: 1, Column: test.column}
			require.Equal(t, test.want, m.apply(test.line))
		})
	}
}

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"),
		[]byte("a < b\nc < d\ne < f\ng < h\n"), 0o666))
	var r result
	require.NoError(t, r.mutants([]byte(`{"files": [{"file_name": "a.go", "mutations": [
		{"type": "CONDITIONALS_BOUNDARY", "status": "KILLED", "line": 1, "column": 3},
		{"type": "CONDITIONALS_BOUNDARY", "status": "LIVED", "line": 2, "column": 3},
		{"type": "CONDITIONALS_BOUNDARY", "status": "TIMED OUT", "line": 3, "column": 3},
		{"type": "CONDITIONALS_BOUNDARY", "status": "LIVED", "line": 4, "column": 3},
		{"type": "CONDITIONALS_BOUNDARY", "status": "NOT COVERED", "line": 4, "column": 3}]}]}`)))
	event := func(name, n, before, after string) string {
		return `{"Event": "` + name + `", "Mistake": {"File": "` + filepath.Join(dir, "a.go") +
			`", "Line": ` + n + `, "Before": "` + before + `", "After": "` + after + `"}}` + "\n"
	}
	all := "a note\n"
	for n, pair := range map[string][2]string{"1": {"a < b", "a <= b"}, "2": {"c < d", "c <= d"},
		"3": {"e < f", "e <= f"}, "4": {"g < h", "g <= h"}} {
		all += event("unreached", n, pair[0], pair[1])
	}
	var err error
	r.Made, _, err = events([]byte(all), dir)
	require.NoError(t, err)
	var counts *summary
	r.Survivors, counts, err = events([]byte(event("survivor", "2", "c < d", "c <= d")+
		event("unreached", "3", "e < f", "e <= f")+
		`{"Event": "strength", "Mistakes": 9, "Unreached": 1}`), dir)
	require.NoError(t, err)
	r.Strength = *counts
	require.NoError(t, r.compare(dir))
	require.Equal(t, 2, r.Same)
	require.Equal(t, []difference{
		{"a.go", 3, "e < f", "e <= f", "TIMED OUT"}, {"a.go", 4, "g < h", "g <= h", "LIVED"},
	}, r.Differ)
	r.Made, r.Same, r.Differ = r.Made[:0], 0, nil // it makes none of them
	require.NoError(t, r.compare(dir))
	require.Zero(t, r.Same+len(r.Differ))
	r.Same, r.Differ = 2, []difference{{"a.go", 4, "g < h", "g <= h", "LIVED"}}

	r.CPU.Gremlins, r.CPU.Strength = 4, 0.08
	var out bytes.Buffer
	require.NoError(t, report(&out, []string{"m"}, map[string]result{"m": r}, true))
	require.Contains(t, out.String(), "| m | 4 | 4 | 1.00 | 8 | 0.1 | 0.010 | 100 | 2 | 1 |\n")
	require.Contains(t, out.String(), "m a.go:4: gremlins: LIVED\n-g < h\n+g <= h\n")
}
