package fuzzext

import (
	"fmt"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/literal"
)

// linked are orders that a function carries out.
type linked func(*job.Order, *ordered) error

func (carryOut linked) ofTarget(x *spec, seeds [][]byte) bool {
	o := currentOrder()
	if o == nil || x.target().name != o.Target {
		return false
	}
	carryOut.answer(o, &ordered{spec: x, home: orderHome(x.target, x.call), added: seeds})
	return true
}

func (carryOut linked) ofCheck(t testing.TB, x *spec) bool {
	o := currentOrder()
	if o == nil {
		return false
	}
	if o.Target != corpus.SafePath(t.Name()) { // another test answers
		if top, _, _ := strings.Cut(t.Name(), "/"); !strings.HasPrefix(o.Target+"/",
			corpus.SafePath(top)+"/") {
			t.Skip("corpusgen runs another test")
		}
		t.Log("fuzzext.Check: nothing is checked: corpusgen runs another test")
		return true
	}
	w := &ordered{spec: x, home: checkOrderHome(x.target, x.call, t.Name())}
	trees, err := x.exampleTrees()
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range trees {
		w.added = append(w.added, choices.Encode(tree))
	}
	carryOut.answer(o, w)
	t.Skip("corpusgen runs this test only for its generator")
	return true
}

func (carryOut linked) answer(o *job.Order, w *ordered) {
	defer w.endRuns()
	must(carryOut(o, w))
}

// ofModel hands an order of corpusgen api to the model of a test.
func (linked) ofModel(tb testing.TB, model any) bool {
	tb.Helper()
	o := currentOrder()
	if _, ok := tb.(*testing.T); !ok || o == nil || o.API == nil {
		return false
	}
	if o.Target == tb.Name() {
		must(job.CarryOutAPI(model, o.API, engineLink))
	}
	tb.Skip("corpusgen runs this test only for its sequences")
	return true
}

func (linked) tunes() bool {
	o := currentOrder()
	return o != nil && o.Tune != nil
}

func must(err error) {
	if err != nil {
		panic(fmt.Sprint(job.NoAnswer, err))
	}
}

func currentOrder() *job.Order {
	o, err := job.Current()
	if err != nil {
		panic(fmt.Sprintf("fuzzext: %v", err))
	}
	return o
}

// An ordered is the [order.Host] of an order.
type ordered struct {
	spec  *spec
	home  home     // of failures
	added [][]byte // seeds of the target, by code

	tb    *detachedTB // of runs
	trial *trial      // of runs; nil without any
	last  *T          // the last run; nil if it has not returned
	saved engine.Failure
}

func (w *ordered) Decode(b []byte) choices.Source { return w.spec.decode(b) }

func (w *ordered) Translate(b []byte) ([]byte, error) {
	if w.spec.translate == nil {
		return b, nil
	}
	return w.spec.translate(w.spec.target().name, b)
}

// Seeding implements order.Host.
func (w *ordered) Seeding(
	seed, stream uint64, blind bool,
) (c *values.Seeding, finish func() string) {
	c, end := w.spec.seeding(seed, stream)
	if blind {
		c.Judge = nil
	}
	return c, func() string {
		end()
		return w.spec.fault
	}
}

// Judge implements order.Host.
func (w *ordered) Judge(v any, t choices.Tree) job.Verdict {
	if w.trial == nil {
		w.beginRuns()
	}
	if w.last != nil {
		w.trial.recycle(w.last)
	}
	w.trial.tree = t
	if w.last = w.trial.run(v, w.spec.judgeUntil(), reducing); w.last == nil {
		return job.Verdict{
			Status: job.Hanging,
			Why:    fmt.Sprintf("the property has not returned after %v", w.spec.judgeLimit()),
		}
	}
	x := job.Verdict{Status: job.Valid, Labels: w.last.labels()}
	switch {
	case w.last.Failed():
		a := w.last.account()
		x.Status, x.Why, x.Place = job.Failing, a.message(), a.where
	case w.last.Skipped():
		x.Status = job.Invalid
	}
	return x
}

// Late implements order.Host.
func (w *ordered) Late() string {
	if w.trial == nil {
		return ""
	}
	if late := w.trial.late(); len(late) > 0 {
		return text.AfterRun(late)
	}
	return ""
}

// Minimize implements order.Host.
func (w *ordered) Minimize() (report, value, file string) {
	if w.last != nil {
		w.trial.reportFailure(w.trial.tree, w.last)
	} else {
		w.trial.report(failure{
			account: account{
				log:   fmt.Sprintf("the property has not returned after %v\n", w.spec.judgeLimit()),
				where: "hang",
			},
			index: reducing,
			what:  "value on which it does not return, not minimized",
			tree:  w.trial.tree,
			hangs: true,
		})
	}
	report, _ = w.tb.take()
	return report, w.saved.Value, w.saved.File
}

// beginRuns begins the trial of the runs.
func (w *ordered) beginRuns() {
	w.tb = detached(w.spec.target().name)
	w.trial = newTrial(w.spec, w.home, w.tb)
	w.trial.probe = &probe{
		begin:   func(choices.Tree) {},
		finish:  func() {},
		crashed: func() {},
		offer:   func([]byte) {},
		tell:    func(f engine.Failure) { w.saved = f },
	}
}

func (w *ordered) endRuns() {
	if w.trial != nil {
		w.trial.end()
	}
}

func (w *ordered) Code(v any, data []byte) *job.Code {
	text, all := literal.Within(1<<20, v, w.spec.target().pkg)
	written := w.spec.write(v, text, all, data)
	c := w.spec.call().Read(packageDir)
	_, seed := w.home.snippet(written)
	code := &job.Code{Seed: seed, File: c.File, Line: c.Line}
	check := ""
	switch model, ok := strings.CutSuffix(c.Gen, ".Gen()"); {
	case ok && c.Function == stack.Sequence:
		check = "Sequence(t, " + model
	case c.Gen != "" && c.Prop != "":
		check = "Check(t, " + c.Gen + ", " + c.Prop
	}
	if written.exact && check != "" {
		name := "Test" + strings.TrimPrefix(strings.TrimPrefix(w.spec.target().name, "Fuzz"),
			"Test") + "_" + corpus.Name(data)[:8]
		code.Test = "func " + name + "(t *testing.T) {\n\t" +
			c.Qualifier + check + ", " + c.Qualifier + "Examples" + written.typeArgs + "(" +
			written.literal + "))\n}\n"
	}
	return code
}
