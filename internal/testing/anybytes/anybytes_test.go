package anybytes_test

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/examples/planted"
	"github.com/espalier-go/espalier/examples/trees"
	"github.com/espalier-go/espalier/internal/testing/anybytes"
	"github.com/espalier-go/espalier/internal/testing/long"
)

// The generators of examples decode any bytes. Those of bigen do so in its own tests.
func TestAnyBytes(t *testing.T) {
	n, seed := long.Times(30, 3500), uint64(1)
	if long.Enabled() {
		seed = uint64(time.Now().UnixNano())
	}
	var c anybytes.Count
	anybytes.Decode(t, &c, trees.Gen(), n, seed)
	anybytes.Decode(t, &c, trees.GenBinary(), n, seed)
	anybytes.Decode(t, &c, trees.GenCounted(5), n, seed)
	anybytes.Decode(t, &c, trees.GenSequence(9), n, seed)
	anybytes.Decode(t, &c, planted.GenExpr(), n, seed)
	anybytes.Decode(t, &c, planted.GenPlan, n, seed)
	anybytes.Decode(t, &c, planted.GenTree(0, 1000), n, seed)
	t.Logf("seed %d: %+v", seed, c)
}
