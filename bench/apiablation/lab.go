package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/espalier-go/espalier/internal/job"
)

// A lab runs the marked copy of corpusgen.
type lab struct {
	work    string
	workers int
	known   bool       // nothing runs
	mu      sync.Mutex // of modules
	making  sync.Map   // by directory of a harness: a mutex
	answers map[cell]answer
	parts   map[string][]string // of mechanisms, and of rules themselves
}

// patience bounds a run on the clock, so that a machine that stands still is noticed.
const patience = 15 * time.Minute

func (l *lab) tool() string     { return filepath.Join(l.work, "corpusgen") }
func (l *lab) espalier() string { return filepath.Join(l.work, "espalier") }

// prepare copies and marks the module, and builds the tool, unless that has been done.
func (l *lab) prepare(rules []rule) error {
	if _, err := os.Stat(l.tool()); err == nil {
		return nil
	}
	root := l.espalier()
	err := errors.Join(os.RemoveAll(root), os.MkdirAll(filepath.Join(l.work, "answers"), 0o777), copyModule(root, ".."))
	if err != nil {
		return err
	}
	if err := mark(root, rules); err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-o", l.tool(), "./cmd/corpusgen")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the marked copy does not compile: %w\n%s", err, out)
	}
	return nil
}

// copyModule copies the Go files of a module, and what they embed.
func copyModule(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if slices.Contains([]string{"bench", "eval", "contrib", "docs", "examples", "testdata", ".git"}, name) {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		if !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o666)
	})
}

// dirOf returns the directory of a package: one of a copy of its module that requires ours, or, of
// the standard library, one of a module that is empty.
func (l *lab) dirOf(p pkg) (dir string, err error) {
	if p.standard() {
		dir = filepath.Join(l.work, "modules", "std")
		return dir, l.empty(dir)
	}
	dir = filepath.Join(l.work, "modules", strings.ReplaceAll(p.module, "/", "-"))
	in := filepath.Join(dir, strings.TrimPrefix(p.path, p.module))
	if _, err := os.Stat(filepath.Join(dir, "prepared")); err == nil {
		return in, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "mod", "download", "-json", p.module+"@"+p.version)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	var m struct{ Dir string }
	if err := errors.Join(json.Unmarshal(out, &m), os.CopyFS(dir, os.DirFS(m.Dir)), exec.Command("chmod", "-R", "u+w", dir).Run(), os.RemoveAll(filepath.Join(dir, "vendor"))); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if err := goIn(dir, "mod", "init", p.module); err != nil {
			return "", err
		}
	}
	err = errors.Join(
		goIn(dir, "mod", "edit", "-go=1.26.0", "-require=github.com/espalier-go/espalier@v0.0.0", "-replace=github.com/espalier-go/espalier="+l.espalier()),
		os.WriteFile(filepath.Join(in, "espalier_link_test.go"), []byte("package "+p.name+"_test\n\nimport (\n\t_ \"github.com/espalier-go/espalier/bigen/callseq/api\"\n\t_ \"github.com/espalier-go/espalier/fuzzext\"\n)\n"), 0o666),
		goIn(dir, "mod", "tidy", "-e"),
		os.Remove(filepath.Join(in, "espalier_link_test.go")),
		os.WriteFile(filepath.Join(dir, "prepared"), nil, 0o666),
	)
	return in, err
}

// empty makes the module in which packages of the standard library are run.
func (l *lab) empty(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return nil
	}
	return errors.Join(
		os.MkdirAll(dir, 0o777),
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module modules\n\ngo 1.26.0\n\nrequire github.com/espalier-go/espalier v0.0.0\n\nreplace github.com/espalier-go/espalier => "+l.espalier()+"\n"), 0o666),
		os.WriteFile(filepath.Join(dir, "modules.go"), []byte("package modules\n\nimport (\n\t_ \"github.com/espalier-go/espalier/bigen/callseq/api\"\n\t_ \"github.com/espalier-go/espalier/fuzzext\"\n)\n"), 0o666),
		goIn(dir, "mod", "tidy"),
	)
}

func goIn(dir string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return nil
}

// A harness is the test binary of one.
type harness struct{ dir, binary, target, variable, text string }

// harnessOf has corpusgen api write and build the harness of a package, without a rule. What it
// makes is kept for other runs with the same text.
func (l *lab) harnessOf(p pkg, rule string) (h harness, err error) {
	h.dir = filepath.Join(l.work, "harnesses", strings.ReplaceAll(p.path+"-"+rule, "/", "!"))
	h.binary = filepath.Join(h.dir, "callseq_fuzz_test.go.test")
	lock, _ := l.making.LoadOrStore(h.dir, new(sync.Mutex))
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	if _, err := os.Stat(filepath.Join(h.dir, "made")); err == nil {
		return h, h.read()
	}
	l.mu.Lock()
	in, err := l.dirOf(p)
	l.mu.Unlock()
	if err != nil {
		return h, err
	}
	if err := errors.Join(os.RemoveAll(h.dir), os.MkdirAll(filepath.Join(h.dir, "fired"), 0o777), os.MkdirAll(filepath.Join(h.dir, "out"), 0o777)); err != nil {
		return h, err
	}
	args := []string{"api", "-sequences", "1", "."}
	if p.standard() {
		args = []string{"api", "-sequences", "1", "-o", filepath.Join(h.dir, "out"), p.path}
	}
	cmd := exec.Command(l.tool(), args...)
	cmd.Dir = in
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "ESPALIER_ABLATE="+strings.Join(l.parts[rule], " "), "ESPALIER_ABLATE_DIR="+filepath.Join(h.dir, "fired"), "ESPALIER_ABLATE_KEEP="+h.dir)
	out, err := cmd.CombinedOutput()
	if _, missing := os.Stat(filepath.Join(h.dir, "target")); missing != nil {
		return h, fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return h, errors.Join(h.read(), os.WriteFile(filepath.Join(h.dir, "made"), nil, 0o666))
}

func (h *harness) read() error {
	text, err := os.ReadFile(filepath.Join(h.dir, "target"))
	h.target, h.text, _ = strings.Cut(string(text), "\n")
	h.variable, h.text, _ = strings.Cut(h.text, "\n")
	return err
}

// measure generates sequences of a package.
func (l *lab) measure(c cell) (a answer, err error) {
	base, err := l.harnessOf(c.pkg, "")
	if err != nil {
		return a, err
	}
	h, static := base, firedIn(filepath.Join(base.dir, "fired"))
	if l.fired(c.rule, static) {
		if h, err = l.harnessOf(c.pkg, c.rule); err != nil {
			return a, err
		}
		if h.text == base.text { // it does not matter here
			a, err := l.answer(cell{c.pkg, "", c.seed})
			return a, err
		}
	}
	dir, err := os.MkdirTemp(l.work, "run")
	if err != nil {
		return a, err
	}
	defer os.RemoveAll(dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	order := job.Order{Target: h.target, API: &job.API{
		Seed: uint64(c.seed), Time: time.Hour, Sequences: sequences, Length: 100, Patience: 2 * time.Second, Tests: -1, Harness: h.variable, Confined: true,
		Before: at("before"), Kept: at("kept"), Suite: at("suite"),
	}}
	deaths := map[string]int{}
	for n := 0; ; n++ {
		if err := errors.Join(os.MkdirAll(at("tmp"), 0o777), os.RemoveAll(at("suite")), order.Write(at("order"))); err != nil {
			return a, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		cmd := exec.CommandContext(ctx, h.binary, "-test.run=^"+h.target+"$", "-test.timeout=0", "-test.gocoverdir="+dir)
		cmd.Dir = at("tmp")
		cmd.Env = append(os.Environ(), job.Env+"="+at("order"), "TMPDIR="+at("tmp"), "ESPALIER_ABLATE="+strings.Join(l.parts[c.rule], " "), "ESPALIER_ABLATE_DIR="+dir)
		out, _ := cmd.CombinedOutput()
		cancel()
		if cmd.ProcessState == nil {
			return a, fmt.Errorf("%s does not start", h.binary)
		}
		a.CPU += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		suite, err := job.ReadSuite(at("suite"))
		if err != nil {
			return a, err
		}
		if suite != nil {
			for _, e := range suite.Errors {
				r := report{Op: e.Op, Message: e.Message, Place: e.Place, Code: e.Code}
				if e.Doubt != "" {
					a.Doubtful = append(a.Doubtful, r)
				} else {
					a.Reports = append(a.Reports, r)
				}
			}
			if m := coverageLine.FindSubmatch(out); m != nil {
				a.Coverage, _ = strconv.ParseFloat(string(m[1]), 64)
			}
			break
		}
		before := job.ReadTold(at("before"))
		if len(before) == 0 || n == maxDeaths {
			a.Failed = fmt.Sprintf("%d processes end: %s", n+1, lastOf(string(out)))
			break
		}
		if len(job.ReadTold(at("kept"))) >= len(job.ReadTold(at("restore"))) {
			if err := os.Rename(at("kept"), at("restore")); err != nil {
				return a, err
			}
			order.API.Restore, order.API.Stats = at("restore"), before[0].Stats
		}
		order.API.Skip = append(order.API.Skip, before[0].Entry)
		op := before[0].Ops[len(before[0].Ops)-1]
		if deaths[op]++; deaths[op] == maxAlike {
			order.API.Without = append(order.API.Without, op)
		}
	}
	a.Fired = append(firedIn(dir), static...)
	return a, nil
}

const (
	maxDeaths = 30 // of processes of a run
	maxAlike  = 2  // of one operation
)

var coverageLine = regexp.MustCompile(`(?m)^coverage: ([0-9.]+)% of statements`)

func lastOf(text string) string { return text[max(0, len(text)-300):] }

// firedIn returns the rules that have mattered, as told in a directory.
func firedIn(dir string) (rules []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if rule, ok := strings.CutPrefix(e.Name(), "fired-"); ok {
			rules = append(rules, strings.ReplaceAll(rule, "!", "/"))
		}
	}
	return rules
}
