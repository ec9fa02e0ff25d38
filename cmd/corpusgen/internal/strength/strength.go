// Package strength finds small mistakes of the code of a package that none of its tests notices.
//
// All mistakes are compiled into one test binary: see package mistake. Each is made in a process of
// its own, in which only tests run that reach it:
//
//	program    mistakes of the package, its test binary     load.go
//	baseline   what each test costs and reaches             baseline.go
//	trial      a mistake, made under tests                  trial.go
//	memory     verdicts of earlier runs                     memory.go
//	around     the files that tests depend on               around.go
//	docket     the mistakes in order, as they are decided   docket.go
//	seek       tests that notice survivors                  seek.go
//	report     the survivors                                report.go
package strength

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/confine"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A run is one run of `corpusgen strength`.
type run struct {
	*session.Output
	flags *gotest.Flags
	env   *gotest.Env
	cache string // directory of files for later runs
	tmp   string
	short string // directory of the temporary files of tests

	changed    string
	change     *gotest.Change // of -changed, or nil
	accept     string
	update     bool
	fresh      bool
	unconfined bool
	parallel   int
	checks     int
	time       time.Duration // of -time, 0 for no limit
	seeking    time.Duration // of -seek, 0 for no tests
	begun      time.Time
	spent      atomic.Int64   // CPU time of tests, in nanoseconds
	only, skip *regexp.Regexp // of -run and -skip; skip may be nil

	accepted *accepted
	broken   bool // the tests of a package fail as it is
	failed   bool // something else could not be done
	strange  int  // survivors that are not accepted
	asked    bool // tests of a package have run, or it has none
	unasked  bool // a package has tests, but none of them is selected
	untried  int  // mistakes for which there was no time
	late     int  // packages for which there was none
	notes    map[string]bool
}

// The exit statuses.
const (
	statusOther     = 1 // also for mistakes in the command line: 2 has a meaning
	statusSurvivors = 2
	statusBroken    = 3
)

// Run is `corpusgen strength`.
func Run(ctx context.Context, args []string) error {
	err := start(ctx, args)
	if usage := (session.UsageError{}); errors.As(err, &usage) {
		return session.StatusError{Status: statusOther, Err: err}
	}
	return err
}

func start(ctx context.Context, args []string) error {
	own := session.NewFlagSet("strength")
	r := &run{flags: &gotest.Flags{Own: own}, notes: map[string]bool{}}
	own.StringVar(&r.changed, "changed", "", "")
	session.Renamed(own, "diff", "changed")
	own.StringVar(&r.accept, "accept", "", "")
	own.BoolVar(&r.update, "update", false, "")
	own.BoolVar(&r.fresh, "fresh", false, "")
	own.BoolVar(&r.unconfined, "unconfined", false, "")
	own.IntVar(&r.parallel, "parallel", runtime.GOMAXPROCS(0), "")
	own.IntVar(&r.checks, "checks", 1000, "")
	own.DurationVar(&r.time, "time", 0, "")
	own.DurationVar(&r.seeking, "seek", 0, "")
	only, skip := own.String("run", "", ""), own.String("skip", "", "")
	asJSON := own.Bool("json", false, "")
	wd := own.String("C", "", "")
	if err := session.Parse(r.flags, args); err != nil {
		return err
	}
	var err error
	switch {
	case r.parallel < 1:
		return session.Usagef("-parallel %d: at least one process is needed", r.parallel)
	case r.checks < 1:
		return session.Usagef("-checks %d: at least one value is needed", r.checks)
	case r.time < 0 || r.time == 0 && r.flags.Given()["time"]:
		return session.Usagef("-time %v: must be positive", r.time)
	case r.seeking < 0 || r.seeking == 0 && r.flags.Given()["seek"]:
		return session.Usagef("-seek %v: must be positive", r.seeking)
	case r.seeking > 0 && r.update:
		return session.Usagef("-seek with -update: no test is needed for what is accepted")
	case r.update && r.accept == "":
		return session.Usagef("-update: name the file to update by -accept")
	case r.update && (*only != "" || *skip != ""):
		return session.Usagef("-update with -run or -skip: what some tests do not notice, others may")
	}
	if r.only, err = selection("run", *only); err != nil {
		return err
	}
	if *skip != "" {
		if r.skip, err = selection("skip", *skip); err != nil {
			return err
		}
	}
	if r.env, err = session.Settle(ctx, r.flags, *wd); err != nil {
		return err
	}
	if r.changed != "" {
		if r.change, err = gotest.ReadChange(ctx, r.changed); err != nil {
			return session.Usagef("-changed: %v", err)
		}
	}
	if r.accepted, err = readAccepted(r.accept, r.update); err != nil {
		return err
	}
	if len(r.flags.Packages) == 0 {
		r.flags.Packages = []string{"."}
	}
	r.Output = session.NewOutput(*asJSON)
	defer r.Close()
	cache, dir, err := session.TempDir()
	if err != nil {
		return err
	}
	defer dir.Remove()
	r.cache, r.tmp = filepath.Join(cache, "strength"), dir.Path
	if r.short, err = dir.Short(); err != nil {
		return err
	}
	if !r.unconfined && confine.Check() != nil {
		r.note("this system cannot keep processes from changing files: mistakes could make tests " +
			"change files of yours")
	}
	return r.all(ctx)
}

// selection returns the pattern of -run or -skip.
func selection(flag, pattern string) (*regexp.Regexp, error) {
	if strings.Contains(pattern, "/") {
		return nil, session.Usagef("-%s %s: a test is selected with all its subtests: leave out what "+
			"begins at the slash", flag, pattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, session.Usagef("-%s is not a regular expression: %v", flag, err)
	}
	return re, nil
}

// all goes through the packages.
func (r *run) all(ctx context.Context) error {
	pkgs, err := r.list(ctx)
	if err != nil {
		return err
	}
	r.begun = time.Now()
	for i, l := range pkgs {
		dir := filepath.Join(r.tmp, fmt.Sprint(i))
		err := os.Mkdir(dir, 0o777)
		if err == nil {
			err = r.pkg(ctx, l, dir)
		}
		switch broken := (*brokenError)(nil); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, &broken):
			r.broken = true
			r.Complain(err)
		case err != nil:
			r.failed = true
			r.Complain(err)
		}
	}
	if r.untried+r.late > 0 {
		r.note(r.unfinished())
	}
	if err := r.accepted.write(); err != nil {
		return err
	}
	switch {
	case r.broken:
		return session.StatusError{Status: statusBroken, Err: session.ErrReported}
	case r.failed:
		return session.ErrReported
	case !r.asked && r.unasked:
		return fmt.Errorf("-run and -skip select no test of these packages")
	case r.strange > 0:
		return session.StatusError{Status: statusSurvivors, Err: session.ErrReported}
	}
	return nil
}

// longWait is how many times as long as its CPU time a run may take by the clock, beside anyClock: its
// tests may sleep.
const longWait = 10

// over reports whether the time of -time is up.
func (r *run) over() bool {
	return r.time > 0 &&
		(time.Duration(r.spent.Load()) >= r.time || time.Since(r.begun) >= longWait*r.time+anyClock)
}

// unfinished says what has not been done once the time is up.
func (r *run) unfinished() string {
	var parts []string
	if r.untried > 0 {
		parts = append(parts, session.Count(r.untried, "mistake was", "mistakes were")+" not tried")
	}
	if r.late > 0 {
		parts = append(parts, session.Count(r.late, "package was", "packages were")+" not begun")
	}
	return fmt.Sprintf("-time %v is used up: %s: the next run continues", r.time,
		strings.Join(parts, ", and "))
}

// Status shows a status line, but with -json none.
func (r *run) Status(format string, args ...any) {
	if r.Json == nil {
		r.Output.Status(format, args...)
	}
}

// A brokenError says that the tests of a package fail although no mistake is made.
type brokenError struct{ text string }

func (e *brokenError) Error() string { return e.text }

// note prints a line that is not an error, once.
func (r *run) note(text string) {
	if !r.notes[text] {
		r.notes[text] = true
		r.Warn("corpusgen: " + text + "\n")
	}
}
