package fuzzext

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/guide"
	"github.com/espalier-go/espalier/rl"
)

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
	if errors.Is(err, fs.ErrNotExist) && flags.policy != "" && inPackage(flags.policy) == inPackage(o.policyFile) {
		return nil // -fuzzext.savepolicy is about to write it
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: learn one by a Check of the same generator, with -fuzzext.savepolicy=%s", err, o.policyFile)
	}
	if err != nil {
		return fmt.Errorf("fuzzext.WithPolicy: %w", err)
	}
	o.policy, o.prior = p, p.Prior()
	return nil
}

// priorFile returns the path of a policy or model. Beside a binary of libFuzzer there may be a copy.
func priorFile(file string) string {
	if engineLink != nil && engineLink.Driver != nil {
		return engineLink.Driver.File(inPackage(file))
	}
	return inPackage(file)
}

// newPrior returns another prior like that of o, or nil.
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
		return guide.ByPrior(o.prior, r)
	}
	return choices.Varied(r, i)
}
