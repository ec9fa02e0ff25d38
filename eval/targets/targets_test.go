package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/eval/others"
	"github.com/stretchr/testify/require"
)

// Each target is listed once, with a version, and has a file of its own.
func TestTargets(t *testing.T) {
	files := map[string]bool{}
	for _, target := range targets() {
		require.Regexp(t, `^v\d`, target.Version, target)
		require.Regexp(t, `^Fuzz[A-Z]`, target.Name, target)
		file := (&study{}).File(target.String())
		require.False(t, files[file], file)
		files[file] = true
	}
	require.Len(t, files, 30)
}

// A report has medians with their spans, and tells of what could not be run.
func TestReport(t *testing.T) {
	dir, all := t.TempDir(), targets()
	write := func(of target, r result) {
		text, err := json.Marshal(r)
		require.NoError(t, err)
		require.NoError(t, others.Write(filepath.Join(dir, (&study{}).File(of.String())), string(text)))
	}
	write(all[0], result{Statements: 100, Seeds: 10, Stock: []run{{Reached: 20}, {Reached: 40, Failures: 1}, {Reached: 30}},
		Ours: []run{{Reached: 60}}})
	write(all[1], result{Statements: 100, Stock: []run{{Reached: 20}}, Ours: []run{{Reached: 10}}})
	write(all[2], result{Note: "it does not compile"})
	var out strings.Builder
	require.NoError(t, printReport(&out, dir, regexp.MustCompile(""), true))
	require.Contains(t, out.String(), all[0].Version+" | 100 | 10 | 30 (20 to 40) | 60 | 2.00 | 1 | 0 |\n")
	require.Contains(t, out.String(), "\n2 targets: corpusgen fuzz is ahead on 1, the same on 0, behind on 1; geometric mean of the ratios 1.00\n")
	require.Contains(t, out.String(), all[1].String()+" reaches less: not yet known\n")
	require.Contains(t, out.String(), all[2].String()+": it does not compile\n")
}
