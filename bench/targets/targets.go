// Package targets has the bugs of examples/planted as targets of Espalier and of what
// its users would use without it: rapid's Check and MakeFuzz, and bytes parsed by hand.
// All of them run the same property; the environment says which, see [HuntEnv].
package targets

import (
	"fmt"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/examples/planted"
	"github.com/espalier-go/espalier/fuzzext"
)

// HuntEnv is the environment variable that names the target: a bug of examples/planted,
// or [Trivial].
const HuntEnv = "ESPALIER_HUNT"

// Trivial is the target that has no bug, with pairs of search trees: the property does nothing at
// all, so that no value differs from another in what it reaches.
const Trivial = "trivial"

// target is one property for each of those that may look for values which fail it.
type target struct {
	valid, makeFuzz, raw   func(*testing.F)
	check, rapid, rapidOwn func(*testing.T)
	same                   func(*testing.T) // checks that all make values of one generator
}

func newTarget[V any](
	gen bigen.Gen[V], prop func(testing.TB, V), draw func(*rapid.T, ints) V, parse func(*reader) V,
) target {
	var n Tally
	custom := func(s ints) *rapid.Generator[V] {
		return rapid.Custom(func(t *rapid.T) V { return draw(t, s) })
	}
	loop := func(s ints) func(*testing.T) {
		return func(t *testing.T) {
			n.Open()
			g := custom(s)
			rapid.Check(t, func(r *rapid.T) { prop(n.Count(t), g.Draw(r, "v")) })
		}
	}
	ours := func(t *fuzzext.T, v V) { prop(n.Count(t), v) }
	return target{
		valid: func(f *testing.F) {
			n.Open()
			f.Fuzz(fuzzext.Valid(gen, ours))
		},
		makeFuzz: func(f *testing.F) {
			n.Open()
			g := custom(ownInts)
			f.Fuzz(func(t *testing.T, b []byte) {
				rapid.MakeFuzz(func(r *rapid.T) { prop(n.Count(t), g.Draw(r, "v")) })(t, b)
			})
		},
		raw: func(f *testing.F) {
			n.Open()
			f.Fuzz(func(t *testing.T, b []byte) {
				r := reader{b: b}
				if v := parse(&r); !r.invalid {
					prop(n.Count(t), v)
				} else {
					t.Skip()
				}
			})
		},
		check: func(t *testing.T) {
			n.Open()
			fuzzext.Check(t, gen, ours)
		},
		rapid:    loop(evenInts),
		rapidOwn: loop(evenChoices),
		same:     func(t *testing.T) { same(t, gen, custom, parse) },
	}
}

var targets = map[string]target{
	"bst-insert": newTarget(planted.GenOperation, planted.CheckInsert, drawOperation,
		parseOperation),
	"bst-delete": newTarget(planted.GenOperation, planted.CheckDelete, drawOperation,
		parseOperation),
	"bst-floor":    newTarget(planted.GenOperation, planted.CheckFloor, drawOperation, parseOperation),
	"bst-union":    newTarget(planted.GenPair, planted.CheckUnion, drawPair, parsePair),
	"share-merge":  newTarget(planted.GenExpr(), planted.CheckShare, drawExpr, parseExpr),
	"cache-stale":  newTarget(planted.GenCalls, planted.CheckCalls, drawCalls, parseCalls),
	"ladder":       newTarget(planted.GenPlan, planted.CheckPlan, drawPlan, parsePlan),
	"const-int":    newTarget(planted.GenScript, planted.CheckScript, drawScript, parseScript),
	"const-string": newTarget(planted.GenScript, planted.CheckScript, drawScript, parseScript),
	Trivial:        newTarget(planted.GenPair, func(testing.TB, planted.Pair) {}, drawPair, parsePair),
}

// named returns the target that the environment names.
func named(t testing.TB) target {
	name := os.Getenv(HuntEnv)
	if name == "" {
		t.Skipf("%s names no target", HuntEnv)
	}
	h, ok := targets[name]
	if !ok {
		panic(fmt.Sprintf("targets: %s=%q names no target", HuntEnv, name))
	}
	return h
}
