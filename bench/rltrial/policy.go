// Package rltrial runs targets of package rltargets under policies of package rl.
package rltrial

import (
	"math/rand/v2"
	"slices"

	"github.com/espalier-go/espalier/bench/branches"
	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
)

// A Policy is a way to make inputs.
type Policy struct {
	Name    string
	guided  bool
	options []rl.Option
	traced  bool // inputs are unique if their traces are: a greybox reward, section 5.3
}

// rewards are RLCheck's, section 4.3.
var rewards = rl.Rewards{Unique: 20, Valid: 0, Invalid: -1}

func paper(name string, a rl.Abstraction) Policy {
	return Policy{Name: name, guided: true, options: []rl.Option{rl.MonteCarlo(0.25, a, rewards)}}
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
	Greybox  = RLCheck.greybox("greybox RLCheck")
)

func (p Policy) greybox(name string) Policy {
	p.Name, p.traced = name, true
	return p
}

// Check is the policy of [fuzzext.Check], if the property assumes that inputs are valid.
const Check = "Check"

// Named returns the policy with the name. It panics if there is none.
func Named(name string) Policy {
	all := []Policy{Random, Sequence, Tree, TreeLR, RLCheck, Default, Greybox, {Name: Zest}}
	return all[slices.IndexFunc(all, func(p Policy) bool { return p.Name == name })]
}

// Explore makes inputs as long as see reports true. It starts the tracer, unless that is nil, before
// it makes one.
func (p Policy) Explore(
	t rltargets.Target, bug string, seed uint64, tracer branches.Tracer, see func(rltargets.Input) bool,
) {
	if p.Name == Zest {
		exploreZest(t, bug, seed, tracer, see)
		return
	}
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
		if tracer != nil {
			tracer.Start()
		}
		in := t.Run(src, bug)
		more = see(in)
		switch {
		case guide == nil:
		case in.Valid && p.traced:
			guide.Valid(tracer.Trace())
		case in.Valid:
			guide.Valid(in.Key)
		default:
			guide.Invalid()
		}
	}
}
