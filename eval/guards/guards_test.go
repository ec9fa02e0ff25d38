package main

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/eval/others"
	"github.com/stretchr/testify/require"
)

// The module of the targets compiles, and has a target for each subject.
func TestModule(t *testing.T) {
	root, err := others.Output(t.Context(), "", "go", "list", "-m", "-f", "{{.Dir}}", others.Espalier)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "module")
	require.NoError(t, write(dir, strings.TrimSpace(string(root))))
	listed, err := others.Output(t.Context(), dir, "go", "test", "-vet=off", "-list=^Fuzz", ".")
	require.NoError(t, err)
	s, files := &study{}, map[string]bool{}
	for _, subject := range s.Subjects() {
		name, engine, _ := strings.Cut(subject, ", ")
		require.Contains(t, string(listed), "Fuzz"+name+"\n")
		require.Contains(t, others.Engines, engine)
		require.False(t, files[s.File(subject)], subject)
		files[s.File(subject)] = true
	}
	require.Equal(t, len(files)/len(others.Engines), strings.Count(string(listed), "Fuzz"))
}

// A report has the median of the runs that have passed, and how many they are unless all have.
func TestReport(t *testing.T) {
	dir, s := t.TempDir(), &study{markdown: true}
	for engine, runs := range map[string][]run{
		others.Stock: {{Passed: false, CPU: 20}, {Passed: true, CPU: 4}, {Passed: false, CPU: 20}},
		others.Ours:  {{Passed: true, CPU: 3}, {Passed: true, CPU: 1}, {Passed: true, CPU: 1.5}},
	} {
		text, err := json.Marshal(runs)
		require.NoError(t, err)
		file := filepath.Join(dir, s.File(subject(guards[0], kinds[1], engine)))
		require.NoError(t, others.Write(file, string(text)))
	}
	var out strings.Builder
	require.NoError(t, s.Report(&out, dir, regexp.MustCompile("")))
	require.Contains(t, out.String(),
		"| strings.Contains | not run | not run | 4.0 (1 of 3) | 1.5 | not run | not run |\n")
	require.Contains(t, out.String(), "go test -fuzz passes 0 of 1 targets in most runs\n"+
		"corpusgen fuzz passes 1 of 1 targets in most runs\n")
	require.Equal(t, "–", cell([]run{{CPU: 20}}))
	err := report(&out, func(string) ([]run, error) { return nil, errors.New("no") }, true)
	require.EqualError(t, err, "ContainsBytes, go test -fuzz: no")
}
