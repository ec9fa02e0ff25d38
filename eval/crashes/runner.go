package main

import (
	"context"
	"fmt"
	"maps"
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
	dir := filepath.Join(r.Scratch, version)
	p = replayer{r.at(version), dir, dir + ".test"}
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
	entries := map[string][]byte{} // of other failures, by the place
	failed := func(file string, spent time.Duration) bool {
		entry, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		at, err := plain.place(ctx, entry)
		switch {
		case err != nil:
			return true
		case same(at, where):
			run.Found, run.CPU = true, spent.Seconds()
			return true
		case at == "":
			at = flaky
		}
		if entries[at] == nil {
			entries[at] = entry
		}
		return false
	}
	done, err := r.Fuzz(ctx, others.Campaign{Target: r.at(r.before), Engine: engine,
		Failed: failed, Memory: mostMemory,
		Prepare: func(ctx context.Context, dir string) error {
			return r.copyTo(ctx, r.Lab, r.before, dir)
		}})
	run.Stops, run.Says = done.Stops, done.Says
	if !run.Found {
		run.CPU = done.CPU.Seconds()
		if err != nil {
			return run, err
		}
	}
	run.Others, err = r.failures(ctx, entries)
	return run, err
}

// flaky is the place of a failure that does not show again.
const flaky = "none, if it runs again"

// failures returns other failures, given an entry for each place.
func (r runner) failures(ctx context.Context, entries map[string][]byte) (all []other, err error) {
	if len(entries) == 0 {
		return nil, ctx.Err()
	}
	after, err := r.replayer(ctx, r.after)
	for _, place := range slices.Sorted(maps.Keys(entries)) {
		o := other{Place: place}
		if err == nil {
			var where string
			where, err = after.place(ctx, entries[place])
			o.Fixed = where == "" && place != flaky && err == nil
		}
		all = append(all, o)
	}
	return all, err
}
