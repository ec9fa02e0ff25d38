package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/goal"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/job"
)

// A tuneEvent says what model tune has found.
type tuneEvent struct {
	session.Head
	Model string // its file
	Tuned *job.Tuned
}

var _ = register(&command{
	name:    "tune",
	summary: "make a target's generator make values as you want them",
	usage: `usage: corpusgen tune -goal GOAL [flags] [packages]

Tune searches for a model by which the generator of a fuzz target makes values
that meet a goal, writes it to testdata/FuzzXxx.model.json, and says what its
values are like beside those of the generator's own weights. The generator
remains as it is. To use the model:

	f.Fuzz(fuzzext.Valid(gen, prop, fuzzext.WithModel("testdata/FuzzXxx.model.json")))

A goal is one of

	size=N     values of N picks that take another alternative than their
	           first, or N elements of a slice
	size(TAG,...)=N
	           values of N picks that take one of the tags
	height=N, height(TAG,...)=N
	           values in which such picks nest N deep
	uniform    each tag as near to 10 times in a value, on average, as weights
	           can make it
	weighted TAG=W,...
	           each of these tags 10*W times in a value, on average. Others
	           are free
	only TAG,...
	           no other alternatives of the picks that have these tags. These
	           come as near to 10 times as weights can make it
	without TAG,...
	           no values with these tags; others as near to 10 times
	like FILE..., unlike FILE...
	           values like, or unlike, the corpus entries in these files and
	           directories
	entropy    values whose choices have as much entropy as possible
	valid-entropy
	           the same for values that the property assumes: more of them are
	           valid, and various

Several sizes and heights are a goal, too, with commas between, as in
'size=100,height=36'. Where all values of a size, and perhaps a height,
can be counted, the model draws from them; otherwise tune searches. With
',entropy' behind them, values that meet them are made as various as possible.
If the property assumes something (T.Assume), only values that it assumes count.
',size=N' behind uniform, weighted, only and without has N instead of 10. Values
then have at most N levels.

The tags of a generator that is context-free are weighed by its branching
process: the report has the numbers that this predicts. For another generator,
and for sizes and heights, tune searches: it makes values in rounds, and follows
the best of each.

Tests that call fuzzext.Check are targets, too.

For example:

	corpusgen tune -goal 'size=100,height=36' -fuzz FuzzTree ./pkg
	corpusgen tune -goal 'size(node)=30' -fuzz TestInsert
	corpusgen tune -goal 'weighted A=3,B=1' ./pkg
	corpusgen tune -goal 'like testdata/fuzz/FuzzTree' -fuzz FuzzTree

The flags are:

	-goal GOAL
		what the values shall be like
	-tolerance P
		values within P percent of each number meet the goal (default 10)
	-rounds N
		rounds of the search, at most (default 20). There are five times as
		many, of a quarter of the values, for entropy
	-n N
		make N values in each round (default 2000)
	-share P
		end once P percent of the values of a round meet the goal
		(default 0: after all rounds)
	-time T
		end the search after T, such as 30s
	-limit N
		a value may ask N questions, at most (default 10 times the
		greatest number of the goal, but 1000 at least)
	-o FILE
		write the model to FILE instead of testdata/FuzzXxx.model.json.
		An absolute path, or relative to the current directory
	-plot FILE
		draw the values to FILE, an SVG image
	-seed S
		start the random stream at S (default 1). The same target, goal
		and S give the same model, unless -time ends the search
` + sessionUsage + `
Tune replaces a model that it wrote before, and no other file. The exit status
is 1 if something went wrong with a target. It is 0 if values do not meet the
goal: see what the report says.
`,
	run: runTune,
})

// A tuner is one run of `corpusgen tune`.
type tuner struct {
	*session.Session
	goal      goal.Goal
	tolerance float64 // percent
	rounds    int
	n         int
	share     float64 // percent
	time      time.Duration
	limit     int
	file      string // absolute path; "" for that of the target
	plot      string // absolute path; "" for none
}

func runTune(ctx context.Context, args []string) error {
	r := &tuner{}
	text := ""
	s, err := session.New(ctx, "tune", args, func(s *session.Session) {
		s.Tests = true
		s.Own.StringVar(&text, "goal", "", "")
		s.Own.Float64Var(&r.tolerance, "tolerance", 10, "")
		s.Own.IntVar(&r.rounds, "rounds", 20, "")
		s.Own.IntVar(&r.n, "n", 2000, "")
		s.Own.Float64Var(&r.share, "share", 0, "")
		s.Own.DurationVar(&r.time, "time", 0, "")
		s.Own.IntVar(&r.limit, "limit", 0, "")
		s.Own.StringVar(&r.file, "o", "", "")
		s.Own.StringVar(&r.plot, "plot", "", "")
		s.Own.Uint64Var(&s.Seed, "seed", 1, "")
	}, func(*session.Session) error { return r.check(text) })
	if err != nil {
		return err
	}
	defer s.Close()
	r.Session = s
	if targets := countTargets(s.Pkgs); targets > 1 && (r.file != "" || r.plot != "") {
		return session.UsageError{Msg: fmt.Sprintf("-o and -plot are for one target, and %d are selected: choose one by -fuzz", targets)}
	}
	return s.Each(ctx, r.target)
}

func countTargets(pkgs []gotest.Package) (n int) {
	for _, p := range pkgs {
		n += len(p.Targets)
	}
	return n
}

// check checks the values of flags.
func (r *tuner) check(text string) (err error) {
	if r.goal, err = goal.Parse(text); err != nil {
		return session.UsageError{Msg: fmt.Sprintf("-goal: %v", err)}
	}
	switch {
	case !(r.tolerance >= 0 && r.tolerance <= 100):
		return session.UsageError{Msg: fmt.Sprintf("-tolerance %v: must be from 0 to 100", r.tolerance)}
	case r.rounds < 1:
		return session.UsageError{Msg: fmt.Sprintf("-rounds %d: must be at least 1", r.rounds)}
	case r.n < 20:
		return session.UsageError{Msg: fmt.Sprintf("-n %d: must be at least 20", r.n)}
	case !(r.share >= 0 && r.share <= 100):
		return session.UsageError{Msg: fmt.Sprintf("-share %v: must be from 0 to 100", r.share)}
	case r.time < 0:
		return session.UsageError{Msg: fmt.Sprintf("-time %v: must not be negative", r.time)}
	case r.limit < 0:
		return session.UsageError{Msg: fmt.Sprintf("-limit %d: must not be negative", r.limit)}
	}
	if r.limit == 0 {
		r.limit = r.goal.Limit()
	}
	for flag, file := range map[string]*string{"-o": &r.file, "-plot": &r.plot} {
		if *file == "" {
			continue
		}
		if *file, err = filepath.Abs(*file); err != nil {
			return err
		}
		mark := modelMark
		if flag == "-plot" {
			mark = plotMark
		}
		if err := atomicfile.Replaceable(*file, mark); err != nil {
			return session.UsageError{Msg: fmt.Sprintf("%s: %v", flag, err)}
		}
	}
	return nil
}

const (
	modelMark = `"espalier ` // files that have this may be replaced
	plotMark  = `<svg xmlns="http://www.w3.org/2000/svg" data-by="corpusgen tune"`
)

// described is how many values the report describes.
const described = 2000

// target tunes a target.
func (r *tuner) target(ctx context.Context, t *session.Target) error {
	file := r.file
	if file == "" {
		file = filepath.Join(t.Package.Dir, "testdata", modelName(t.Name))
	}
	if err := atomicfile.Replaceable(file, modelMark); err != nil {
		return fmt.Errorf("%s: %w", t.Label, err)
	}
	dir, err := rundir.Sub(t.Tmp, "tune")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := r.plan(ctx, t, dir)
	if err != nil {
		return err
	}
	tuned, err := tune(ctx, t, r.Seed, *p.Tune)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fmt.Errorf("%s: %w", t.Label, err)
	}
	if err := atomicfile.Write(file, append(tuned.Model, '\n')); err != nil {
		return fmt.Errorf("%s: %w", t.Label, err)
	}
	r.Printf("%s", r.report(t, file, p, tuned))
	r.Emit(tuneEvent{t.Head("tune"), gotest.Short(file), tuned})
	if r.plot != "" {
		if err := atomicfile.Write(r.plot, r.draw(p, tuned)); err != nil {
			return fmt.Errorf("%s: %w", t.Label, err)
		}
	}
	return nil
}
