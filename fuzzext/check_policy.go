package fuzzext

import (
	"testing"

	"github.com/espalier-go/espalier/fuzzext/internal/guide"
	"github.com/espalier-go/espalier/rl"
)

// savePolicy writes what a Check has learned to the file of -fuzzext.savepolicy, if that is
// set. learner is nil if it has learned nothing.
func savePolicy(t testing.TB, learner *rl.Guide) {
	if flags.policy == "" {
		return
	}
	t.Helper()
	if err := policies.Add(t.Name(), flags.policy, learner, inPackage); err != nil {
		t.Errorf("fuzzext.Check: -fuzzext.savepolicy: %v", err)
	}
}

var policies guide.Saver
