package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/espalier-go/espalier/eval/others"
)

// gremlins is the other tool, with its version.
const gremlins = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"

// flags are those of go commands. Vet would refuse what it accepts in modules of older versions.
const flags = "GOFLAGS=-mod=mod -buildvcs=false -vet=off -count=1"

// Limits by the clock, for a machine that stands still.
const (
	most     = 2 * time.Hour
	mostIdle = 5 * time.Minute
)

// install installs gremlins below the scratch directory.
func install(ctx context.Context, lab *others.Lab) (binary string, err error) {
	cmd := exec.CommandContext(ctx, "go", "install", gremlins)
	cmd.Dir, cmd.Env = lab.Scratch, others.Environment("GOBIN="+lab.Scratch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Join(lab.Scratch, "gremlins"), nil
}

// A mistake is one of corpusgen strength.
type mistake struct {
	File          string // with slashes, relative to the module
	Line          int
	Kind          string
	Before, After string // the line
}

// A summary counts mistakes of corpusgen strength.
type summary struct{ Mistakes, Killed, Survive, Unsteady, Unreached, Untried int }

// strength runs corpusgen strength. Then it runs it with a test that does nothing, to see which
// mistakes there are.
func (r *result) strength(ctx context.Context, lab *others.Lab, dir string) error {
	done, err := strength(ctx, lab, dir)
	if err != nil {
		return err
	}
	r.CPU.Strength = done.CPU.Seconds()
	var counts *summary
	if r.Survivors, counts, err = events(done.Out, dir); err != nil {
		return err
	}
	r.Strength = *counts
	if err := addNothing(ctx, dir); err != nil {
		return err
	}
	if done, err = strength(ctx, lab, dir, "-run=^TestNothing$"); err != nil {
		return err
	}
	r.Made, _, err = events(done.Out, dir)
	return err
}

// strength runs corpusgen strength with more flags.
func strength(
	ctx context.Context, lab *others.Lab, dir string, more ...string,
) (others.Process, error) {
	args := append([]string{"strength", "-json", "-fresh", "-parallel=1"}, more...)
	cmd := exec.Command(lab.Corpusgen, append(args, "./...")...)
	cmd.Dir, cmd.Env = dir, others.Environment(flags)
	done := others.Start(ctx, most, mostIdle, cmd)
	const survivors = 2 // the exit status that says that there are some
	exit := (*exec.ExitError)(nil)
	if done.Late || done.Err != nil && (!errors.As(done.Err, &exit) || exit.ExitCode() != survivors) {
		return done, fmt.Errorf("corpusgen strength: %w: %s", done.Err, done.Tail())
	}
	return done, nil
}

// addNothing adds a test that does nothing to each package of a module.
func addNothing(ctx context.Context, dir string) error {
	out, err := others.Output(ctx, dir, "go", "list", "-f", "{{.Dir}}\t{{.Name}}", "./...")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		pkg, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		text := "package " + name + "\n\nimport \"testing\"\n\nfunc TestNothing(*testing.T) {}\n"
		if err := os.WriteFile(filepath.Join(pkg, "nothing_test.go"), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// events reads the mistakes that no test notices, and the counts, from what corpusgen strength
// prints. Lines that are not JSON are notes.
func events(out []byte, dir string) (all []mistake, counts *summary, err error) {
	counts = &summary{}
	for line := range bytes.Lines(out) {
		var e struct {
			Event   string
			Mistake mistake
			summary
		}
		if !bytes.HasPrefix(line, []byte("{")) {
			continue
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, nil, fmt.Errorf("corpusgen strength: %w in %s", err, line)
		}
		switch e.Event {
		case "survivor", "unreached":
			file, err := filepath.Rel(dir, e.Mistake.File)
			if err != nil {
				return nil, nil, err
			}
			e.Mistake.File = filepath.ToSlash(file)
			all = append(all, e.Mistake)
		case "strength":
			counts.Mistakes += e.Mistakes
			counts.Killed += e.Killed
			counts.Survive += e.Survive
			counts.Unsteady += e.Unsteady
			counts.Unreached += e.Unreached
			counts.Untried += e.Untried
		}
	}
	return all, counts, nil
}

// A mutant is one of gremlins.
type mutant struct {
	File         string
	Type, Status string
	Line, Column int
}

// gremlins runs gremlins.
func (r *result) gremlins(ctx context.Context, binary, dir string) error {
	file := filepath.Join(filepath.Dir(dir), "gremlins.json")
	if err := os.RemoveAll(file); err != nil {
		return err
	}
	cmd := exec.Command(binary, "unleash", "--workers=1", "--timeout-coefficient=10",
		"--output="+file, ".")
	cmd.Dir = dir
	cmd.Env = others.Environment(flags)
	done := others.Start(ctx, most, mostIdle, cmd)
	if done.Late || done.Err != nil {
		return fmt.Errorf("gremlins: %w: %s", done.Err, done.Tail())
	}
	r.CPU.Gremlins = done.CPU.Seconds()
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return r.mutants(text)
}

// mutants reads what gremlins writes.
func (r *result) mutants(text []byte) error {
	var all struct {
		Files []struct {
			Name      string `json:"file_name"`
			Mutations []mutant
		}
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("gremlins: %w", err)
	}
	for _, f := range all.Files {
		for _, m := range f.Mutations {
			m.File = f.Name
			r.Mutants = append(r.Mutants, m)
		}
	}
	return nil
}

// tried counts the mutants that gremlins has tried.
func (r *result) tried() (n int) {
	for _, m := range r.Mutants {
		if m.Status != "NOT COVERED" && m.Status != "SKIPPED" {
			n++
		}
	}
	return n
}
