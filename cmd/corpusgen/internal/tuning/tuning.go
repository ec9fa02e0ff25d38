// Package tuning has a target's generator make values as the user wants them: it orders a model,
// and writes it to a file.
package tuning

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/instrument"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/goal"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/safefile"
)

// A tuneEvent says what model tune has found.
type tuneEvent struct {
	session.Head
	Model string // its file; "" if none of several is picked
	Tuned *job.Tuned
}

// A tuner is one run of `corpusgen tune`.
type tuner struct {
	*session.Session
	goals     []string // the texts of -goal
	pick      int      // the compromise between them to write; 0 for none
	goal      goal.Goal
	tolerance float64 // percent
	rounds    int
	values    int // in each round
	time      time.Duration
	limit     int
	file      string // absolute path; "" for the file of the target
}

// Run is `corpusgen tune`.
func Run(ctx context.Context, args []string) error {
	r := &tuner{Session: session.New("tune")}
	r.Tests = true
	r.Own.Func("goal", "", func(text string) error {
		r.goals = append(r.goals, text)
		return nil
	})
	r.Own.IntVar(&r.pick, "pick", 0, "")
	r.Own.Float64Var(&r.tolerance, "tolerance", 10, "")
	r.Own.IntVar(&r.rounds, "rounds", 20, "")
	r.Own.IntVar(&r.values, "values", 2000, "")
	session.Renamed(r.Own, "n", "values")
	r.Own.DurationVar(&r.time, "time", 0, "")
	r.Own.IntVar(&r.limit, "limit", 0, "")
	r.Own.StringVar(&r.file, "o", "", "")
	session.DefineForce(r.Own)
	r.Own.Uint64Var(&r.Seed, "seed", 1, "")
	return r.Run(ctx, args, r.check, func(ctx context.Context) error {
		if n := len(r.Labels()); n > 1 && r.file != "" {
			return session.Usagef("-o is for one target, and %d are selected: choose one by -fuzz", n)
		}
		return r.Each(ctx, r.target)
	})
}

// check checks the values of flags.
func (r *tuner) check() (err error) {
	if err := r.parse(); err != nil {
		return err
	}
	switch {
	case r.pick < 0:
		return session.Usagef("-pick %d: must not be negative", r.pick)
	case r.pick > 0 && len(r.goals) < 2:
		return session.Usagef("-pick chooses between the models of several goals: give -goal twice")
	case !(r.tolerance >= 0 && r.tolerance <= 100):
		return session.Usagef("-tolerance %v: must be from 0 to 100", r.tolerance)
	case r.rounds < 1:
		return session.Usagef("-rounds %d: must be at least 1", r.rounds)
	case r.values < 20:
		return session.Usagef("-values %d: must be at least 20", r.values)
	case r.time < 0:
		return session.Usagef("-time %v: must not be negative", r.time)
	case r.limit < 0:
		return session.Usagef("-limit %d: must not be negative", r.limit)
	}
	if r.limit == 0 {
		r.limit = r.goal.Limit()
	}
	if r.file == "" {
		return nil
	}
	if r.file, err = filepath.Abs(r.file); err == nil {
		if err := safefile.Replaceable(r.file, modelMark); err != nil {
			return session.Usagef("-o: %v", err)
		}
	}
	return err
}

// parse reads the goal. Several goals compete.
func (r *tuner) parse() (err error) {
	for _, text := range r.goals {
		if r.goal, err = goal.Parse(text); err != nil {
			return session.Usagef("-goal: %v", err)
		}
		if len(r.goals) > 1 && len(r.goal.Objectives) != 1 {
			return session.Usagef("-goal %s: goals that compete are one size, height, coverage, "+
				"variety or valid each", text)
		}
	}
	if r.goal, err = goal.Parse(r.text()); err != nil {
		return session.Usagef("-goal: %v", err)
	}
	return nil
}

// text returns the goals as one.
func (r *tuner) text() string { return strings.Join(r.goals, ",") }

// modelMark begins files that may be replaced.
const modelMark = `{"format":"espalier `

// described is how many values the report describes.
const described = 2000

// target tunes a target.
func (r *tuner) target(ctx context.Context, t *session.Target) error {
	file := r.file
	if file == "" {
		file = filepath.Join(t.Package.Dir, "testdata", modelName(t.Name))
	}
	if err := safefile.Replaceable(file, modelMark); err != nil {
		return fmt.Errorf("%s: %w", t.Label, err)
	}
	if r.goal.Covers() {
		if err := instrumented(ctx, t); err != nil {
			return err
		}
	}
	o := job.Tune{
		Goal: r.text(), Front: len(r.goals) > 1, Pick: r.pick,
		Rounds: r.rounds, Values: r.values, Limit: r.limit, Tolerance: r.tolerance / 100,
		Seconds: r.time.Seconds(), Measure: described,
	}
	if r.goal.Kind == "like" || r.goal.Kind == "unlike" {
		like, err := examples(t, r.goal.Names)
		if err != nil {
			return err
		}
		o.Like = like
	}
	answer, err := t.Ask(ctx, job.Order{Seed: r.Seed, Tune: &o})
	if err != nil {
		return err
	}
	tuned := answer.Tuned
	if tuned == nil {
		return fmt.Errorf("%s has given no model", t.Label)
	}
	if answer.End.Note != "" {
		r.Note("%s: %s", t.Label, answer.End.Note)
	}
	if tuned.Front != nil {
		r.Printf("%s", r.front(t, tuned))
	}
	if len(tuned.Model) == 0 {
		r.Emit(tuneEvent{t.Head("tune"), "", tuned})
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fmt.Errorf("%s: %w", t.Label, err)
	}
	if err := safefile.Write(file, append(tuned.Model, '\n')); err != nil {
		return fmt.Errorf("%s: %w", t.Label, err)
	}
	r.Printf("%s", r.report(t, file, tuned))
	r.Emit(tuneEvent{t.Head("tune"), gotest.Short(file), tuned})
	return nil
}

// instrumented has the test binary of a target built so that it tells what code runs, as corpusgen
// fuzz has it built.
func instrumented(ctx context.Context, t *session.Target) error {
	s := t.Session
	if value, ok := s.Lookup("overlay"); ok {
		return session.Usagef("GOFLAGS=-overlay=%s: the goal coverage uses an overlay of its own",
			value)
	}
	all, err := instrument.FlagsForAll(s.Values("gcflags"))
	if err != nil {
		return session.UsageError{Msg: err.Error()}
	}
	o, err := s.CheckedOverlay(ctx)
	if err != nil {
		return err
	}
	packages, err := instrument.List(ctx, []string{t.Package.Path}, s.BuildFlags()...)
	if err != nil {
		return err
	}
	t.BuildWith(append([]string{"-overlay=" + o.File},
		instrument.Flags(packages.Reach().Rules, all)...)...)
	return nil
}

// examples returns the paths of the files that names stand for: files, or directories of them.
func examples(t *session.Target, names []string) (paths []string, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, fmt.Errorf("examples: %w", err)
		}
		if !info.IsDir() {
			path, err := filepath.Abs(name)
			if err != nil {
				return nil, err
			}
			paths = append(paths, path)
			continue
		}
		files, err := t.Files(name)
		if err != nil {
			return nil, err
		}
		paths = append(paths, files...)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: there are no examples in %s", t.Label, strings.Join(names, " "))
	}
	return paths, nil
}
