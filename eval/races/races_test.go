package main

import (
	"encoding/json"
	"errors"
	"go/format"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/eval/others"
	"github.com/stretchr/testify/require"
)

// Each bug is listed once, with versions and a test, and each test belongs to a bug.
func TestBugs(t *testing.T) {
	names := map[string]bool{}
	for _, b := range bugs() {
		require.False(t, names[b.name], b.name)
		names[b.name] = true
		for _, version := range []string{b.before, b.after} {
			require.Regexp(t, `^[^@ ]+@v\d[^ ]*$`, version, b.name)
		}
		require.NotEqual(t, b.before, b.after, b.name)
		text, err := b.test()
		require.NoError(t, err)
		require.Contains(t, string(text), "func TestRace(t *testing.T)", b.name)
		formatted, err := format.Source(text)
		require.NoError(t, err)
		require.Equal(t, string(formatted), string(text), b.name)
	}
	files, err := fs.Glob(tests, "testdata/*")
	require.NoError(t, err)
	require.Len(t, files, len(names))
}

func TestRead(t *testing.T) {
	found := "=== RUN   TestRace\n" +
		"    x_test.go:60: fuzzext.Check: 28 random schedules; 28 distinct\n" +
		"    deadlock: all goroutines wait\n" +
		"    to make the same random values again (28 ran before this one):\n"
	for _, c := range []struct {
		name string
		done others.Process
		want outcome
		says string
	}{
		{"found", others.Process{Out: []byte(found), Err: errors.New("exit status 1")},
			outcome{Failed: true, Runs: 29, Says: "deadlock: all goroutines wait"}, "29"},
		{"passed", others.Process{Out: []byte("    fuzzext.Check: 10000 random schedules; 9 distinct\n")},
			outcome{Runs: 10000}, "no, 10000 runs"},
		{"hangs", others.Process{Err: errors.New("killed"), Late: true}, outcome{Failed: true, Hangs: true},
			"hangs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(c.done)
			require.Equal(t, c.want, got)
			require.Equal(t, c.says, got.found())
		})
	}
}

// The results of a bug are in its file, and are reported.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	b := bugs()[0]
	r := result{
		Build: 2, Before: outcome{Failed: true, Runs: 3, CPU: 1, Says: "deadlock"}, Replayed: 3,
		After: outcome{Failed: true, Says: "a test fails"}, Chance: outcome{Runs: 1000},
	}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	require.NoError(t, others.Write(filepath.Join(dir, b.file()), string(text)))
	var report strings.Builder
	require.NoError(t, printReport(&report, dir, regexp.MustCompile(""), false))
	require.Regexp(t,
		b.name+` +jackc/puddle v1.0.0 +deadlock +3 +1.0 +3.0 +3 of 3 +FAILS +0.0 +no, 1000 runs`,
		report.String())
	require.Contains(t, report.String(),
		"1 bugs: 1 tests fail before the fix, 0 of them pass after it, 0 fail by chance\n")
	var table strings.Builder
	require.NoError(t, printReport(&table, dir, regexp.MustCompile(""), true))
	require.Contains(t, table.String(),
		"| "+b.name+" | jackc/puddle v1.0.0 | deadlock | 3 | 1.0 | 3.0 | 3 of 3 | FAILS | 0.0 | ")
	require.Contains(t, report.String(),
		b.name+`: not yet known: before the fix "deadlock", and after it "a test fails"`)
}
