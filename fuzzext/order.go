package fuzzext

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/seeds"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/literal"
)

// orders has the functions that take orders of corpusgen. They are nil in a user's own test: only
// the tag espalier links them, and what carries out orders.
var orders struct {
	ofTarget func(x *spec, seeds [][]byte) (taken bool)
	ofCheck  func(t testing.TB, x *spec) (taken bool)
	ofModel  func(tb testing.TB, model any) (taken bool)
	forModel func() bool // whether the order is to make a model
}

// linkOrders makes tests take orders, and carry them out by a function.
func linkOrders(carryOut func(*job.Order, *ordered) error) {
	answer := func(o *job.Order, w *ordered) {
		defer w.end()
		if err := carryOut(o, w); err != nil {
			panic(fmt.Sprintf("fuzzext: answering corpusgen: %v", err))
		}
	}
	orders.ofTarget = func(x *spec, seeds [][]byte) bool {
		o := currentOrder()
		if o == nil || x.target.name != o.Target {
			return false
		}
		answer(o, &ordered{spec: x, home: orderHome(x.target, x.call), added: seeds})
		return true
	}
	orders.ofCheck = func(t testing.TB, x *spec) bool {
		o := currentOrder()
		if o == nil {
			return false
		}
		if o.Target != safePath(t.Name()) {
			return true // another test is to answer
		}
		w := &ordered{spec: x, home: checkOrderHome(x.target, x.call, t.Name())}
		for _, tree := range x.exampleTrees(t) {
			w.added = append(w.added, choices.Encode(tree))
		}
		answer(o, w)
		t.Skip("corpusgen runs this test only for its generator")
		return true
	}
	orders.ofModel = takeAPIOrder
	orders.forModel = func() bool {
		o := currentOrder()
		return o != nil && o.Tune != nil
	}
}

// takeOrder carries out the order of corpusgen for the target, which has some seeds. It
// reports false if this process has no such order.
func takeOrder(x *spec, seeds [][]byte) (taken bool) {
	return ordersLinked() && orders.ofTarget(x, seeds)
}

// takeCheckOrder carries out the order of corpusgen for a test that calls Check. It reports
// false if this process has no order at all.
func takeCheckOrder(t testing.TB, x *spec) (taken bool) {
	return ordersLinked() && orders.ofCheck(t, x)
}

// takeModelOrder hands an order of corpusgen api to the model of a test. It reports false if this
// process has no such order.
func takeModelOrder(tb testing.TB, model any) (taken bool) {
	return ordersLinked() && orders.ofModel(tb, model)
}

// ordersLinked reports whether this process can carry out orders. It panics if it has got one all
// the same.
func ordersLinked() bool {
	linked := orders.ofTarget != nil
	if !linked && os.Getenv(job.Env) != "" {
		panic("fuzzext: this test binary lacks what answers corpusgen: use the corpusgen of the same version, which builds it with the tag espalier")
	}
	return linked
}

func currentOrder() *job.Order {
	o, err := job.Current()
	if err != nil {
		panic(fmt.Sprintf("fuzzext: %v", err))
	}
	return o
}

// An ordered is the order.Target of an order.
type ordered struct {
	*spec
	home  home     // of failures
	added [][]byte // seeds of the target, by code

	tb    *reporting // of runs, and
	s     *trial     // their trial; nil without runs
	last  *T         // the last run; nil if it has not returned
	saved engine.Failure
}

func (w *ordered) Name() (pkg, name string)       { return w.target.pkg, w.target.name }
func (w *ordered) Gen() bigen.Gen[any]            { return w.gen }
func (w *ordered) Type() reflect.Type             { return w.typ }
func (w *ordered) Added() [][]byte                { return w.added }
func (w *ordered) InPackage(path string) string   { return inPackage(path) }
func (w *ordered) Decode(b []byte) choices.Source { return w.decode(b) }
func (w *ordered) Translate(b []byte) ([]byte, error) {
	if w.translate == nil {
		return b, nil
	}
	return w.translate(w.target.name, b)
}

// Seeding implements order.Target.
func (w *ordered) Seeding(seed, stream uint64, blind bool) (c *seeds.Seeding, finish func() string) {
	c, end := w.seeding(seed, stream)
	if blind {
		c.Judge = nil
	}
	return c, func() string {
		end()
		return w.fault
	}
}

// Judge implements order.Target.
func (w *ordered) Judge(v any, t choices.Tree) job.Verdict {
	if w.s == nil {
		w.begin()
	}
	if w.last != nil {
		w.s.recycle(w.last)
	}
	w.s.tree = t
	if w.last = w.run(w.s, v, time.Now().Add(seeds.RunLimit), reducing); w.last == nil {
		return job.Verdict{Status: job.Hanging, Why: fmt.Sprintf("the property has not returned after %v", seeds.RunLimit)}
	}
	x := job.Verdict{Status: job.Valid, Labels: w.last.labels()}
	switch {
	case w.last.Failed():
		x.Status = job.Failing
		x.Why, x.Place = w.last.logged()
	case w.last.Skipped():
		x.Status = job.Invalid
	}
	return x
}

// Minimize implements order.Target.
func (w *ordered) Minimize() (report, value, file string) {
	r := reporter{spec: w.spec, home: w.home}
	if w.last != nil {
		r.fail(w.s, w.s.tree, w.last)
	} else {
		r.report(w.s, failure{
			index: reducing,
			log:   fmt.Sprintf("the property has not returned after %v\n", seeds.RunLimit),
			what:  "value on which it does not return, not minimized",
			tree:  w.s.tree,
			hangs: true,
			where: "hang",
		})
	}
	return w.tb.take(), w.saved.Value, w.saved.File
}

// begin begins the trial of the runs.
func (w *ordered) begin() {
	w.tb = &reporting{detached: detached{name: w.target.name}}
	w.s = newTrial(w.tb)
	w.s.probe = &probe{
		begin:   func(choices.Tree) {},
		finish:  func() {},
		crashed: func() {},
		offer:   func([]byte) {},
		tell:    func(f engine.Failure) { w.saved = f },
	}
}

func (w *ordered) end() {
	if w.s != nil {
		w.s.end()
		w.tb.remove()
	}
}

// Code implements [order.Target].
func (w *ordered) Code(v any, data []byte) *job.Code {
	text, all := literal.Within(1<<20, v, w.target.pkg)
	written := (&reporter{spec: w.spec}).write(v, text, all, data)
	c := w.call.read()
	_, seed := w.home.snippet(written)
	code := &job.Code{Seed: seed, File: c.file, Line: c.line}
	check := ""
	switch model, ok := strings.CutSuffix(c.gen, ".Gen()"); {
	case ok && c.function == sequence:
		check = "Sequence(t, " + model
	case c.gen != "" && c.prop != "":
		check = "Check(t, " + c.gen + ", " + c.prop
	}
	if written.exact && check != "" {
		name := "Test" + strings.TrimPrefix(strings.TrimPrefix(w.target.name, "Fuzz"), "Test") + "_" + corpus.Name(data)[:8]
		code.Test = "func " + name + "(t *testing.T) {\n\t" +
			c.qualifier + check + ", " + c.qualifier + "Examples" + written.typeArgs + "(" + written.literal + "))\n}\n"
	}
	return code
}

// reporting is the testing.TB of runs whose failures are reported to corpusgen.
type reporting struct {
	detached
	text bytes.Buffer
}

func (r *reporting) Output() io.Writer { return &r.text }

// take returns what has been reported since the last call.
func (r *reporting) take() string {
	defer r.text.Reset()
	return r.text.String()
}

// orderHome is the home of failures found on an order: that of failures found by fuzzing.
func orderHome(target target, call call) home {
	h := targetHome(target, call)
	h.dir = func(test string) string { return filepath.Join("testdata", "fuzz", test) }
	return h
}

// checkOrderHome is orderHome for a test that calls Check.
func checkOrderHome(target target, call call, test string) home {
	h := checkHome(target, call, checkDir(test), nil)
	h.rerun = func(_, _ string, hangs bool) string { return target.rerun(test, hangs) }
	h.repeat = nil
	return h
}
