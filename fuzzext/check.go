package fuzzext

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/tally"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
)

// Check runs a property on many values of g in an ordinary test, without Go's fuzzer:
//
//	func TestInsert(t *testing.T) {
//		fuzzext.Check(t, genBST, func(t *fuzzext.T, tree *Tree) {
//			if !tree.Insert(3).Find(3) {
//				t.Error("3 is lost")
//			}
//		})
//	}
//
// It runs prop on the values that failed before, then on the [Examples], then on 1000 valid
// random values, each once, and on up to 1000 more until 50 ms of CPU time have passed. After a
// second, 100 are enough, and after five, 10. With -short, a tenth of these is enough. Check ends
// early if there seem to be no other values.
// [Checks] changes their number, [Seed] selects them. If prop ([T.Assume]) or g rejects most values
// of some size, a guide learns which choices lead to valid ones. If fewer than 1 in 20 and fewer
// than 100 are valid, Check fails.
//
// Check minimizes and reports a failure as [Valid] does. It saves the value in
// testdata/fuzzext, in a directory with the name of the test. You may commit such files, and
// you may remove them. Each is a subtest: go test -run TestInsert/FILE, as the report prints it,
// runs prop on the value of a file alone and once, as a debugger needs it. The report also names
// the -fuzzext.seed that makes the same values again.
//
// With the flag -fuzzext.keepgoing, Check continues after a failure and reports each class of
// failures once, with up to five minimal values ([T.Class]). It abandons up to 3 runs that do not return. It runs prop on 5000
// values, or on as few as 100 once a minute has passed.
//
// Go test caches that a test has passed, and then tries no new value: it prints (cached). Run it
// with -count=1, or change the environment variable FUZZEXT_SEED. Any text in it seeds the Checks
// for which neither a flag nor an option does.
//
// prop must use the T that it receives, should be deterministic, and must not keep state from one
// value to the next. If a value does not fail each time, repeated runs judge it, and its file,
// whose name ends in -flaky, runs up to 30 times, until it fails. Call Check once in a test or
// subtest, which may be parallel.
func Check[V any](t *testing.T, g bigen.Gen[V], prop func(t *T, v V), opts ...Option) {
	if conclude := runCheck(t, newSpec("Check", 1, subjectOf(g, prop), opts)); conclude != nil {
		t.Helper() // which costs as much as a value
		conclude()
	}
}

// runCheck is Check without type parameters. It returns a function that says what the runs have
// shown, and may fail the test, or nil if there is nothing to say.
func runCheck(t testing.TB, x *spec) (conclude func()) {
	if err := x.loadPrior(); err != nil {
		return fatal(t, err)
	}
	if exploreCheck(t, x) || orders.ofCheck(t, x) {
		return nil
	}
	if !checking.begin(t) {
		return fatal(t,
			fmt.Errorf("fuzzext.Check: %s calls Check a second time, and both would save their "+
				"failures under its name: call each in a subtest of its own, by t.Run", t.Name()))
	}
	var c *check
	end := func() {
		if checking.end(); c != nil {
			c.end()
		}
	}
	defer func() {
		if conclude == nil {
			end()
		}
	}()
	examples, err := x.exampleTrees()
	if err = cmp.Or(err, errBubble(t)); err != nil {
		end()
		return fatal(t, err)
	}

	c = newCheck(t, x, examples, newTrial(x, home{}, t))
	c.runValues()
	if !c.alone && c.ended && c.FewSchedules() {
		job.TellFew(job.Few{Package: x.target().importPath(), Test: t.Name(), Made: c.Valid, Most: c.Most})
	}
	if c.silent() {
		return nil
	}
	return func() {
		t.Helper()
		defer end()
		c.concludeCheck()
	}
}

// end ends the Check. A run that has been abandoned may use its memory later.
func (c *check) end() {
	if c.trial.end(); c.trial.left.Load() == 0 && c.trial.abandoned.Load() == nil {
		c.trial.tree = nil
		c.values.End()
	}
}

// fatal returns a function that fails the test with an error.
func fatal(t testing.TB, err error) func() {
	return func() {
		t.Helper()
		t.Fatal(err)
	}
}

// newCheck returns a Check of a test whose values and examples run in a trial.
func newCheck(t testing.TB, x *spec, examples []choices.Tree, tr *trial) *check {
	c := &check{
		t:        t,
		spec:     x,
		dir:      checkDir(t.Name()),
		shares:   tally.NewShares(x.required),
		counting: testing.Verbose() || flags.print,
	}
	var err error
	if c.saved, err = readSaved(c.dir); err != nil {
		c.unread = fmt.Errorf("fuzzext.Check: a saved failure cannot be read, restore or remove "+
			"the file: %w", err)
	}
	if c.counting || flags.keep || len(c.saved) > 0 {
		x.calls() // which other goroutines are going to ask for
	}
	seed := cmp.Or(flags.seed, x.options.seed, tally.SeedOfEnvironment())
	for seed == 0 {
		seed = rand.Uint64()
	}
	limits := tally.LimitsOf(flags.checks, cmp.Or(x.checks, job.BriefChecks()), flags.keep,
		flags.seed != 0)
	c.Tally = tally.New(limits, seed, len(c.saved), len(examples))
	c.NeverCalled = x.neverCalled
	c.ofSchedules()
	c.trial = tr
	tr.home, tr.seed = checkHome(x.target, x.call, c.dir, c.Tally), seed
	c.limit()
	source := streamOf(x, seed, t.Name(), c.saved, examples)
	if flags.keep {
		tr.leaveRunsBehind(flags.time)
		c.classes = newCollector(tr)
	}
	c.values = values.NewStream(source)
	return c
}

// streamOf returns what the values of a Check are made of.
func streamOf(
	x *spec, seed uint64, test string, saved []corpus.Entry, examples []choices.Tree,
) values.Plan {
	return values.Plan{
		Subject: x.subjectOfGuide(),
		Seed:    seed, Stream: hash.FNV64(test),
		Saved: len(saved), Examples: len(examples),
		Given: func(i int) choices.Source {
			if i < len(saved) {
				return x.decode(saved[i].Data)
			}
			return choices.Replay(examples[i-len(saved)], nil)
		},
		Two:    x.modelFile != "" || x.schedules && x.prior != nil,
		Guides: flags.policy != "" || x.policy != nil,
	}
}

// runValues runs the property on the saved values, and on others unless -run selects only saved
// ones or one has failed.
func (c *check) runValues() {
	c.runSaved()
	if c.alone || c.missing != nil || !c.ended || len(c.failed) > 0 || c.trial.stop.Load() ||
		c.spec.fault != "" {
		return
	}
	c.ended = c.trial.eachReported(c.values.Make, c.noteRun)
}
