package callseq

import "golang.org/x/exp/slices"

// Scenario makes a share of the random sequences begin with certain calls: next returns the
// operation of each, until it returns nil, or one that is not possible. Then as many other calls
// follow as without a scenario. A quarter of these sequences begin with a cache that gets full:
//
//	put := c.Op("cache.Put", ...)
//	c.Scenario(0.25, func() *callseq.Op {
//		if len(model) == size {
//			return nil
//		}
//		return put
//	})
//
// No scenario stops earlier, unless the sequence has the most calls of [Length]. Arguments are
// random: if a cache has few keys, most of these calls put keys that it has.
//
// Only probabilities change, so all other sequences remain possible, and shrinking takes out what
// it can. An operation of weight 0 occurs in scenarios only. next depends on the model.
func (c *C) Scenario(share float64, next func() *Op) {
	c.inSetup("Scenario")
	sum := share
	for _, s := range c.scenarios {
		sum += s.share
	}
	if !(share > 0 && sum <= 1) {
		c.misuse("gives scenarios a share of %v of the sequences: want more than 0, and no more "+
			"than 1 in all", sum)
	}
	c.scenarios = append(c.scenarios, scenario{share, next, nil})
	c.plain = 1 - sum
}

// A scenario is one that the sequence so far may follow.
type scenario struct {
	share float64 // how likely that is
	next  func() *Op
	op    *Op // of the next call
}

// direct weighs the next call by the scenarios that the sequence may follow. Which one it does is
// not chosen, so that no choice of it is in the tree: the calls so far say how likely each is.
func (c *C) direct() {
	c.total = 0
	for i := range c.alts {
		c.total += c.alts[i].Weight
	}
	c.scenarios = slices.DeleteFunc(c.scenarios, func(s scenario) bool { return s.share == 0 })
	for i := range c.scenarios {
		s := &c.scenarios[i]
		if s.op = s.next(); s.op == nil || !s.op.able {
			c.plain += s.share
			s.share = 0
		}
	}
	for i, o := range c.ops {
		weight := c.plain * c.normal(o)
		for _, s := range c.scenarios {
			if s.op == o {
				weight += s.share
			}
		}
		c.alts[i].Weight = weight
	}
}

// normal returns how likely an operation is outside of scenarios.
func (c *C) normal(o *Op) float64 {
	if !o.able || c.total == 0 {
		return 0
	}
	return o.weight / c.total
}

// directed notes the next call.
func (c *C) directed(o *Op) {
	c.plain *= c.normal(o) * c.model.mean / (1 + c.model.mean) // and the sequence has not stopped
	all := c.plain
	for i := range c.scenarios {
		if s := &c.scenarios[i]; s.op != o {
			s.share = 0
		}
		all += c.scenarios[i].share
	}
	if all == 0 { // an edited tree has a call of weight 0
		c.plain, all = 1, 1
	}
	c.plain /= all
	for i := range c.scenarios {
		c.scenarios[i].share /= all
	}
}
