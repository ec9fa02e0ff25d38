package apitest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/confine"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/instrument"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

const (
	// maxDeathsOfAPI is how many sequences may end the process, before no more are made.
	maxDeathsOfAPI = 100
	// maxAlike is how many deaths may be alike before their last call is left out. Deaths that take
	// one maxLost-th of the time suffice, and so does one exit that is announced.
	maxAlike = 3
	maxLost  = 10
	// maxLate is how many may end it once the time is over, until there is no suite of what was kept.
	maxLate = 20
	// apiPatience is how long a sequence may take, unless a sixtieth of the time is less.
	apiPatience = 5 * time.Second
)

// A generation makes the tests of a package.
type generation struct {
	*apiRun
	pkg     *apigen.Package
	harness *apigen.Harness
	text    []byte // of the harness
	binary  *gotest.Binary
	engine  string // the overlay of Go's fuzzing engine for the next build; "" for none

	order     *job.API
	suite     *job.Suite
	replaced  map[string]string // files of the module, by the files of another version
	changed   map[string]string // files of the package, by the files with mistakes
	altered   *gotest.Binary    // of the package with mistakes
	mistakes  map[int]mistake.Mistake
	unchanged string          // why there are none
	taken     map[string]bool // names of other tests
	noticed   map[int]bool    // the mistakes that fail a regression test
	covered   float64         // by the process that made the suite, in percent
	deaths    []*death        // one of each class
	flaky     int             // tests that do not pass or fail each time
	excuses   []excuse        // of what ends the process, and is not an error
	doubtful  []job.Test      // errors that may be mistakes of the caller
	rounds    int             // of regression tests
	took      time.Duration   // making sequences
	died      int             // sequences that have ended the process
	late      int             // and how many of these have once the time was over
	autopsies int             // processes that have made sequences of deaths simpler
	stop      <-chan struct{} // closed by an interrupt
	hasty     bool            // it came before regression tests were chosen
	cpu       time.Duration   // of processes
}

// interrupted reports whether the run was.
func (g *generation) interrupted() bool {
	select {
	case <-g.stop:
		return true
	default:
		return false
	}
}

// generate makes the tests of a package.
func (r *apiRun) generate(
	ctx context.Context, pkg *apigen.Package, h *apigen.Harness, text []byte,
) error {
	g := &generation{apiRun: r, pkg: pkg, harness: h, text: text, taken: pkg.TestNames(),
		stop: ctx.Done()}
	if h.Test == "" {
		return fmt.Errorf("%s has no test that calls fuzzext.Sequence with a variable of the file: "+
			"restore it, or use -harness", harnessFile)
	}
	if err := r.replaceable(errorFile, regressionFile); err != nil {
		return err
	}
	if why := confine.Check(); why != nil && len(h.Writers) > 0 {
		r.Warn(fmt.Sprintf("%s: %s not called, which may write files: the system cannot confine it: %v\n",
			pkg.Path, session.Count(len(h.Writers), "operation is", "operations are"), why))
	}
	r.Status("building the test binary of %s", pkg.Path)
	flags, err := g.instrument(ctx)
	if err != nil {
		return err
	}
	flags = append(flags, "-cover", "-coverpkg="+pkg.Path)
	if g.binary, err = g.build(ctx, harnessFile, text, flags...); err != nil {
		return err
	}
	g.engine = ""
	if err := r.writeHarness(pkg, h, text); err != nil {
		return err
	}
	begun := time.Now()
	if err = g.run(ctx); ctx.Err() != nil { // what has been found until now
		g.time = time.Second
		err = g.run(context.WithoutCancel(ctx))
	}
	g.took = time.Since(begun)
	if err == nil {
		err = g.choose(context.WithoutCancel(ctx))
	}
	if err == nil {
		err = g.write(context.WithoutCancel(ctx))
	}
	return cmp.Or(context.Cause(ctx), err)
}

// instrument returns flags with which the package tells what runs in it, and what it compares. If
// this Go installation does not allow that, only states of values tell sequences apart.
func (g *generation) instrument(ctx context.Context) (flags []string, err error) {
	all, err := instrument.FlagsForAll(g.flags.Values("gcflags"))
	if err != nil {
		return nil, session.UsageError{Msg: err.Error()}
	}
	o, err := (&session.Session{Env: g.env, Cache: g.cache}).CheckedOverlay(ctx)
	if err != nil {
		g.Warn(err.Error() + "\n")
		return nil, context.Cause(ctx)
	}
	g.engine = o.File
	return instrument.Flags(instrument.Default(g.pkg.Path), all), nil
}

// build builds a test binary of the package with a file that it may not have yet. The binary has
// the stubs, and the harness if the file calls it, but no other file that api has written before.
func (g *generation) build(ctx context.Context, with string, text []byte, flags ...string) (
	*gotest.Binary, error,
) {
	overlay := map[string]string{}
	maps.Copy(overlay, g.replaced)
	maps.Copy(overlay, g.changed)
	files := map[string][]byte{
		harnessFile: nil, stubFile: g.harness.Stubs, errorFile: nil, regressionFile: nil,
	}
	if g.needsHarness(text) {
		files[harnessFile] = g.text
	}
	files[with] = text
	if with == regressionFile {
		files[elsewhereFile] = Elsewhere(text)
	}
	if g.lent != "" && files[harnessFile] != nil {
		files[harnessFile] = modern(files[harnessFile])
	}
	for file, is := range files {
		path := filepath.Join(g.pkg.Dir, file)
		if is != nil {
			overlay[path] = filepath.Join(g.tmp, file)
			if err := os.WriteFile(overlay[path], is, 0o666); err != nil {
				return nil, err
			}
		} else if _, err := os.Stat(path); err == nil {
			overlay[path] = ""
		}
	}
	path := filepath.Join(g.tmp, with+".json")
	if err := gotest.WriteOverlay(path, g.engine, overlay); err != nil {
		return nil, err
	}
	all := slices.Concat(g.flags.BuildFlags(session.LinkTag), g.flags.LinkFlags(),
		[]string{"-vet=off", "-overlay=" + path}, flags)
	name := with + ".test" + g.env.GOEXE
	if g.changed != nil {
		name = "changed_" + name // the other one is still needed
	}
	pkg := gotest.Package{Path: g.pkg.Path}
	forAll, err := instrument.FlagsForAll(g.flags.Values("gcflags"))
	if err != nil {
		return nil, session.UsageError{Msg: err.Error()}
	}
	b, warnings, err := instrument.Build(ctx, g.env, pkg, filepath.Join(g.tmp, name), all, forAll)
	if broken := (*gotest.BuildError)(nil); errors.As(err, &broken) {
		return nil, fmt.Errorf("the tests of %s do not compile:\n%w", g.pkg.Path, err)
	} else if err != nil {
		return nil, err
	}
	g.Warn(warnings)
	return b, nil
}

// needsHarness reports whether tests use what the file of the harness declares.
func (g *generation) needsHarness(tests []byte) bool {
	for name := range g.harness.Own {
		if regexp.MustCompile(`\b` + name + `\(`).Match(tests) {
			return true
		}
	}
	return regexp.MustCompile(`(?m)^\s*` + g.harness.Calls + `\.Run\(t, `).Match(tests)
}

// run runs the test binary until the time is over. If a sequence ends the process, another one
// resumes with what has been kept.
func (g *generation) run(ctx context.Context) error {
	begun, used := time.Now(), g.cpu
	left := func() time.Duration {
		took := time.Since(begun)
		if g.order.Mistakes != nil { // as in the process: CPU time, or a quarter of the clock
			took = max(g.cpu-used, took/4)
		}
		return max(g.time-took, 1)
	}
	if g.order == nil {
		g.order = &job.API{
			Seed: g.seed, Sequences: g.n, Length: g.length, Tests: 2 * g.tests,
			Patience: min(max(g.time/60, time.Second), apiPatience), Harness: g.harness.Calls,
		}
	}
	g.late = 0
	for {
		g.order.Time = left()
		if g.died >= maxDeathsOfAPI {
			g.order.Time = 1 // the suite of what has been kept
		}
		g.Status("%s: making sequences for %v", g.pkg.Path, left().Round(time.Second))
		suite, died, err := g.carryOut(ctx, g.order)
		if err != nil {
			return err
		}
		if g.suite = suite; suite == nil && g.order.Mistakes != nil {
			g.remember(job.ReadTold(g.order.Kept))
		}
		if suite != nil {
			if g.order.Mistakes == nil {
				g.Warn(g.outlook(time.Since(begun)))
			}
			return nil
		}
		if died == nil { // the memory was full
			continue
		}
		if g.avoid(died); g.late >= maxLate {
			g.suite = &job.Suite{Stats: g.order.Stats}
			if g.order.Mistakes != nil {
				return nil
			}
			g.Warn(fmt.Sprintf("%s: no tests but of what ends the process: %d sequences have, also when "+
				"those that were kept ran again: mend that first, or leave it out by -skip: %s: %s\n",
				g.pkg.Path, g.died, died.Op, died.Message))
			return nil
		}
	}
}

// remember adds to the order what a process has told of mistakes before it died.
func (g *generation) remember(told []job.Told) {
	m := g.order.Mistakes
	for _, t := range told {
		if !t.Tried {
			continue
		}
		i := slices.IndexFunc(m.Known, func(old job.Told) bool { return old.Mistake == t.Mistake })
		switch {
		case i < 0:
			m.Known = append(m.Known, t)
		case len(t.Entry) > 0 || len(m.Known[i].Entry) == 0:
			m.Known[i] = t
		}
	}
}

// avoid changes the order so that the next process does not die as the last one did.
func (g *generation) avoid(died *death) {
	if m := died.told.Mistake; m > 0 {
		g.order.Mistakes.Skip = append(g.order.Mistakes.Skip, m)
		g.died++
		return
	}
	order, alike := g.order, g.bury(died)
	n := alike.Found
	if order.Mistakes != nil && (died.exits() || n >= maxAlike) { // no test should have such a call
		order.Never = append(order.Never, died.Op)
	}
	slow := died.endless() && time.Duration(n)*order.Patience > g.time/maxLost
	if slow || n >= maxAlike || died.announced() {
		// If a goroutine panics that another call has started, the last call does not matter.
		if died.started() == "" || !alike.differs {
			order.Without = append(append(order.Without, died.Op), g.variants(died.Op)...)
		}
		order.Never = append(order.Never, g.culprits(alike)...)
	}
	order.Skip = append(order.Skip, died.told.Entry)
	if order.Time == 1 {
		g.late++
	}
	if died.overran {
		g.late += maxLate / 2
	}
	if g.late > maxLate/4 { // do without what comes after
		order.Restore, order.Stats = order.Kept, died.told.Stats
	}
}

// outlook says what follows once the time is over, or "" after a short time.
func (g *generation) outlook(took time.Duration) string {
	if took < g.time || took < 10*time.Second {
		return ""
	}
	what := "choosing and running the tests"
	if n := len(g.deaths); n > 0 {
		what = fmt.Sprintf("minimizing %s of sequences that end the process, ",
			session.Count(n, "kind", "kinds")) + what
	}
	return fmt.Sprintf("%s: %v are over. What follows may take as long: %s\n",
		g.pkg.Path, g.time, what)
}

// carryOut starts one process with an order. It returns the suite, or how the process has died, or
// neither if another one must resume.
func (g *generation) carryOut(ctx context.Context, api *job.API) (*job.Suite, *death, error) {
	suite, output, exit, err := g.process(ctx, api)
	before, state := job.ReadTold(api.Before), (*exec.ExitError)(nil)
	full := errors.As(exit, &state) && state.ExitCode() == job.ExitFull
	kept := func() bool { return len(job.ReadTold(api.Kept)) >= len(job.ReadTold(api.Restore)) }
	if suite == nil && len(before) > 0 && (full || kept()) {
		api.Restore, api.Stats = api.Kept, before[0].Stats
	}
	if suite != nil || full || err != nil {
		return suite, nil, err
	}
	if len(before) == 0 { // the process has not begun
		return nil, nil, fmt.Errorf("%s: %s does not generate tests:\n%s",
			g.pkg.Path, g.harness.Test, strings.TrimRight(output, "\n"))
	}
	return nil, newDeath(g.pkg.Path, before[0], output, exit), nil
}

// coverageLine is printed by a test binary that measures coverage. What testing.Coverage returns
// is another figure.
var coverageLine = regexp.MustCompile(`(?m)^coverage: ([0-9.]+)% of statements`)

// overtime is how long a process may take beyond the time of its order: to make the tests.
const overtime = 3 * time.Minute

// errOvertime says that a process has taken longer, and was killed. What ran then is taken for what
// hangs.
var errOvertime = fmt.Errorf("the process has not ended %v after its time", overtime)

// process starts a process with an order. The suite is nil if the process does not get so far.
func (g *generation) process(ctx context.Context, api *job.API) (
	suite *job.Suite, output string, exit, err error,
) {
	dir, err := rundir.Sub(g.tmp, "run")
	if err != nil {
		return nil, "", nil, err
	}
	api.Before, api.Kept = filepath.Join(dir, "before"), filepath.Join(dir, "kept")
	api.Suite = filepath.Join(dir, "suite")
	api.Confined = confine.Check() == nil
	path := filepath.Join(dir, "order")
	order := job.Order{Target: g.harness.Test, API: api}
	if err := order.Write(path); err != nil {
		return nil, "", nil, err
	}
	most := api.Time + overtime
	if m := api.Mistakes; m != nil { // CPU time counts, or a quarter of the clock
		most = 4*(api.Time+2*m.Closing) + overtime
	}
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var flags []string
	if g.replaced == nil && g.changed == nil {
		flags = []string{"-test.gocoverdir=" + dir} // else a killed process leaves a directory
	}
	env := []string{job.Env + "=" + path}
	output, exit = g.start(limited, g.binary, dir, g.harness.Test, env, flags...)
	switch {
	case ctx.Err() != nil:
		return nil, "", nil, context.Cause(ctx)
	case limited.Err() != nil:
		exit = errOvertime
	}
	if m := coverageLine.FindStringSubmatch(output); m != nil && api.Entry == nil {
		g.covered, _ = strconv.ParseFloat(m[1], 64) // as the testing package prints it
	}
	suite, err = job.ReadSuite(api.Suite)
	return suite, output, exit, err
}

// start runs tests of a binary whose names match, in a directory of their own: what is tested may
// write files. If the system can confine it, it changes only files there, and below one more
// directory, unless that is "".
func (g *generation) start(
	ctx context.Context, b *gotest.Binary, more, pattern string, vars []string, flags ...string,
) (output string, err error) {
	root, dir, err := g.workDir()
	defer os.RemoveAll(root)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	in := *b
	in.Package.Dir = dir
	dirs := []string{root}
	if more != "" {
		dirs = append(dirs, more)
	}
	args := []string{"-test.run=^(" + pattern + ")$", "-test.timeout=0"}
	exit := in.Run(gotest.Process{
		Args:   slices.Concat(args, g.flags.Test, flags),
		Vars:   append(vars, "TMPDIR="+filepath.Join(root, tempDir)),
		Output: &out, Dirs: dirs, Interrupt: ctx, Kill: ctx,
	})
	g.cpu += exit.CPU
	return out.String(), exit.Err
}

// A directory gets up to maxCopied bytes of files. A file counts as minCopied at least, for the
// time that it takes.
const (
	maxCopied = 16 << 20
	minCopied = 32 << 10
)

// tempDir is the directory for temporary files in the folder of a process.
const tempDir = "tmp"

// workDir makes a folder with a copy of the directory of the package, as far as tests may read it:
// TestMain may. What tests read of the module beside it is in the folder, too.
func (g *generation) workDir() (root, dir string, err error) {
	if root, err = os.MkdirTemp(g.tmp, "dir"); err != nil {
		return "", "", err
	}
	dir = filepath.Join(root, "dir")
	if in, err := filepath.Rel(g.pkg.ModuleDir, g.pkg.Dir); err == nil && g.pkg.ModuleDir != "" {
		dir = filepath.Join(dir, in)
	}
	left := int64(maxCopied)
	err = cmp.Or(os.Mkdir(filepath.Join(root, tempDir), 0o777), os.MkdirAll(dir, 0o777))
	for _, f := range g.pkg.Fixtures() {
		if size := max(f.Size, minCopied); size <= left && !f.IsCorpus() && err == nil {
			left -= size
			to := filepath.Join(dir, f.Path)
			if text, unread := os.ReadFile(filepath.Join(g.pkg.Dir, f.Path)); unread == nil {
				err = cmp.Or(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, text, 0o666))
			}
		}
	}
	return root, dir, err
}
