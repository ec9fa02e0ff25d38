// Command eval searches for documented bugs of public Go modules, and for the mutants of ETNA's
// workloads, by Espalier's Check and by rapid's, and prints how soon each finds them. Run it in
// this directory:
//
//	go run . [-only REGEXP] [-seeds N] [-markdown] [-fuzz]
//
// For each bug, it prints the source of its description, and for each tool how many of the seeds
// found it within 100, 1000 and 20000 values, and the medians over the seeds: values until the bug
// shows, CPU milliseconds until then, and the size of the smallest failing value: bytes of its
// literal, or calls. Empty slices and maps are as short as nil. Values that a property does not
// assume count, too. Totals are of documented bugs and of ETNA's, whose names begin with etna,
// apart.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/espalier-go/espalier/eval/bug"
	"github.com/espalier-go/espalier/eval/bugs"
)

const (
	mostValues  = 20_000
	mostCPU     = 10 * time.Second // until a bug shows
	mostShrink  = "5s"             // of rapid; Check stops by itself
	mostProcess = 10 * time.Minute // for a bug, by the clock: some hang

	orderEnv = "EVAL_ORDER" // what a process that searches is told
)

// An order is what one process does: all searches for one bug, which may end the process.
type order struct {
	Bug   string
	Seeds int
	Out   string
}

// A search is one of one tool.
type search struct {
	Found  bool
	Values int
	CPU    time.Duration
	Size   int
}

// A result has the searches for a bug, one for each seed.
type result struct{ Check, Rapid []search }

func main() {
	if text := os.Getenv(orderEnv); text != "" {
		obey(text)
		return
	}
	only := flag.String("only", "", "search only for the bugs whose names match `REGEXP`")
	seeds := flag.Int("seeds", 11, "how many searches for each bug, by each tool")
	markdown := flag.Bool("markdown", false, "print tables, as in docs/evaluation.md")
	fuzz := flag.Bool("fuzz", false,
		"compare fuzzers instead: by rapid.MakeFuzz, fuzzext.Valid, corpusgen fuzz")
	flag.Parse()
	if err := run(*only, *seeds, *markdown, *fuzz); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

func run(only string, seeds int, markdown, fuzz bool) error {
	pattern, err := regexp.Compile(only)
	switch {
	case err != nil:
		return fmt.Errorf("-only: %w", err)
	case seeds < 1 || seeds%2 == 0:
		return fmt.Errorf("-seeds %d: give an odd number, for medians", seeds)
	}
	chosen := slices.DeleteFunc(bugs.All(), func(b bug.Bug) bool {
		return !pattern.MatchString(b.Name)
	})
	if len(chosen) == 0 {
		return fmt.Errorf("no bug is named like %q", only)
	}
	if fuzz {
		return fuzzAll(chosen)
	}
	var all []row
	var errs []error
	for _, b := range chosen {
		r, err := searchFor(b, seeds)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", b.Name, err))
			continue
		}
		row := row{b, summaryOf(r.Check), summaryOf(r.Rapid)}
		if all = append(all, row); !markdown {
			fmt.Println(row)
		}
	}
	isETNA := func(r row) bool { return strings.HasPrefix(r.Name, "etna") }
	documented := slices.DeleteFunc(slices.Clone(all), isETNA)
	etna := slices.DeleteFunc(all, func(r row) bool { return !isETNA(r) })
	if markdown {
		printMarkdown(documented, seeds)
		printMarkdown(etna, seeds)
	}
	printTotals("documented", documented, seeds)
	printTotals("etna", etna, seeds)
	return errors.Join(errs...)
}

// searchFor searches for a bug in a process of its own.
func searchFor(b bug.Bug, seeds int) (r result, err error) {
	dir, err := os.MkdirTemp("", "eval-*")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	out := filepath.Join(dir, "result")
	text, err := json.Marshal(order{b.Name, seeds, out})
	if err != nil {
		return r, err
	}
	cmd := exec.Command(self, "-test.timeout=0", "-fuzzext.checks="+strconv.Itoa(2*mostValues),
		"-rapid.checks="+strconv.Itoa(2*mostValues), "-rapid.shrinktime="+mostShrink, "-rapid.nofailfile")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), orderEnv+"="+string(text))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	timer := time.AfterFunc(mostProcess, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	log, runErr := cmd.CombinedOutput() // the tests fail
	timer.Stop()
	answer, err := os.ReadFile(out)
	if err != nil {
		return r, fmt.Errorf("the search ended without an answer: %w\n%s", runErr, tail(log))
	}
	return r, json.Unmarshal(answer, &r)
}

func tail(b []byte) []byte { return b[max(0, len(b)-4000):] }

// obey searches, in a process of tests.
func obey(text string) {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	test := func(t *testing.T) {
		b, ok := bugs.Named(o.Bug)
		if !ok {
			t.Fatalf("no bug %s", o.Bug)
		}
		var r result
		for seed := range o.Seeds {
			set("fuzzext.seed", uint64(seed)+1)
			r.Check = append(r.Check, one(t, b.Check))
			set("rapid.seed", uint64(seed+1)<<40) // it counts from there
			r.Rapid = append(r.Rapid, one(t, b.Rapid))
		}
		answer, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(o.Out, answer, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	testing.Main(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "Eval", F: test}}, nil, nil)
}

func set(name string, seed uint64) {
	if err := flag.Set(name, strconv.FormatUint(seed, 10)); err != nil {
		panic(err)
	}
}

// one searches once, in a test of its own.
func one(t *testing.T, check func(*testing.T, *bug.Watch)) search {
	w := &bug.Watch{Most: mostValues, Limit: mostCPU}
	t.Run("", func(t *testing.T) {
		w.Begin()
		check(t, w)
	})
	_ = os.RemoveAll("testdata") // saved failures would run first
	return search{w.Found, w.Values, w.CPU, w.Size}
}
