package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/explore"
)

// An exploration is the fuzz function of a target in a worker process whose engine is that
// of corpusgen fuzz: it makes the target the subject of an [explore.Explorer].
//
// It has no type parameter: the compiler puts the code of generic functions into the
// user's package, where it would count as code under test.
type exploration struct {
	explorer *explore.Explorer
	link     *engine.Link
	subject  subject

	trial  *trial // the one that runs
	failed *T     // the last run that failed
}

// A subject is what an exploration needs of a fuzz target; [explored] is the only one.
type subject interface {
	decode(b []byte) choices.Source
	randomSource(r *rand.Rand) choices.Source
	eachOf(s *trial, source func(i int) choices.Source, after func(i int, t *T) (more bool))
	again(s *trial, tree choices.Tree) *T
	reduce(s *trial, tree choices.Tree, good func(*T) bool, runs int) choices.Tree
	fail(s *trial, tree choices.Tree, first *T) (path string)
	reportHang(s *trial, e ending)
	remake(source choices.Source) (t choices.Tree, ok bool)
	panics(b []byte) bool
	classOf(t *T, tree choices.Tree) string
	testName() string
}

func newExploration(link *engine.Link, x subject) *exploration {
	e := &exploration{link: link, subject: x}
	e.explorer = explore.New(link, e)
	if link.Driver != nil {
		link.Driver.Mutate = e.mutate
		link.Driver.Cross = e.cross
	}
	return e
}

func (e *exploration) fuzz(t *testing.T, b []byte) { e.execute(t, b) }

func (e *exploration) execute(t testing.TB, b []byte) {
	e.begin(t)
	defer e.trial.end()
	e.explorer.Execute(b)
}

// begin begins the trial of an execution.
func (e *exploration) begin(t testing.TB) {
	e.trial = newTrial(t)
	e.trial.probe = &probe{begin: e.explorer.Begin, score: e.explorer.Score, finish: e.explorer.Finish, crashed: e.crashed, offer: e.link.Offer, tell: explore.Tell}
}

// crashed is called when the generator has panicked.
func (e *exploration) crashed() {
	if !e.explorer.OfferPanic() {
		fmt.Fprintln(e.trial.tb.Output(), "no input is known that makes it panic again: what is saved is another one")
	}
}

// outcome returns what became of a run, which is nil if it has not returned.
func (e *exploration) outcome(t *T) explore.Outcome {
	o := explore.Outcome{Tree: e.trial.tree}
	switch {
	case t == nil:
		o.Result = explore.Hung
		return o
	case t.Failed():
		o.Result, o.Class = explore.Failed, e.subject.classOf(t, e.trial.tree)
		e.failed = t
		return o
	case t.invalid:
		o.Result = explore.Invalid
	}
	e.trial.recycle(t)
	return o
}

// Decode implements [explore.Subject].
func (e *exploration) Decode(b []byte) choices.Source { return e.subject.decode(b) }

// Make implements [explore.Subject].
func (e *exploration) Make(r *rand.Rand) choices.Source { return e.subject.randomSource(r) }

// Each implements [explore.Subject].
func (e *exploration) Each(source func(i int) choices.Source, after func(explore.Outcome) bool) {
	e.subject.eachOf(e.trial, source, func(_ int, t *T) bool {
		if t == nil {
			return after(explore.Outcome{Result: explore.Rejected})
		}
		return after(e.outcome(t))
	})
}

// Again implements [explore.Subject].
func (e *exploration) Again(tree choices.Tree) explore.Outcome {
	return e.outcome(e.subject.again(e.trial, tree))
}

// Reduce implements [explore.Subject].
func (e *exploration) Reduce(tree choices.Tree, good func(explore.Outcome) bool, runs int) choices.Tree {
	return e.subject.reduce(e.trial, tree, func(t *T) bool { return good(e.outcome(t)) }, runs)
}

// Stop implements [explore.Subject].
func (e *exploration) Stop() { e.trial.stop.Store(true) }

// Report implements [explore.Subject].
func (e *exploration) Report(o explore.Outcome) {
	if o.Result == explore.Hung {
		e.trial.tree = o.Tree
		e.subject.reportHang(e.trial, e.trial.hangs())
	} else {
		e.subject.fail(e.trial, o.Tree, e.failed)
	}
}

// Remake implements [explore.Subject].
func (e *exploration) Remake(source choices.Source) (choices.Tree, bool) {
	return e.subject.remake(source)
}

// Panics implements [explore.Subject].
func (e *exploration) Panics(b []byte) bool { return e.subject.panics(b) }

// hangs returns the ending of a run that an explorer has found not to return.
func (s *trial) hangs() ending {
	e := ending{hangs: true}
	_, e.after, e.cpu = s.stuck()
	e.run = s.now.Load()
	e.stack = stackOf(nil, "(*runner[...]).call(", "(*runner[...]).call(")
	return e
}
