package fuzzext

import (
	"fmt"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/rl"
)

// savePolicy writes what a Check has learned to the file of -fuzzext.savepolicy, if that is
// set. guide is nil if it has learned nothing.
func savePolicy(t testing.TB, guide *rl.Guide) {
	if flags.policy == "" {
		return
	}
	t.Helper()
	if err := policies.add(t.Name(), flags.policy, guide); err != nil {
		t.Errorf("fuzzext.Check: -fuzzext.savepolicy: %v", err)
	}
}

var policies policySaver

// A policySaver saves the policy of one test.
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
