package fuzzext

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
)

// WithPolicy has values made as a policy for the same generator has learned. In a fuzz
// target, more of them are what the property assumes; a [Check] begins with what was
// learned. A policy of another generator has no effect. The policy is in a file that the flag
// -fuzzext.savepolicy or [rl.Policy.Save] has written; a relative path is one in the
// directory of the package.
//
// In a fuzz target, the policy answers the questions that an input leaves open, and of
// the values that are made anew it makes half. The inputs of [Add] and of corpusgen, and
// those with minimised failures, leave nothing open: they stand for the same values with
// the policy, with another and without. What the engine saves itself may need the same
// file to stand for the same value. [Check] begins with the policy and learns on. The
// file does not change.
//
// A file that cannot be read, or that has no policy of this version, fails the test: it
// ends a fuzz target by a panic, which says what to do.
func WithPolicy(file string) Option { return func(o *options) { o.policyFile = file } }

// loadPolicy reads the file of WithPolicy, if that is an option.
func (o *options) loadPolicy() error {
	if o.policyFile == "" {
		return nil
	}
	p, err := rl.LoadPolicy(inPackage(o.policyFile))
	if errors.Is(err, fs.ErrNotExist) && flags.savePolicy != "" && inPackage(flags.savePolicy) == inPackage(o.policyFile) {
		return nil // it is about to be learned
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

// inPackage returns a file's path, relative to the directory of the package.
func inPackage(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(packageDir, file)
}

// decode returns the source of the value that bytes stand for. It serves until the next
// call.
func (o *options) decode(b []byte) choices.Source {
	if o.prior == nil {
		return choices.FromBytes(b)
	}
	return choices.FromBytesBy(b, o.prior)
}

// anew returns a source of a value of its own: with a policy, every other one is by that.
func (o *options) anew(r *rand.Rand) choices.Source {
	i := int(r.Uint64N(1 << 20))
	if o.prior != nil && r.Uint64()&1 == 0 {
		return o.anewByPolicy(r)
	}
	return choices.Varied(r, i)
}

// anewByPolicy returns a source of a value that is all by the policy.
func (o *options) anewByPolicy(r *rand.Rand) choices.Source {
	var seed [8]byte
	binary.LittleEndian.PutUint64(seed[:], r.Uint64())
	return choices.FromBytesBy(seed[:], o.prior)
}

// guideOptions are those of the guide of a Check.
func (o *options) guideOptions() []rl.Option {
	if o.policy == nil {
		return nil
	}
	return []rl.Option{rl.FromPolicy(o.policy)}
}

// savePolicy writes what has been learned to the file of -fuzzext.savepolicy, if that is
// set.
func (x *execution[V]) savePolicy(t testing.TB) {
	t.Helper()
	if flags.savePolicy == "" {
		return
	}
	var guide *rl.Guide
	if x.guidance != nil {
		guide = x.guidance.guide
	}
	if err := saved.add(t.Name(), flags.savePolicy, guide); err != nil {
		t.Errorf("fuzzext.Check: -fuzzext.savepolicy: %v", err)
	}
}

// saved tells which test has saved a policy.
var saved policySaver

type policySaver struct {
	mu   sync.Mutex
	test string
}

func (s *policySaver) add(test, file string, guide *rl.Guide) error {
	if guide == nil {
		return fmt.Errorf("%s has learned nothing, for no value was invalid", test)
	}
	p, err := guide.Policy()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.test != "" && s.test != test { // which -count may repeat
		return fmt.Errorf("%s has the policy of %s, and that of %s would replace it: choose one test by -run", file, s.test, test)
	}
	s.test = test
	return p.Save(inPackage(file))
}
