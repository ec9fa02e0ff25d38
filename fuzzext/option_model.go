package fuzzext

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/espalier-go/espalier/bigen/tune"
)

// WithModel makes values by a model that corpusgen tune or package tune has made for the same
// generator. A relative path is relative to the directory of the package.
//
// In a fuzz target, the model answers the questions that an input leaves open, and it makes half
// of the values that are made from nothing. In a [Check] it makes two of three of these. The
// generator's own distribution answers what the model has no sampler for, and what a filter asks
// again. So a model of another generator has no effect. A file that cannot be read, or that holds
// no model of this version, fails the test; in a fuzz target it panics. So does a [WithPolicy]
// beside it: only one can answer.
//
// The inputs of [Add], those of corpusgen, and saved minimized failures leave no question
// open: they stand for the same values with any model and without one. An input that the
// engine itself saves may need the same model.
func WithModel(file string) Option { return func(o *options) { o.modelFile = file } }

// loadPrior reads the file of WithPolicy or WithModel, if one is an option.
func (o *options) loadPrior() error {
	if o.policyFile != "" && o.modelFile != "" {
		return errors.New("fuzzext.WithModel and WithPolicy exclude each other: both would make the values")
	}
	if o.modelFile == "" {
		return o.loadPolicy()
	}
	m, err := tune.Load(inPackage(o.modelFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: corpusgen tune writes such a file", err)
	}
	if err != nil {
		return fmt.Errorf("fuzzext.WithModel: %w", err)
	}
	o.model, o.prior = m, m.Prior()
	return nil
}
