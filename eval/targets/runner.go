package main

import (
	"context"
	_ "embed"
	"fmt"
	"path"
	"strings"

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

// result fuzzes the target so often with each engine.
func (r runner) result(ctx context.Context, runs int) (res result, err error) {
	seeds, err := r.reach(ctx, "")
	if err != nil {
		return res, err
	}
	res.Statements, res.Seeds = seeds.Statements, seeds.Reached
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
		Prepare: r.prepare})
	run.Failures, run.Stops = done.Failures, done.Stops
	run.CPU, run.Says = done.CPU.Seconds(), done.Says
	if err != nil || ctx.Err() != nil {
		return run, err
	}
	reach, err := r.reach(ctx, done.Kept)
	run.Reached, run.Entries, run.Unread = reach.Reached, reach.Entries, reach.Unread
	return run, err
}

func (r runner) prepare(ctx context.Context, dir string) error {
	return r.Copy(ctx, r.Module+"@"+r.Version, dir)
}

// reach runs the entries of the module, and those of a directory unless that is "".
func (r runner) reach(ctx context.Context, kept string) (others.Reach, error) {
	return r.Reach(ctx, r.Target, r.prepare, kept)
}
