package targets

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// HasCheck says that there is a fuzzext.Check to measure.
const HasCheck = false

func check[V any](t *testing.T, _ bigen.Gen[V], _ func(*fuzzext.T, V)) {
	t.Skip("there is no fuzzext.Check")
}
