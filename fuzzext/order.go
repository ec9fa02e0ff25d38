package fuzzext

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

// An ordered is an order of corpusgen that this process carries out on a target.
type ordered struct {
	*spec
	order *job.Order
	home  home        // of failures
	added [][]byte    // the seeds of the target that code adds
	out   *job.Writer // for the answer
}

// takeOrder carries out the order of corpusgen for the target, which has some seeds. It
// reports false if this process has no such order.
func takeOrder(x *spec, seeds [][]byte) (taken bool) {
	o := currentOrder()
	if o == nil || x.target.name != o.Target {
		return false
	}
	w := &ordered{spec: x, order: o, home: orderHome(x.target, x.call), added: seeds}
	w.answer()
	return true
}

// takeCheckOrder carries out the order of corpusgen for a test that calls Check. It reports
// false if this process has no order at all.
func takeCheckOrder(t testing.TB, x *spec) (taken bool) {
	o := currentOrder()
	if o == nil {
		return false
	}
	if o.Target != safePath(t.Name()) {
		return true // another test is to answer
	}
	w := &ordered{spec: x, order: o, home: checkOrderHome(x.target, x.call, t.Name())}
	for _, tree := range x.exampleTrees(t) {
		w.added = append(w.added, choices.Encode(tree))
	}
	w.answer()
	t.Skip("corpusgen runs this test only for its generator")
	return true
}

func currentOrder() *job.Order {
	o, err := job.Current()
	if err != nil {
		panic(fmt.Sprintf("fuzzext: %v", err))
	}
	return o
}

func (w *ordered) answer() {
	out, err := w.order.Reply()
	if err == nil {
		w.out = out
		err = out.End(w.carryOut())
	}
	if err != nil {
		panic(fmt.Sprintf("fuzzext: answering corpusgen: %v", err))
	}
}

func (w *ordered) carryOut() job.End {
	switch o := w.order; {
	case o.Make != nil:
		return w.makeEntries(o.Make)
	case o.Mutate != nil:
		return w.mutate(o.Mutate)
	case o.Read != nil:
		return w.read(o.Read)
	case o.Import != nil:
		return w.importValues(o.Import)
	case o.Tune != nil:
		return w.tune(o.Tune)
	}
	return job.End{Error: "corpusgen asks for what this version of fuzzext does not know: use the corpusgen of the same version"}
}

// An input is bytes that stand for a value of the target, unless err says why there are none.
type input struct {
	name string // of the file, or of what Add has added
	data []byte
	err  error
}

// inputs returns the entries in files, after those that code adds.
func (w *ordered) inputs(files []string, added bool) (all []input) {
	if added {
		for i, b := range w.added {
			all = append(all, input{name: fmt.Sprintf("seed#%d", i), data: b})
		}
	}
	for _, path := range files {
		in := input{name: path}
		var file []byte
		if file, in.err = corpus.ReadFile(inPackage(path)); in.err == nil {
			in.data, in.err = corpus.Unmarshal(file)
		}
		if in.err == nil && w.translate != nil {
			in.data, in.err = w.translate(w.target.name, in.data)
		}
		all = append(all, in)
	}
	return all
}

// value makes the value of a source. It returns, too, the choices and the bytes that stand
// for the value, and a key that equal values share. A generator that panics is an error.
func (w *ordered) value(src choices.Source) (v any, t choices.Tree, data []byte, key string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the generator panics: %v", r)
		}
	}()
	if v, t, err = bigen.Run(w.gen, src); err != nil {
		return v, t, nil, "", err
	}
	if back, err := bigen.Choices(w.gen, v); err == nil {
		t = back
	}
	data, key = entry(w.gen, v, t)
	return v, t, data, key, nil
}

// judge runs the property on a value. It returns nil if the run has not returned in time.
func (w *ordered) judge(s *trial, e job.Entry, soFar job.End, v any) *T {
	w.out.Begin(e, soFar)
	return w.run(s, v, time.Now().Add(runLimit), reducing)
}

// statusOf says what a run of the property tells about its value.
func statusOf(t *T) job.Status {
	switch {
	case t.Failed():
		return job.Failing
	case t.Skipped():
		return job.Invalid
	}
	return job.Valid
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
