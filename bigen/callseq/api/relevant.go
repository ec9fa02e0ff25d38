package api

import "golang.org/x/exp/slices"

// relevance says what of a sequence has to do with its last call: the calls that share results
// with it, directly or by others, and these results. Calls that leave their arguments as they
// are do not count, unless their results do.
type relevance struct {
	calls []bool
	cells []bool
	made  []int32 // by call: its first result
}

// of finds out what is relevant of calls with some number of results.
func (x *relevance) of(calls []opCall, results int) {
	x.calls = cleared(x.calls, len(calls))
	x.cells = cleared(x.cells, results)
	x.made = x.made[:0]
	n := int32(0)
	for i := range calls {
		x.made = append(x.made, n)
		n += int32(calls[i].op.plan.made)
	}
	x.add(calls, len(calls)-1)
	for more := true; more; {
		more = false
		for i := len(calls) - 2; i >= 0; i-- {
			if !x.calls[i] && x.concerns(calls, i) {
				x.add(calls, i)
				more = true
			}
		}
	}
}

// concerns reports whether a call makes, or may change, what is relevant.
func (x *relevance) concerns(calls []opCall, i int) bool {
	c := &calls[i]
	if slices.Contains(x.cells[x.made[i]:int(x.made[i])+c.op.plan.made], true) {
		return true
	}
	if c.op.plan.pure.sure() {
		return false
	}
	for k := range c.args {
		if a := &c.args[k]; a.kind == argSlot && x.cells[a.slot+c.first] {
			return true
		}
	}
	return false
}

// add says that a call is relevant.
func (x *relevance) add(calls []opCall, i int) {
	c := &calls[i]
	x.calls[i] = true
	for k := range c.op.plan.made {
		x.cells[int(x.made[i])+k] = true
	}
	for k := range c.args {
		if a := &c.args[k]; a.kind == argSlot {
			x.cells[a.slot+c.first] = true
		}
	}
}

// all reports whether all calls are relevant.
func (x *relevance) all() bool { return !slices.Contains(x.calls, false) }

// extract returns the relevant calls, and by slot the new slot of its result, or -1.
func (x *relevance) extract(calls []opCall) (own []opCall, now []int32) {
	next := int32(0)
	for i := range calls {
		c := &calls[i]
		for range c.op.plan.made {
			if !x.calls[i] {
				now = append(now, -1)
				continue
			}
			now = append(now, next)
			next++
		}
		if !x.calls[i] {
			continue
		}
		args := slices.Clone(c.args)
		for k := range args {
			if a := &args[k]; a.kind == argSlot {
				a.slot = now[a.slot+c.first]
			}
		}
		own = append(own, opCall{op: c.op, args: args})
	}
	return own, now
}

func cleared(s []bool, n int) []bool {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}
