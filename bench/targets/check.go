package targets

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

func check[V any](t *testing.T, g bigen.Gen[V], prop func(*fuzzext.T, V)) {
	fuzzext.Check(t, g, prop)
}
