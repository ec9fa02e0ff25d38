// Package rltrial runs targets of package rltargets under policies of package rl.
package rltrial

import "github.com/espalier-go/espalier/rl"

// A Policy is a way to make inputs.
type Policy struct {
	Name    string
	guided  bool
	options []rl.Option
}

// rewards are those of RLCheck, section 4.3.
var rewards = rl.Rewards{Unique: 20, Valid: 0, Invalid: -1}

func paper(name string, a rl.Abstraction) Policy {
	return Policy{name, true, []rl.Option{rl.MonteCarlo(0.25, a, rewards)}}
}

// The policies to measure: those of RLCheck's case study (section 4.3.1), RLCheck with the
// window of its larger targets (section 5), and our own.
var (
	Random   = Policy{Name: "random"}
	Sequence = paper("Sequence", rl.Sequence(4))
	Tree     = paper("Tree", rl.Tree(4))
	TreeLR   = paper("TreeLR", rl.TreeLR(4))
	RLCheck  = paper("RLCheck", rl.TreeLR(5))
	Default  = Policy{Name: "default", guided: true}
)

// ByName returns the policy with the name. It panics if there is none.
func ByName(name string) Policy {
	for _, p := range []Policy{Random, Sequence, Tree, TreeLR, RLCheck, Default, CheckMixture} {
		if p.Name == name {
			return p
		}
	}
	panic("rltrial: no policy " + name)
}
