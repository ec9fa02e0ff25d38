package main

import (
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/eval/others"
)

// A target is one that others wrote.
type target struct{ module, version, pkg, name string }

//go:embed targets.tsv
var list string

// targets returns the list.
func targets() (all []target) {
	_, rest, _ := strings.Cut(list, "\n")
	for line := range strings.Lines(rest) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		all = append(all, target{f[0], f[1], f[2], f[3]})
	}
	return all
}

// String returns the package and the name.
func (t target) String() string { return path.Join(t.module, t.pkg) + " " + t.name }

// dir returns the directory of the package in a copy of the module.
func (t target) dir(module string) string { return filepath.Join(module, filepath.FromSlash(t.pkg)) }

// A runner runs a target.
type runner struct {
	*others.Lab
	target
}

const (
	mostFuzz   = 20 // how much longer than its CPU time a run may take by the clock
	mostStops  = 30 // of an engine that fails
	mostIdle   = 3  // stops without a failure
	mostReplay = 10 * time.Minute
)

// engines are the commands that fuzz, by their names.
func (r runner) engines() map[string][]string {
	return map[string][]string{
		"stock": {"go", "test", "-vet=off"},
		"ours":  {r.Corpusgen, "fuzz", "-vet=off", "-keepgoing"},
	}
}

// result fuzzes the target so often with each engine.
func (r runner) result(ctx context.Context, runs int) (res result, err error) {
	seeds, err := r.reach(ctx, "")
	if err != nil {
		return res, err
	}
	res.Statements, res.Seeds = seeds.statements, seeds.reached
	for range runs {
		for name, command := range r.engines() {
			done, err := r.fuzz(ctx, command)
			if err != nil {
				return res, fmt.Errorf("%s: %w", name, err)
			}
			if name == "ours" {
				res.Ours = append(res.Ours, done)
			} else {
				res.Stock = append(res.Stock, done)
			}
		}
	}
	return res, nil
}

// fuzz fuzzes with a command, from no entries but the module's.
func (r runner) fuzz(ctx context.Context, command []string) (run run, err error) {
	module, cache := filepath.Join(r.Scratch, "module"), filepath.Join(r.Scratch, "cache")
	goCache, err := others.Output(ctx, "", "go", "env", "GOCACHE")
	if err != nil {
		return run, err
	}
	gocache := strings.TrimSpace(string(goCache))
	kept := filepath.Join(gocache, "fuzz", filepath.FromSlash(path.Join(r.module, r.pkg)), r.name)
	fuzz := func(limit time.Duration, more ...string) others.Process {
		args := append(command[1:len(command):len(command)], "-run=^$", "-fuzz=^"+r.name+"$",
			"-parallel=1")
		cmd := exec.Command(command[0], append(args, more...)...)
		cmd.Dir = r.dir(module)
		cmd.Env = others.Environment("GOCACHE="+gocache, "XDG_CACHE_HOME="+cache, "CI=")
		return others.Spend(ctx, limit, mostFuzz*limit, cmd)
	}
	for _, compiles := range []bool{true, false} {
		if err := r.Copy(ctx, r.module+"@"+r.version, module); err != nil {
			return run, err
		}
		for _, dir := range []string{kept, cache} {
			if err := os.RemoveAll(dir); err != nil {
				return run, err
			}
		}
		if compiles { // what that finds does not count
			fuzz(others.MostBuild, "-fuzztime=1x")
		}
	}
	failures := filepath.Join(r.dir(module), "testdata", "fuzz", r.name)
	idle := 0
	for ; run.CPU < r.Limit.Seconds() && run.Stops < mostStops; run.Stops++ {
		begun := time.Now()
		done := fuzz(r.Limit - time.Duration(run.CPU*float64(time.Second)))
		run.CPU += done.CPU.Seconds()
		run.Says = done.Tail()
		failed, err := setAside(failures, filepath.Join(r.Scratch, "failures"), begun)
		if err != nil || ctx.Err() != nil {
			return run, err
		}
		if run.Failures += failed; failed == 0 {
			idle++
		}
		if idle == mostIdle && run.CPU < r.Limit.Seconds() {
			return run, fmt.Errorf("it ends early: %s", run.Says)
		}
	}
	reach, err := r.reach(ctx, kept)
	run.Reached, run.Entries, run.Unread = reach.reached, reach.entries, reach.unread
	return run, err
}

// setAside moves the entries of a directory that are newer than a time to another one.
func setAside(dir, to string, since time.Time) (moved int, err error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return 0, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.ModTime().After(since) || !info.Mode().IsRegular() {
			continue
		}
		if err := os.Rename(filepath.Join(dir, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return moved, err
		}
		moved++
	}
	return moved, nil
}

// A reach is what entries reach.
type reach struct{ statements, reached, entries, unread int }

// reach runs the entries of the module, and those of a directory unless that is "".
func (r runner) reach(ctx context.Context, kept string) (all reach, err error) {
	module := filepath.Join(r.Scratch, "covered")
	if err := r.Copy(ctx, r.module+"@"+r.version, module); err != nil {
		return all, err
	}
	binary := filepath.Join(r.Scratch, "covered.test")
	for _, covers := range []string{r.module + "/...", "."} { // some modules compile only without
		_, err = others.Output(ctx, r.dir(module), "go", "test", "-c", "-vet=off", "-o", binary,
			"-coverpkg="+covers, ".")
		if err == nil {
			break
		}
	}
	if err != nil {
		return all, err
	}
	covered := map[string]bool{}
	run := func() error {
		profile := filepath.Join(r.Scratch, "profile")
		os.Remove(profile)
		cmd := exec.Command(binary, "-test.run=^"+r.name+"$", "-test.coverprofile="+profile,
			"-test.timeout="+mostReplay.String())
		cmd.Dir, cmd.Env = r.dir(module), others.Environment()
		done := others.Start(ctx, mostReplay, mostReplay, cmd)
		text, err := os.ReadFile(profile)
		if err != nil {
			return fmt.Errorf("no profile: %w: %s", done.Err, done.Tail())
		}
		return read(string(text), covered)
	}
	corpus := filepath.Join(r.dir(module), "testdata", "fuzz", r.name)
	if err := run(); err != nil {
		return all, err
	}
	if kept != "" {
		names, err := entriesOf(kept)
		if err != nil {
			return all, err
		}
		all.entries = len(names)
		if err := os.MkdirAll(corpus, 0o777); err != nil {
			return all, err
		}
		var try func(names []string) error // halves what ends the process
		try = func(names []string) error {
			for _, name := range names {
				if err := os.Link(filepath.Join(kept, name), filepath.Join(corpus, "kept-"+name)); err != nil {
					return err
				}
			}
			err := run()
			for _, name := range names {
				os.Remove(filepath.Join(corpus, "kept-"+name))
			}
			switch {
			case err == nil || ctx.Err() != nil:
				return ctx.Err()
			case len(names) == 1:
				all.unread++
				return nil
			}
			if err := try(names[:len(names)/2]); err != nil {
				return err
			}
			return try(names[len(names)/2:])
		}
		if len(names) > 0 {
			if err := try(names); err != nil {
				return all, err
			}
		}
	}
	for block, is := range covered {
		n, _ := strconv.Atoi(block[strings.LastIndexByte(block, ' ')+1:])
		if all.statements += n; is {
			all.reached += n
		}
	}
	return all, nil
}

// entriesOf returns the names of the files of a directory, which need not exist.
func entriesOf(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type() == fs.ModeDir {
			continue
		}
		names = append(names, e.Name())
	}
	return names, err
}

// read adds the blocks of a profile, with their numbers of statements.
func read(profile string, covered map[string]bool) error {
	for line := range strings.Lines(profile) {
		if strings.HasPrefix(line, "mode: ") {
			continue
		}
		block, count, ok := cutLast(strings.TrimSpace(line))
		if !ok {
			return fmt.Errorf("a line of a profile: %q", line)
		}
		covered[block] = covered[block] || count != "0"
	}
	return nil
}

// cutLast cuts a line at its last space.
func cutLast(line string) (before, after string, ok bool) {
	i := strings.LastIndexByte(line, ' ')
	if i < 0 {
		return line, "", false
	}
	return line[:i], line[i+1:], true
}
