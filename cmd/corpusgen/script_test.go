package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/confine"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/gorelease"
	"github.com/espalier-go/espalier/internal/testing/gocmd"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

var (
	update = flag.Bool("update", false, "rewrite the files in scripts that differ from output")
	record = flag.Bool("record", false, "run scripts with the go command, and record the answers")
	all    = flag.Bool("all", false, "run all scripts from end to end")
)

// TestMain makes this binary the program corpusgen, too.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "corpusgen" {
		main()
	}
	os.Exit(runTests(m))
}

// runTests runs tests with a directory of the program corpusgen in PATH.
func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "corpusgen-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "corpusgen")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	binary, err := os.Executable()
	if err == nil {
		err = os.Link(binary, program)
	}
	if err != nil {
		log.Fatal(err)
	}
	searched = dir + string(filepath.ListSeparator) + os.Getenv("PATH")
	os.Setenv("PATH", searched)
	return m.Run()
}

// searched is PATH. A script that begins while another runs corpusgen in this process finds the
// environment of the other one there: see oneAtATime. So it reads no variable of this process.
var searched string

// moreCommands are the commands that scripts have on some operating systems only.
var moreCommands = map[string]func(*testscript.TestScript, bool, []string){}

// The scripts in testdata/script run on canned answers, if some have been recorded.
func TestScripts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("answers have paths with slashes")
	}
	p := params(t, true)
	p.Dir, p.Files, p.WorkdirRoot = "", nil, gocmd.TempDir(t)
	for _, name := range scripts(t) {
		if _, err := os.Stat(answersOf(name)); err == nil || *record {
			p.Files = append(p.Files, scriptOf(name))
		}
	}
	testscript.Run(t, p)
}

// Other scripts run with the Go installation that runs the test, from end to end.
func TestEndToEnd(t *testing.T) {
	p := params(t, false)
	p.Dir, p.Files = "", nil
	for _, name := range scripts(t) {
		_, err := os.Stat(answersOf(name))
		if *all || name == usual || long.Enabled() && (err != nil || slices.Contains(endToEnd, name)) {
			p.Files = append(p.Files, scriptOf(name))
		}
	}
	testscript.Run(t, p)
}

// usual always runs from end to end: the round trip of an order. TestReleases has one with the
// engine.
const usual = "seed"

// endToEnd are scripts that run on canned answers, and with ESPALIER_LONG=1 from end to end, too.
// All kinds of orders are in them.
var endToEnd = []string{"cover", "fuzz_keep", "min", "mutate", "show", "stats", "sync", "tune"}

// scripts returns the names of the scripts.
func scripts(t *testing.T) (names []string) {
	paths, err := filepath.Glob(scriptOf("*"))
	require.NoError(t, err)
	for _, path := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(path), ".txtar"))
	}
	return names
}

// scriptOf returns the file of a script, and answersOf that with the answers of processes in it.
func scriptOf(name string) string { return inTestdata("script", name+".txtar") }

func answersOf(name string) string { return inTestdata("answers", name+".jsonl") }

// inTestdata returns an absolute path: corpusgen, in this process, changes the working directory.
func inTestdata(elem ...string) string {
	return filepath.Join(slices.Concat([]string{wd, "testdata"}, elem)...)
}

var wd, _ = os.Getwd()

// The scripts in testdata/release run with each supported release of Go.
func TestReleases(t *testing.T) {
	toolchains, err := gocmd.Toolchains()
	require.NoError(t, err)
	for _, tc := range toolchains {
		t.Run(tc.GOVERSION, func(t *testing.T) {
			t.Parallel()
			p := params(t, false)
			p.Dir = inTestdata("release")
			setup := p.Setup
			p.Setup = func(e *testscript.Env) error {
				err := setup(e)
				e.Vars = append(e.Vars, tc.Env...)
				return err
			}
			testscript.Run(t, p)
		})
	}
}

// params returns the parameters of scripts, which must leave no temporary file. They run on
// canned answers, or not.
func params(t *testing.T, canned bool) testscript.Params {
	running, err := gocmd.Running()
	require.NoError(t, err)
	p := gocmd.ScriptParams(t)
	p.UpdateScripts = *update
	setup := p.Setup
	long := long.Enabled()
	p.Setup = func(e *testscript.Env) error {
		e.Defer(func() { checkClean(t, e) })
		home := filepath.Join(e.WorkDir, "home")
		cache := filepath.Join(home, "cache")
		if runtime.GOOS == "darwin" {
			cache = filepath.Join(home, "Library", "Caches")
		}
		for name, value := range map[string]string{
			"HOME": home, "XDG_CACHE_HOME": cache, "LocalAppData": cache, // see os.UserCacheDir
			"CACHE":   cache,
			"PATH":    searched,
			"GOROOTS": filepath.Dir(running.GOROOT),
			"NEWEST":  gorelease.Newest,
		} {
			e.Setenv(name, value)
		}
		if err := setup(e); err != nil || !canned {
			return err
		}
		return setCanned(t, e, running.GOROOT)
	}
	p.Cmds = map[string]func(*testscript.TestScript, bool, []string){
		"corpusgen": corpusgen,
		"empty":     empty,
		"entries":   entries,
		"files":     files,
		"fill":      fill,
		"snapshot":  snapshot,
		"status":    status,
		"unchanged": unchanged,
		"waitfor":   waitFor,
	}
	maps.Copy(p.Cmds, moreCommands)
	p.Condition = func(name string) (bool, error) {
		switch name {
		case "long":
			return long && !canned, nil
		case "confined": // the system can confine processes
			return confine.Check() == nil, nil
		case "canned": // processes are not started
			return canned, nil
		case "race": // the go command can build with -race
			cgo, err := exec.Command("go", "env", "CGO_ENABLED").Output()
			return string(cgo) == "1\n", err
		case "libfuzzer": // there is a clang that has it
			return !canned && gocmd.HasLibFuzzer(), nil
		}
		return false, fmt.Errorf("unknown condition %s", name)
	}
	return p
}

// checkClean checks that a script has left no temporary file.
func checkClean(t *testing.T, e *testscript.Env) {
	err := filepath.WalkDir(e.WorkDir, func(path string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), ".corpusgen-") || filepath.Base(filepath.Dir(path)) == ".tmp" {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// empty DIR empties the files in DIR.
func empty(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: empty DIR")
	}
	dir := ts.MkAbs(args[0])
	found, err := os.ReadDir(dir)
	ts.Check(err)
	for _, f := range found {
		ts.Check(os.Truncate(filepath.Join(dir, f.Name()), 0))
	}
}

// entries N DIR checks that DIR is a corpus of N entries whose files have the
// names that the engine gives them.
func entries(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: entries N DIR")
	}
	found, err := corpus.Read(ts.MkAbs(args[1]))
	ts.Check(err)
	if strconv.Itoa(len(found)) != args[0] {
		ts.Fatalf("%d entries in %s, want %s", len(found), args[1], args[0])
	}
	for _, e := range found {
		if e.Name != corpus.Name(e.Data) {
			ts.Fatalf("entry %s should have the name %s", e.Name, corpus.Name(e.Data))
		}
	}
}

// files DIR NAME... checks that DIR has these files and no others.
func files(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: files DIR NAME...")
	}
	found, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, f := range found {
		names = append(names, f.Name())
	}
	if !slices.Equal(names, slices.Sorted(slices.Values(args[1:]))) {
		ts.Fatalf("%s has %q, want %q", args[0], names, args[1:])
	}
}

// snapshot DIR FILE writes the names, times and contents of the files in DIR to
// FILE. `unchanged DIR FILE` checks that those files are still as they were.
func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: snapshot DIR FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(describe(ts, args[0])), 0o666))
}

func unchanged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unchanged DIR FILE")
	}
	now := describe(ts, args[0])
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if !strings.Contains(now, line) {
			ts.Fatalf("changed: %s", line)
		}
	}
}

// describe returns one line for each file in dir.
func describe(ts *testscript.TestScript, dir string) string {
	dir = ts.MkAbs(dir)
	files, err := os.ReadDir(dir)
	ts.Check(err)
	var b strings.Builder
	for _, f := range files {
		info, err := f.Info()
		ts.Check(err)
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		ts.Check(err)
		fmt.Fprintf(&b, "%s %d %q\n", f.Name(), info.ModTime().UnixNano(), data)
	}
	return b.String()
}

// corpusgen [ARG...] runs corpusgen.
func corpusgen(ts *testscript.TestScript, neg bool, args []string) {
	switch status := runCorpusgen(ts, args); {
	case status == 0 && neg:
		ts.Fatalf("unexpected command success")
	case status != 0 && !neg:
		ts.Fatalf("unexpected command failure: exit status %d", status)
	}
}

// runCorpusgen returns the exit status of corpusgen.
func runCorpusgen(ts *testscript.TestScript, args []string) (status int) {
	if c, ok := ts.Value(cannedKey{}).(*canned); ok {
		return c.corpusgen(ts, args)
	}
	err := ts.Exec("corpusgen", args...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	ts.Check(err)
	return 0
}

// status N corpusgen [ARG...] checks the exit status of corpusgen.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "corpusgen" {
		ts.Fatalf("usage: status N corpusgen [ARG...]")
	}
	if got := runCorpusgen(ts, args[2:]); strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// waitfor FILE waits until FILE exists.
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: waitfor FILE")
	}
	for start := time.Now(); time.Since(start) < 10*time.Minute; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
	}
	ts.Fatalf("%s does not appear", args[0])
}
