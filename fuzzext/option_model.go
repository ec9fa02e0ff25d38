package fuzzext

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
)

// WithModel makes values by a model that corpusgen tune has made for the same generator: one of
// package tune, a [predict.Exact], or a [choices.Model] of examples. A relative path is relative to the directory of the package.
//
// In a fuzz target, the model answers the questions that an input leaves open, and it makes half
// of the values that are made from nothing. In a [Check] it makes two of three of these. The
// generator's own distribution answers what the model has no sampler for, and what a filter asks
// again. A file that cannot be read, that holds no model of this version, or one that answers none of
// the generator's questions, fails the test; in a fuzz target it panics. So does another WithModel, or
// a [WithPolicy], beside it: only one can answer.
//
// The inputs of [Add], those of corpusgen, and saved minimized failures leave no question
// open: they stand for the same values with any model and without one. An input that the
// engine itself saves may need the same model.
func WithModel(file string) Option {
	return func(o *options) {
		o.twoModels = o.modelFile != ""
		o.modelFile, o.newModel = file, newModel // so that only tests with this option link package tune
	}
}

// loadPrior reads the file of WithPolicy or WithModel, if one is an option. corpusgen tune does
// without a model that is missing, or of no use: it makes another.
func (x *spec) loadPrior() error {
	err := x.options.loadPrior()
	if err == nil && x.model != nil && !x.modelAnswers() {
		err = fmt.Errorf("fuzzext.WithModel: %s answers none of the generator's questions: it is of another generator, or tags have changed: make it again by corpusgen tune", x.modelFile)
	}
	if err != nil && x.modelFile != "" {
		if ordersLinked() && orders.forModel() {
			x.model, x.prior = nil, nil
			return nil
		}
	}
	return err
}

// modelAnswers reports whether the model has answered one of the questions of a few values. Of a
// model of examples, and of a generator that panics, it assumes so.
func (x *spec) modelAnswers() (ok bool) {
	defer func() {
		if recover() != nil {
			ok = true
		}
	}()
	prior := x.model.Prior()
	counter, counts := prior.(interface{ Answered() int })
	if !counts {
		return true
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		_, _, _ = bigen.Run(x.gen, choices.RandomBy(r, prior)) // a rejected one counts, too
		if counter.Answered() > 0 {
			return true
		}
	}
	return false
}

// loadPrior reads the file of WithPolicy or WithModel, if one is an option.
func (o *options) loadPrior() error {
	if o.twoModels {
		return errors.New("fuzzext.WithModel is given twice: only one model can make the values")
	}
	if o.policyFile != "" && o.modelFile != "" {
		return errors.New("fuzzext.WithModel and WithPolicy exclude each other: both would make the values")
	}
	if o.modelFile == "" {
		return o.loadPolicy()
	}
	err := o.loadModel(priorFile(o.modelFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: corpusgen tune writes such a file", err)
	} else if err != nil {
		err = fmt.Errorf("%w: corpusgen tune makes it again", err)
	}
	if err != nil {
		return fmt.Errorf("fuzzext.WithModel: %w", err)
	}
	o.prior = o.newPrior()
	return nil
}

// loadModel reads a model of either kind.
func (o *options) loadModel(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxModelFile+1)) // what is longer, the model refuses
	if err != nil {
		return err
	}
	var head struct{ Format string }
	_ = json.Unmarshal(data, &head) // what is no JSON, the model refuses
	o.model = o.newModel(head.Format)
	if err := o.model.UnmarshalJSON(data); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// A model is one of those that a file may hold.
type model interface {
	json.Unmarshaler
	json.Marshaler
	Prior() choices.Prior
}

// newModel returns an empty model of a format, of package tune unless it is known.
func newModel(format string) model {
	switch format {
	case "espalier examples":
		return choices.NewModel()
	case "espalier exact":
		return new(predict.Exact)
	}
	return tune.New()
}

// maxModelFile is how many bytes the file of a model has at most.
const maxModelFile = 16 << 20
