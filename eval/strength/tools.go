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

// A survivor is an event of corpusgen strength.
type survivor struct {
	File          string // with slashes, relative to the module
	Line          int
	Kind          string
	Before, After string // the line
}

// A summary counts mistakes of corpusgen strength.
type summary struct{ Mistakes, Killed, Survive, Unsteady, Unreached, Untried int }

// strength runs corpusgen strength.
func (r *result) strength(ctx context.Context, lab *others.Lab, dir string) error {
	cmd := exec.Command(lab.Corpusgen, "strength", "-json", "-fresh", "-parallel=1", "./...")
	cmd.Dir, cmd.Env = dir, others.Environment(flags)
	done := others.Start(ctx, most, mostIdle, cmd)
	const survivors = 2 // the exit status that says that there are some
	exit := (*exec.ExitError)(nil)
	if done.Late || done.Err != nil && (!errors.As(done.Err, &exit) || exit.ExitCode() != survivors) {
		return fmt.Errorf("corpusgen strength: %w: %s", done.Err, done.Tail())
	}
	r.CPU.Strength = done.CPU.Seconds()
	return r.events(done.Out, dir)
}

// events reads what corpusgen strength prints. Lines that are not JSON are notes.
func (r *result) events(out []byte, dir string) error {
	for line := range bytes.Lines(out) {
		var e struct {
			Event   string
			Mistake survivor
			summary
		}
		if !bytes.HasPrefix(line, []byte("{")) {
			continue
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("corpusgen strength: %w in %s", err, line)
		}
		switch e.Event {
		case "survivor":
			file, err := filepath.Rel(dir, e.Mistake.File)
			if err != nil {
				return err
			}
			e.Mistake.File = filepath.ToSlash(file)
			r.Survivors = append(r.Survivors, e.Mistake)
		case "strength":
			s := &r.Strength
			s.Mistakes += e.Mistakes
			s.Killed += e.Killed
			s.Survive += e.Survive
			s.Unsteady += e.Unsteady
			s.Unreached += e.Unreached
			s.Untried += e.Untried
		}
	}
	return nil
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
