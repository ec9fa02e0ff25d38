// Package order carries out the orders of corpusgen in a test binary. Only the tag espalier
// links it: a user's own tests need none of it.
package order

import (
	"fmt"
	"reflect"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/literal"
)

// A Target is a fuzz target, or a test that calls Check.
type Target struct {
	Pkg, Name string
	Gen       bigen.Gen[any]
	Type      reflect.Type // of the values
	Added     [][]byte     // the seeds that code adds
	Counters  []byte       // of the code that runs; none if it is not instrumented
	Host
}

// A Host is what package fuzzext does for an order.
type Host interface {
	// Seeding chooses seeds of the target; if it is blind, without runs of the property. The
	// function ends that, and says what is wrong with the generator, or returns "".
	Seeding(seed, stream uint64, blind bool) (c *values.Seeding, end func() (fault string))

	// Decode returns the source of the value that bytes stand for.
	Decode(b []byte) choices.Source

	// Translate returns the bytes that stand for the value of an entry of another library, and
	// all other bytes as they are.
	Translate(b []byte) ([]byte, error)

	// Code returns code that keeps a value, for which data stands.
	Code(v any, data []byte) *job.Code

	// Judge runs the property on the value of a tree.
	Judge(v any, t choices.Tree) job.Verdict

	// Late returns what goroutines of runs have reported after these had ended, or "".
	Late() string

	// Minimize minimizes the value of the last Judge, for which the property has failed or does
	// not return: that one is not minimized. It saves and reports the value.
	Minimize() (report, value, file string)
}

// CarryOut carries out an order on a target, and answers it. The error says why there is no
// answer.
func CarryOut(o *job.Order, t Target) error {
	out, err := o.Reply()
	if err != nil {
		return err
	}
	w := &worker{Target: t, order: o, out: out}
	return out.End(w.carryOut())
}

// A worker is the process that carries out an order.
type worker struct {
	Target
	order *job.Order
	out   *job.Writer // for the answer
}

func (w *worker) carryOut() job.End {
	switch o := w.order; {
	case o.Make != nil:
		return w.make(o.Make)
	case o.Mutate != nil:
		return w.mutate(o.Mutate)
	case o.Read != nil:
		return w.read(o.Read)
	case o.Tune != nil:
		return w.tune(o.Tune)
	}
	return job.End{Error: "corpusgen asks for what this version of fuzzext does not know: use " +
		"the corpusgen of the same version"}
}

// An input is bytes that stand for a value of the target, unless err says why there are none.
type input struct {
	name string // of the file, or of what Add has added
	data []byte
	err  error
}

// inputs returns the entries in files, after those that code adds.
func (w *worker) inputs(files []string, added bool) (all []input) {
	if added {
		for i, b := range w.Added {
			all = append(all, input{name: fmt.Sprintf("seed#%d", i), data: b})
		}
	}
	for _, path := range files {
		in := input{name: path}
		var file []byte
		if file, in.err = corpus.ReadFile(path); in.err == nil {
			in.data, in.err = corpus.Unmarshal(file)
		}
		if in.err == nil {
			in.data, in.err = w.Translate(in.data)
		}
		all = append(all, in)
	}
	return all
}

// value makes the value of a source. It returns, too, the choices and the bytes that stand
// for the value, and a key that equal values share. A generator that panics is an error.
func (w *worker) value(
	src choices.Source,
) (v any, t choices.Tree, data []byte, key string, err error) {
	defer recovered(&err)
	if v, t, err = bigen.Run(w.Gen, src); err != nil {
		return v, t, nil, "", err
	}
	if back, err := bigen.Choices(w.Gen, v); err == nil {
		t = back
	}
	data, key = values.Entry(w.Gen, v, t)
	return v, t, data, key, nil
}

// recovered makes a panic of the generator an error.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the generator panics: %v", r)
	}
}

// literal returns the literal of a value, of at most so many bytes.
func (w *worker) literal(most int, v any) string {
	text, _ := literal.Within(most, v, w.Pkg)
	return text
}

// maxValue is how many bytes the literal of a value has at most, where the user does not say.
const maxValue = 8 << 10
