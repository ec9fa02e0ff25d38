package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/bench/targets"
	"github.com/espalier-go/espalier/examples/planted"
	"github.com/espalier-go/espalier/internal/job"
)

// minTargets are the targets, by one of the bugs that they could have.
var minTargets = map[string]string{"tree": "bst-delete", "plan": "ladder", "script": "const-int"}

// corpusMin compares how many entries corpusgen min keeps of those that go test -fuzz has found
// in a minute with all, and with what other tools would keep for the same statements.
func corpusMin(count func(minimized) (ours, base int)) measure {
	return func(r run) (o, b figure, err error) {
		bug := minTargets[r.args[0]]
		m, err := once("min "+bug, func() (m minimized, err error) {
			err = inUserTargets(func(corpusgen, pkg string) error { return m.minimize(corpusgen, pkg, bug, r) })
			return m, err
		})
		ours, base := count(m)
		return number(float64(ours)), number(float64(base)), err
	}
}

// minimized says how many entries of a corpus remain.
type minimized struct {
	all          int // there were
	statements   int // by corpusgen min -t 0
	combinations int // by corpusgen min
	merge        int // by libFuzzer -merge
	greedy       int // by go-fuzz
}

func (m minimized) ofAll() (ours, base int)    { return m.statements, m.all }
func (m minimized) twoWay() (ours, base int)   { return m.combinations, m.all }
func (m minimized) ofMerge() (ours, base int)  { return m.statements, m.merge }
func (m minimized) ofGreedy() (ours, base int) { return m.statements, m.greedy }

// minimize fuzzes a target without a bug, and minimizes the corpus in all ways.
func (m *minimized) minimize(corpusgen, pkg, bug string, r run) error {
	seeds := filepath.Join(pkg, "testdata", "fuzz", "FuzzValid")
	if err := os.MkdirAll(filepath.Dir(seeds), 0o777); err != nil {
		return err
	}
	if err := findEntries(bug, seeds, r.quick); err != nil {
		return err
	}
	env := append(os.Environ(), targets.HuntEnv+"="+bug, planted.Env+"=")
	entries, err := coveredEntries(pkg, seeds, env)
	if err != nil {
		return err
	}
	m.all, m.merge, m.greedy = len(entries), len(mergeEntries(entries)), len(greedyEntries(entries))
	for strength, n := range map[string]*int{"0": &m.statements, "2": &m.combinations} {
		cmd := exec.Command(corpusgen, "min", "-json", "-fuzz=^FuzzValid$", "-t="+strength)
		cmd.Dir, cmd.Env = pkg, env
		var problems bytes.Buffer
		cmd.Stderr = &problems
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", cmd, err, &problems)
		}
		var event struct{ Kept []string }
		if err := json.Unmarshal(out, &event); err != nil {
			return fmt.Errorf("%s: %w\n%s", cmd, err, out)
		}
		kept := slices.DeleteFunc(slices.Clone(entries), func(e coveredEntry) bool {
			return !slices.ContainsFunc(event.Kept, func(path string) bool { return filepath.Base(path) == e.name })
		})
		if *n = len(kept); *n != len(event.Kept) {
			return fmt.Errorf("%s has kept %d entries, of which there were %d", cmd, len(event.Kept), *n)
		}
		if all, some := reached(entries), reached(kept); len(some) != len(all) {
			return fmt.Errorf("%s: the entries kept reach %d of %d blocks", cmd, len(some), len(all))
		}
	}
	fmt.Fprintf(os.Stderr, "corpus/min/%s: %d entries reach %d blocks; min keeps %d, with 2-way combinations %d, libFuzzer -merge %d, go-fuzz %d\n",
		bug, m.all, len(reached(entries)), m.statements, m.combinations, m.merge, m.greedy)
	return nil
}

// findEntries makes Go's fuzzer find entries, and puts them into a directory that does not
// exist.
func findEntries(bug, into string, quick bool) error {
	binary, err := testBinary("./targets", true)
	if err != nil {
		return err
	}
	limit, most := "60s", math.MaxInt
	if quick {
		limit, most = "2s", 30
	}
	return inScratch(func(dir string) error {
		cache := filepath.Join(dir, "cache")
		cmd := exec.Command(binary, "-test.run=^$", "-test.fuzz=^FuzzValid$", "-test.fuzztime="+limit, "-test.parallel=1", "-test.fuzzcachedir="+cache)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), targets.HuntEnv+"="+bug, planted.Env+"=")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("fuzzing %s: %w\n%s", bug, err, out)
		}
		found, err := os.ReadDir(filepath.Join(cache, "FuzzValid"))
		for _, f := range found[min(most, len(found)):] {
			err = errors.Join(err, os.Remove(filepath.Join(cache, "FuzzValid", f.Name())))
		}
		return errors.Join(err, os.Rename(filepath.Join(cache, "FuzzValid"), into))
	})
}

// A coveredEntry is an entry with the blocks of code that it reaches.
type coveredEntry struct {
	name   string
	file   fs.FileInfo
	blocks map[string]bool
}

// coveredEntries runs each entry of a seed corpus in a process of its own.
func coveredEntries(pkg, seeds string, env []string) (entries []coveredEntry, err error) {
	binary, err := buildTests(pkg, "covered.test", nil, "-tags=espalier", "-coverpkg=example.com/user/...")
	if err != nil {
		return nil, err
	}
	files, err := os.ReadDir(seeds)
	if err != nil {
		return nil, err
	}
	profile := filepath.Join(scratch, "profile")
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			return nil, err
		}
		// An order runs the property on the value of the entry only, not on variants.
		order := job.Order{Target: "FuzzValid", Answer: filepath.Join(scratch, "answer"), Read: &job.Read{Files: []string{filepath.Join(seeds, f.Name())}, Run: true}}
		if err := order.Write(filepath.Join(scratch, "order")); err != nil {
			return nil, err
		}
		cmd := exec.Command(binary, "-test.run=^FuzzValid$", "-test.coverprofile="+profile)
		cmd.Dir, cmd.Env = pkg, append(env, job.Env+"="+filepath.Join(scratch, "order"))
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("running the entry %s: %w\n%s", f.Name(), err, out)
		}
		text, err := os.ReadFile(profile)
		if err != nil {
			return nil, err
		}
		e := coveredEntry{f.Name(), info, map[string]bool{}}
		for line := range strings.Lines(string(text)) { // file:from,to statements count
			fields := strings.Fields(line)
			if len(fields) == 3 && fields[2] != "0" {
				e.blocks[fields[0]] = true
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// reached returns what entries reach together.
func reached(entries []coveredEntry) map[string]bool {
	all := map[string]bool{}
	for _, e := range entries {
		for b := range e.blocks {
			all[b] = true
		}
	}
	return all
}

// mergeEntries returns what libFuzzer -merge keeps: small files come first, of equal ones
// those that reach more, and each that reaches something new is kept (FuzzerMerge.cpp).
func mergeEntries(entries []coveredEntry) []coveredEntry {
	return keepNew(entries, func(a, b coveredEntry) int {
		return cmp.Or(cmp.Compare(a.file.Size(), b.file.Size()), cmp.Compare(len(b.blocks), len(a.blocks)))
	})
}

// greedyEntries returns what go-fuzz keeps: in the order in which inputs were found, each
// that reaches something new (hub.go).
func greedyEntries(entries []coveredEntry) []coveredEntry {
	return keepNew(entries, func(a, b coveredEntry) int { return a.file.ModTime().Compare(b.file.ModTime()) })
}

// keepNew returns the entries that, in an order, reach something new.
func keepNew(entries []coveredEntry, compare func(a, b coveredEntry) int) (kept []coveredEntry) {
	all := map[string]bool{}
	for _, e := range slices.SortedStableFunc(slices.Values(entries), compare) {
		before := len(all)
		for b := range e.blocks {
			all[b] = true
		}
		if len(all) > before {
			kept = append(kept, e)
		}
	}
	return kept
}
