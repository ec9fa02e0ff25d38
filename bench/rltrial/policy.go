// Package rltrial runs targets of package rltargets under policies of package rl.
package rltrial

import (
	"math/rand/v2"
	"slices"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
)

// A Policy is a way to make inputs.
type Policy struct {
	Name    string
	guided  bool
	options []rl.Option
}

// rewards are RLCheck's, section 4.3.
var rewards = rl.Rewards{Unique: 20, Valid: 0, Invalid: -1}

func paper(name string, a rl.Abstraction) Policy {
	return Policy{name, true, []rl.Option{rl.MonteCarlo(0.25, a, rewards)}}
}

// The policies to measure: the ones of RLCheck's case study (section 4.3.1), RLCheck with the
// window of its larger targets (section 5), and our own.
var (
	Random   = Policy{Name: "random"}
	Sequence = paper("Sequence", rl.Sequence(4))
	Tree     = paper("Tree", rl.Tree(4))
	TreeLR   = paper("TreeLR", rl.TreeLR(4))
	RLCheck  = paper("RLCheck", rl.TreeLR(5))
	Default  = Policy{Name: "default", guided: true}
)

// Check is the policy of [fuzzext.Check], if the property assumes that inputs are valid.
const Check = "Check"

// Named returns the policy with the name. It panics if there is none.
func Named(name string) Policy {
	all := []Policy{Random, Sequence, Tree, TreeLR, RLCheck, Default}
	return all[slices.IndexFunc(all, func(p Policy) bool { return p.Name == name })]
}

// Explore makes inputs as long as see reports true. It calls begin before it makes one.
func (p Policy) Explore(
	t rltargets.Target, bug string, seed uint64, begin func(), see func(rltargets.Input) bool,
) {
	r := rand.New(rand.NewPCG(seed, 0))
	var guide *rl.Guide
	if p.guided {
		guide = rl.New(r, p.options...)
	}
	for more := true; more; {
		src := choices.Source(choices.Random(r))
		if guide != nil {
			src = guide.Begin()
		}
		begin()
		in := t.Run(src, bug)
		more = see(in)
		switch {
		case guide == nil:
		case in.Valid:
			guide.Valid(in.Key)
		default:
			guide.Invalid()
		}
	}
}
