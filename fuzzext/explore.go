package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/classes"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/explore"
)

// An exploration is the fuzz function of a target in a worker process whose engine is that
// of corpusgen fuzz: it makes the target the subject of an [explore.Explorer].
type exploration struct {
	spec     *spec
	home     home
	explorer *explore.Explorer
	link     *engine.Link
	memory   choices.Tree // for the choices of values

	trial   *trial // the one that runs
	known   *classes.Known
	minimal *classes.Minimal // of the last run that failed in a new way
}

func newExploration(link *engine.Link, x *spec, h home) *exploration {
	e := &exploration{spec: x, home: h, link: link}
	e.explorer = explore.New(link, x.gen, e)
	if link.Driver != nil {
		link.Driver.Mutate = e.mutate
	}
	return e
}

func (e *exploration) exploreInput(t *testing.T, b []byte) { e.execute(t, b) }

func (e *exploration) execute(t testing.TB, b []byte) {
	e.beginTrial(t)
	defer e.trial.end()
	e.explorer.Execute(b)
}

// beginTrial begins the trial of an execution.
func (e *exploration) beginTrial(t testing.TB) {
	e.trial = newTrial(e.spec, e.home, t)
	e.trial.probe = &probe{
		begin:   e.explorer.Begin,
		score:   e.explorer.Score,
		finish:  e.explorer.Finish,
		crashed: e.offerCrash,
		offer:   e.link.Offer,
		tell:    explore.Tell,
	}
}

// offerCrash is called when the generator has panicked.
func (e *exploration) offerCrash() {
	if !e.explorer.OfferPanic() {
		fmt.Fprintln(e.trial.tb.Output(),
			"no input is known that makes it panic again: what is saved is another one")
	}
}

// resultOf returns what became of a run, which is nil if it has not returned.
func (e *exploration) resultOf(t *T) explore.Outcome {
	o := explore.Outcome{Tree: e.trial.tree}
	switch {
	case t == nil:
		o.Result = explore.Hung
		return o
	case t.Failed():
		o.Result, o.Known = explore.Failed, e.isKnown(t)
		return o
	case t.invalid:
		o.Result = explore.Invalid
	}
	e.trial.recycle(t)
	return o
}

// isKnown reports whether nothing is new about a failed run on the value of the trial's tree, and
// counts it. Otherwise e.minimal is a new variant.
func (e *exploration) isKnown(t *T) bool {
	j, all := &judge{trial: e.trial}, e.link.KnownClasses()
	if e.known == nil {
		e.known = &classes.Known{Host: j}
		var names []string
		for name := range all {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			e.known.Learn(name, all[name].Data)
		}
	}
	e.known.Host = j
	tree := slices.Clone(e.trial.tree)
	run := j.runOf(t, tree)
	if t.testFailed { // the process is of no more use
		e.minimal = &classes.Minimal{Tree: tree, Run: run, Of: minimized{tree: tree, run: t}}
		return false
	}
	class, m := e.known.Classify(tree, run)
	if m != nil {
		e.minimal = m
		return false
	}
	if class != nil {
		for _, v := range class.Variants {
			if all[v.Name] != nil {
				all[v.Name].Times++
				break
			}
		}
	}
	return true
}

func (e *exploration) Decode(b []byte) choices.Source { return e.spec.decode(b) }

func (e *exploration) Make(r *rand.Rand) choices.Source { return e.spec.randomSource(r) }

func (e *exploration) Each(source func(i int) choices.Source, after func(explore.Outcome) bool) {
	e.trial.eachReported(e.spec.makerOf(&e.memory, source), func(_ int, t *T) bool {
		if t == nil {
			return after(explore.Outcome{Result: explore.Rejected})
		}
		return after(e.resultOf(t))
	})
}

func (e *exploration) Run(v any, tree choices.Tree) explore.Outcome {
	e.trial.tree = tree
	return e.resultOf(e.trial.run(v, e.trial.hangAt, reducing))
}

func (e *exploration) Stopped() bool { return e.trial.stop.Load() }

func (e *exploration) Report(o explore.Outcome) {
	if o.Result == explore.Hung {
		e.trial.tree = o.Tree
		e.trial.reportHang(e.trial.hangingRun())
	} else {
		f := e.trial.failureOf(len(o.Tree), e.minimal.Of.(minimized))
		v := e.known.Add(e.minimal, f.note != "")
		f.class, f.variant, f.data = v.Class.Key, v.Name, v.Data()
		e.trial.report(f)
	}
}

// hangingRun returns the ending of a run that an explorer has found not to return.
func (tr *trial) hangingRun() ending {
	e := ending{hangs: true}
	_, e.after, e.cpu = tr.stuck()
	e.run = tr.now.Load()
	e.stack = stack.Of(nil, stack.InRun, stack.InRun)
	return e
}

// mutate returns another input of an engine that makes one after the other; see [engine.Driver].
func (e *exploration) mutate(b []byte, max int) (out []byte) {
	e.apart(func() { out = e.explorer.Mutate(b, max) })
	return out
}

// apart calls a function that runs values outside of the executions that the engine knows of.
func (e *exploration) apart(run func()) {
	e.link.Driver.Exploring(true)
	t := detached(e.spec.target().name)
	e.beginTrial(t)
	run()
	e.trial.end()
	// a run hangs, or fails after its end, or the generator panics
	if text, failed := t.take(); failed {
		fmt.Fprint(os.Stderr, text)
		panic("fuzzext: the input fails: see above")
	}
	e.link.Driver.Exploring(false)
}
