package fuzzext

import (
	"fmt"
	"sync"

	"github.com/espalier-go/espalier/rl"
)

// policies writes what a Check has learned to the file of -fuzzext.savepolicy.
var policies policySaver

// A policySaver saves the policy of one test.
type policySaver struct {
	mu   sync.Mutex
	test string
}

// savePolicy saves what the guide of a test has learned to a file, whose path in is for the file
// system.
func (s *policySaver) savePolicy(
	test, file string, guide *rl.Guide, in func(file string) string,
) error {
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
		return fmt.Errorf("%s has the policy of %s, which the policy of %s would replace: "+
			"choose one test by -run", file, s.test, test)
	}
	s.test = test
	return p.Save(in(file))
}
