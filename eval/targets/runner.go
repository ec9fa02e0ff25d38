package main

import (
	"context"
	_ "embed"
	"fmt"
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
type target struct{ others.Target }

//go:embed targets.tsv
var list string

// targets returns the list.
func targets() (all []target) {
	_, rest, _ := strings.Cut(list, "\n")
	for line := range strings.Lines(rest) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		all = append(all, target{others.Target{Module: f[0], Version: f[1], Pkg: f[2], Name: f[3]}})
	}
	return all
}

// String returns the package and the name.
func (t target) String() string { return path.Join(t.Module, t.Pkg) + " " + t.Name }

// A runner runs a target.
type runner struct {
	*others.Lab
	target
}

const mostReplay = 10 * time.Minute

// result fuzzes the target so often with each engine.
func (r runner) result(ctx context.Context, runs int) (res result, err error) {
	seeds, err := r.reach(ctx, "")
	if err != nil {
		return res, err
	}
	res.Statements, res.Seeds = seeds.statements, seeds.reached
	for range runs {
		for _, engine := range others.Engines {
			done, err := r.fuzz(ctx, engine)
			if err != nil {
				return res, fmt.Errorf("%s: %w", engine, err)
			}
			if engine == others.Ours {
				res.Ours = append(res.Ours, done)
			} else {
				res.Stock = append(res.Stock, done)
			}
		}
	}
	return res, nil
}

// fuzz fuzzes with an engine, from no entries but the module's.
func (r runner) fuzz(ctx context.Context, engine string) (run run, err error) {
	done, err := r.Fuzz(ctx, others.Campaign{Target: r.Target, Engine: engine,
		Prepare: func(ctx context.Context, dir string) error {
			return r.Copy(ctx, r.Module+"@"+r.Version, dir)
		}})
	run.Failures, run.Stops = done.Failures, done.Stops
	run.CPU, run.Says = done.CPU.Seconds(), done.Says
	if err != nil || ctx.Err() != nil {
		return run, err
	}
	reach, err := r.reach(ctx, done.Kept)
	run.Reached, run.Entries, run.Unread = reach.reached, reach.entries, reach.unread
	return run, err
}

// A reach is what entries reach.
type reach struct{ statements, reached, entries, unread int }

// reach runs the entries of the module, and those of a directory unless that is "".
func (r runner) reach(ctx context.Context, kept string) (all reach, err error) {
	module := filepath.Join(r.Scratch, "covered")
	if err := r.Copy(ctx, r.Module+"@"+r.Version, module); err != nil {
		return all, err
	}
	binary := filepath.Join(r.Scratch, "covered.test")
	for _, covers := range []string{r.Module + "/...", "."} { // some modules compile only without
		_, err = others.Output(ctx, r.Dir(module), "go", "test", "-c", "-vet=off", "-o", binary,
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
		cmd := exec.Command(binary, "-test.run=^"+r.Name+"$", "-test.coverprofile="+profile,
			"-test.timeout="+mostReplay.String())
		cmd.Dir, cmd.Env = r.Dir(module), others.Environment()
		done := others.Start(ctx, mostReplay, mostReplay, cmd)
		text, err := os.ReadFile(profile)
		if err != nil {
			return fmt.Errorf("no profile: %w: %s", done.Err, done.Tail())
		}
		return read(string(text), covered)
	}
	corpus := r.Entries(module)
	if err := run(); err != nil {
		return all, err
	}
	if kept != "" {
		names, err := others.Files(kept)
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
