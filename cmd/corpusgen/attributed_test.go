//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// attributed RUNS N KIND PACKAGE TARGET checks that the new entries of a target, N or more,
// do what KIND says according to the log $REPLAY_LOG, and have been run. Entries of kind
// new are in the engine's cache, entries of kind fails or dies in testdata. The log must
// have RUNS inputs or more. attributed removes the entries and the log.
func attributed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 5 {
		ts.Fatalf("usage: attributed RUNS N KIND PACKAGE TARGET")
	}
	runs, err := strconv.Atoi(args[0])
	ts.Check(err)
	least, err := strconv.Atoi(args[1])
	ts.Check(err)
	kind, pkg, target := args[2], args[3], args[4]

	log := ts.Getenv("REPLAY_LOG")
	inputs, did := readLog(ts, log)
	ran := map[string]bool{}
	for name, list := range did {
		// what is minimized apart is run from a file
		if name == target || strings.HasPrefix(name, target+"/input") {
			for _, what := range list {
				ran[what] = true
			}
		}
	}
	if inputs < runs {
		ts.Fatalf("%d inputs were run, want %d", inputs, runs)
	}
	ts.Check(os.Remove(log))
	corpus := filepath.Join(ts.MkAbs(pkg), "testdata", "fuzz", target)
	if kind == "new" {
		ts.Check(os.MkdirAll(filepath.Dir(corpus), 0o777))
		ts.Check(os.Rename(engineCache(ts, pkg, target), corpus))
	}
	entries, err := os.ReadDir(corpus)
	ts.Check(err)
	known, err := os.ReadFile(ts.MkAbs("known." + target))
	if !errors.Is(err, fs.ErrNotExist) {
		ts.Check(err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return strings.Contains(string(known), e.Name())
	})
	if len(entries) < least {
		ts.Fatalf("%d entries, want %d", len(entries), least)
	}
	if err := ts.Exec("go", "test", "-count=1", "-run", "^"+target+"$",
		pkg); (err == nil) != (kind == "new") {
		ts.Fatalf("go test with the entries: %v", err)
	}
	_, does := readLog(ts, log)
	for _, e := range entries {
		name := target + "/" + e.Name()
		if len(does[name]) == 0 {
			ts.Fatalf("%s has not been run again", name)
		}
		first := does[name][0] // then come the variants, if fuzzext runs any
		if !strings.HasPrefix(first, kind+" ") {
			text, err := os.ReadFile(filepath.Join(corpus, e.Name()))
			ts.Check(err)
			ts.Fatalf("%s is the entry of an input that is %s, but it is %s:\n%s", name, kind, first, text)
		}
		if !ran[first] {
			ts.Fatalf("%s is %s, which has not been run", name, first)
		}
	}
	ts.Check(os.Remove(log))
	ts.Check(os.RemoveAll(corpus))
	fmt.Fprintf(ts.Stdout(), "%d inputs, %d entries\n", inputs, len(entries))
}

// known PACKAGE TARGET makes attributed skip the entries that are in the engine's cache now.
func known(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: known PACKAGE TARGET")
	}
	entries, err := os.ReadDir(engineCache(ts, args[0], args[1]))
	ts.Check(err)
	var names strings.Builder
	for _, e := range entries {
		fmt.Fprintln(&names, e.Name())
	}
	ts.Check(os.WriteFile(ts.MkAbs("known."+args[1]), []byte(names.String()), 0o666))
}

func engineCache(ts *testscript.TestScript, pkg, target string) string {
	return filepath.Join(ts.Getenv("GOCACHE"), "fuzz", "example.com", "user", filepath.Base(pkg),
		target)
}

// readLog returns how many inputs were run, and what they did, by the name of the test.
func readLog(ts *testscript.TestScript, path string) (inputs int, does map[string][]string) {
	does = map[string][]string{}
	for line := range strings.Lines(ts.ReadFile(path)) {
		name, what, _ := strings.Cut(strings.TrimSpace(line), " ")
		does[name] = append(does[name], what)
		inputs++
	}
	return inputs, does
}
