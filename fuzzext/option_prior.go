package fuzzext

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/rl"
)

// WithModel makes values by a model that corpusgen tune, or Save of [tune.Model], has made for the
// same generator. A relative path is relative to the directory of the package.
//
// In a fuzz target, the model answers the questions that an input leaves open, and it makes half of
// the values that are made from nothing. In a [Check] it makes two of three of these. The
// generator's own distribution answers what the model has no sampler for, and what a filter asks
// again. A file that cannot be read, that holds no model of this version, or one that answers none
// of the generator's questions, fails the test; in a fuzz target it panics. So does another
// WithModel, or a [WithPolicy], beside it: only one can answer.
//
// The inputs of [Add], the inputs of corpusgen, and saved minimized failures leave no question
// open: they stand for the same values with any model and without one. An input that the
// engine itself saves may need the same model.
func WithModel(file string) Option {
	return func(o *options) {
		o.twoModels = o.modelFile != ""
		// so that only tests with this option link package tune
		o.modelFile, o.modelLoader = file, loadModel
	}
}

// loadPrior reads the file of WithPolicy or WithModel, if one is an option. corpusgen tune does
// without a model that is missing, or of no use: it makes another.
func (x *spec) loadPrior() error {
	err := x.options.loadPrior()
	if err == nil && x.model != nil && !values.Fits(x.gen, x.model.Prior()) {
		err = fmt.Errorf("fuzzext.WithModel: %s answers none of the generator's questions: it "+
			"is of another generator, or tags have changed: make it again by corpusgen tune", x.modelFile)
	}
	if err != nil && x.modelFile != "" && orders.tunes() {
		x.model, x.prior = nil, nil
		return nil
	}
	return err
}

// loadPrior reads the file of WithPolicy or WithModel, if one is an option.
func (o *options) loadPrior() error {
	if o.twoModels {
		return errors.New("fuzzext.WithModel is given twice: only one model can make the values")
	}
	if o.policyFile != "" && o.modelFile != "" {
		return errors.New("fuzzext.WithModel and WithPolicy exclude each other: both would make " +
			"the values")
	}
	if o.modelFile == "" {
		return o.loadPolicy()
	}
	m, err := o.modelLoader(priorFile(o.modelFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: corpusgen tune writes such a file", err)
	} else if err != nil {
		err = fmt.Errorf("%w: corpusgen tune makes it again", err)
	}
	if err != nil {
		return fmt.Errorf("fuzzext.WithModel: %w", err)
	}
	o.model, o.prior = m, m.Prior()
	return nil
}

func loadModel(file string) (model, error) { return tune.Load(file) }

// WithPolicy makes values as a policy for the same generator has learned. The flag
// -fuzzext.savepolicy or rl.Policy.Save writes such a file. A relative path starts in the
// directory of the package.
//
// In a fuzz target, the policy answers the questions that an input leaves open, and makes half
// of the new values. So the property assumes more of them. A Check begins with the policy and
// continues to learn. The file does not change, and a policy of another generator has no
// effect. If the file cannot be read, or holds no policy of this version, the test fails; a
// fuzz target panics.
//
// The inputs of [Add], of corpusgen, and of saved minimized failures leave no question open.
// They stand for the same values with any policy and without one. An input that the engine
// itself saves may need the same policy.
func WithPolicy(file string) Option { return func(o *options) { o.policyFile = file } }

// loadPolicy reads the file of WithPolicy, if that is an option.
func (o *options) loadPolicy() error {
	if o.policyFile == "" {
		return nil
	}
	p, err := rl.LoadPolicy(priorFile(o.policyFile))
	if errors.Is(err, fs.ErrNotExist) && flags.policy != "" &&
		inPackage(flags.policy) == inPackage(o.policyFile) {
		return nil // -fuzzext.savepolicy is about to write it
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: learn one by a Check of the same generator, with "+
			"-fuzzext.savepolicy=%s", err, o.policyFile)
	}
	if err != nil {
		return fmt.Errorf("fuzzext.WithPolicy: %w", err)
	}
	o.policy, o.prior = p, p.Prior()
	return nil
}

// priorFile returns the path of a policy or model. Beside a binary of libFuzzer there may be a
// copy.
func priorFile(file string) string {
	if engineLink != nil && engineLink.Driver != nil {
		return engineLink.Driver.File(inPackage(file))
	}
	return inPackage(file)
}

// newPrior returns another prior like the one of o, or nil.
func (o *options) newPrior() choices.Prior {
	switch {
	case o.policy != nil:
		return o.policy.Prior()
	case o.model != nil:
		return o.model.Prior()
	}
	return nil
}

// decode returns the source of the value that bytes stand for. It is valid until the next
// call.
func (o *options) decode(b []byte) choices.Source {
	if o.prior == nil {
		return choices.FromBytes(b)
	}
	return choices.FromBytesBy(b, o.prior)
}

// randomSource returns a source of a value made from nothing. With a policy or a model, half of
// them follow it.
func (o *options) randomSource(r *rand.Rand) choices.Source {
	i := int(r.Uint64N(1 << 20))
	if o.prior != nil && r.Uint64()&1 == 0 {
		return values.ByPrior(o.prior, r)
	}
	return varied.Source(r, i)
}
