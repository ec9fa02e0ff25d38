package rltrial

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/choices"
)

// Hunt runs a hunt under a policy: it calls meet for each valid value, and does not return.
func Hunt(h rltargets.Hunt, bug string, p Policy, seed uint64, meet func(shows bool)) {
	r := rand.New(rand.NewPCG(seed, 0))
	guide := p.Guide(r)
	for {
		src := choices.Source(choices.Random(r))
		if guide != nil {
			src = guide.Begin()
		}
		valid, key, shows := h.Run(src, bug)
		if valid {
			meet(shows)
		}
		switch {
		case guide == nil:
		case valid:
			guide.Valid(key)
		default:
			guide.Invalid()
		}
	}
}
