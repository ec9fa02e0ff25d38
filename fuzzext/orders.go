package fuzzext

import (
	"os"
	"testing"

	"github.com/espalier-go/espalier/internal/job"
)

// orders takes the orders of corpusgen. In a user's own test it takes none: only the tag espalier
// links what carries them out.
var orders interface {
	// ofTarget carries out the order for a target, which has some seeds. It reports false if this
	// process has no such order.
	ofTarget(x *spec, seeds [][]byte) (taken bool)

	// ofCheck is ofTarget for a test that calls Check. It reports false if this process has no
	// order at all.
	ofCheck(t testing.TB, x *spec) (taken bool)

	// ofModel is ofTarget for the model of a test.
	ofModel(tb testing.TB, model any) (taken bool)

	// tunes reports whether the order asks for a model.
	tunes() bool
} = unlinked{}

// unlinked are orders that cannot be carried out.
type unlinked struct{}

func (unlinked) ofTarget(*spec, [][]byte) bool  { return refuse() }
func (unlinked) ofCheck(testing.TB, *spec) bool { return refuse() }
func (unlinked) ofModel(testing.TB, any) bool   { return refuse() }
func (unlinked) tunes() bool                    { return false }

func refuse() (taken bool) {
	if os.Getenv(job.Env) != "" {
		panic("fuzzext: this test binary lacks what answers corpusgen: use the corpusgen of the " +
			"same version, which builds it with the tag espalier")
	}
	return false
}
