package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/espalier-go/espalier/eval/others"
)

const (
	mostTime   = 10 * time.Second // CPU time of one input
	mostIdle   = 15 * time.Second // by the clock, without CPU time
	mostMemory = 4 << 30          // of a process, in bytes
)

// A runner runs a crash.
type runner struct {
	*others.Lab
	crash
}

// A replayer runs single inputs of a target in a plain test binary.
type replayer struct {
	target      others.Target
	dir, binary string
}

// replayer compiles the target in a version of the module.
func (r runner) replayer(ctx context.Context, version string) (p replayer, err error) {
	p = replayer{
		r.at(version), filepath.Join(r.Scratch, "plain"), filepath.Join(r.Scratch, "plain.test"),
	}
	if err := r.copyTo(ctx, r.Lab, version, p.dir); err != nil {
		return p, err
	}
	_, err = others.Output(ctx, p.target.Dir(p.dir), "go", "test", "-c", "-vet=off",
		"-o", p.binary, ".")
	return p, err
}

// place runs an entry, and says where it fails.
func (p replayer) place(ctx context.Context, entry []byte) (string, error) {
	const name = "espalier"
	dir := p.target.Entries(p.dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, entry, 0o666); err != nil {
		return "", err
	}
	defer os.Remove(file)
	return p.run(ctx, "/^"+name+"$")
}

// run runs the target, or its subtests that a pattern matches, and says where it fails.
func (p replayer) run(ctx context.Context, subtests string) (string, error) {
	cmd := others.WithLimits(mostTime, mostMemory, p.binary,
		"-test.run=^"+p.target.Name+"$"+subtests)
	cmd.Dir, cmd.Env = p.target.Dir(p.dir), others.Environment("GOTRACEBACK=single")
	return place(others.Start(ctx, 20*mostTime, mostIdle, cmd)), ctx.Err()
}

// witnessed says where the witness fails in a version of the module.
func (r runner) witnessed(ctx context.Context, version string) (string, replayer, error) {
	entry, err := r.witness()
	if err != nil {
		return "", replayer{}, err
	}
	p, err := r.replayer(ctx, version)
	if err != nil {
		return "", p, fmt.Errorf("%s: %w", version, err)
	}
	where, err := p.place(ctx, entry)
	return where, p, err
}

// verify runs the witness in both versions, and the seeds in the one before the fix.
func (r runner) verify(ctx context.Context) (v verified) {
	var plain replayer
	var err error
	if v.Before, plain, err = r.witnessed(ctx, r.before); err == nil {
		v.Seeds, err = plain.run(ctx, "")
	}
	if err == nil {
		v.After, _, err = r.witnessed(ctx, r.after)
	}
	if err != nil {
		v.Note = err.Error()
	}
	return v
}

// result fuzzes the target so often with each engine.
func (r runner) result(ctx context.Context, seeds int) (res result) {
	where, plain, err := r.witnessed(ctx, r.before)
	switch {
	case err != nil:
		return result{Note: err.Error()}
	case where == "":
		return result{Note: "the witness passes"}
	}
	res.Place, res.Runs = where, map[string][]run{}
	for range seeds {
		for _, engine := range others.Engines {
			run, err := r.fuzz(ctx, engine, where, plain)
			if err != nil {
				res.Note = engine + ": " + err.Error()
				return res
			}
			res.Runs[engine] = append(res.Runs[engine], run)
		}
	}
	return res
}

// fuzz fuzzes with an engine until that finds a failure at the place.
func (r runner) fuzz(
	ctx context.Context, engine, where string, plain replayer,
) (run run, err error) {
	failed := func(file string, spent time.Duration) bool {
		at := "unread"
		if entry, err := os.ReadFile(file); err == nil {
			if at, err = plain.place(ctx, entry); err != nil {
				return true
			}
		}
		if same(at, where) {
			run.Found, run.CPU = true, spent.Seconds()
			return true
		}
		if !slices.Contains(run.Others, at) {
			run.Others = append(run.Others, at)
		}
		return false
	}
	done, err := r.Fuzz(ctx, others.Campaign{Target: r.at(r.before), Engine: engine,
		Failed: failed, Memory: mostMemory,
		Prepare: func(ctx context.Context, dir string) error {
			return r.copyTo(ctx, r.Lab, r.before, dir)
		}})
	run.Stops, run.Says = done.Stops, done.Says
	if run.Found {
		return run, ctx.Err()
	}
	run.CPU = done.CPU.Seconds()
	return run, err
}
