package rltargets

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/bench/guidebugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext"
)

// A Hunt is a naive generator with a strict check, and bugs that few of its valid values show:
// those are deep, or a combination.
type Hunt struct {
	Name string
	Bugs []string
	// Run makes a value from the answers of src. It reports whether the value is valid, returns a
	// hash of it if it is, and reports whether it shows the bug.
	Run func(src choices.Source, bug string) (valid bool, key uint64, shows bool)
	// Check runs a Check that calls meet for each valid value, and that does not end by itself.
	Check func(t *testing.T, bug string, meet func(shows bool))
	// Fuzz fuzzes a target that calls meet for each valid value.
	Fuzz func(f *testing.F, bug string, meet func(shows bool))
}

// Hunts returns all hunts.
func Hunts() []Hunt {
	return []Hunt{
		newHunt("redblack", guidebugs.Rare(), genNode(4), (*node).valid, (*node).hash, func(n *node, bug string) bool {
			return n.tree().Finds(bug)
		}),
		newHunt("lambda", termBugs, genTerm(5), (*term).valid, (*term).hash, (*term).shows),
		newHunt("js", exitBugs, genProgram(3), (*js).valid, (*js).hash, (*js).shows),
	}
}

func newHunt[V any](name string, bugs []string, gen bigen.Gen[V], valid func(V) bool, key func(V) hash, shows func(v V, bug string) bool) Hunt {
	property := func(bug string, meet func(shows bool)) func(*fuzzext.T, V) {
		return func(t *fuzzext.T, v V) {
			t.Assume(valid(v))
			meet(shows(v, bug))
		}
	}
	return Hunt{
		Name: name,
		Bugs: bugs,
		Run: func(src choices.Source, bug string) (bool, uint64, bool) {
			v, err := bigen.Value(gen, src)
			if err != nil || !valid(v) {
				return false, 0, false
			}
			return true, uint64(key(v)), shows(v, bug)
		},
		Check: func(t *testing.T, bug string, meet func(shows bool)) {
			fuzzext.Check(t, gen, property(bug, meet), fuzzext.Checks(math.MaxInt/100))
		},
		Fuzz: func(f *testing.F, bug string, meet func(shows bool)) {
			f.Fuzz(fuzzext.Valid(gen, property(bug, meet)))
		},
	}
}

// tree returns n as a tree with values.
func (n *node) tree() *guidebugs.RedBlack {
	if n == nil {
		return nil
	}
	return &guidebugs.RedBlack{Red: n.Red, Left: n.L.tree(), Key: n.Key, Value: -n.Key, Right: n.R.tree()}
}
