package api

import (
	"fmt"

	"golang.org/x/exp/slices"
)

// maxMinimizing bounds the runs that minimize one sequence.
const maxMinimizing = 2000

// minimize makes the calls of an error fewer, and their arguments simpler and more alike, as
// long as they fail in the same way. It repeats three passes:
//
//  1. Delete calls: many at once, then single ones. A call that used a result of one that is
//     gone uses an earlier one, or is deleted, too.
//  2. Let an argument be the first result that can stand for it.
//  3. Let a literal be a shorter one, and an expression the first one.
func (g *generator) minimize(f *found) {
	runs := 0
	try := func(calls []opCall, ok bool) bool {
		if !ok || runs >= maxMinimizing {
			return false
		}
		if runs++; !g.fails(f, calls) {
			return false
		}
		f.calls = calls
		return true
	}
	for changed := true; changed && runs < maxMinimizing; {
		changed = false
		for size := len(f.calls) / 2; size >= 1; size /= 2 {
			for at := len(f.calls) - 1 - size; at >= 0; at -= size {
				at = min(at, len(f.calls)-1-size)
				if at < 0 {
					break
				}
				if try(without(f.calls, at, size, false)) || try(without(f.calls, at, size, true)) {
					changed = true
				}
			}
		}
		g.simplify(f, func(calls []opCall) {
			if try(calls, true) {
				changed = true
			}
		})
	}
}

// without returns calls but size of them at some place. Calls that used their results use
// others; or they are left out, too, if there are none, or all is set. It reports false if the
// last call cannot remain.
func without(calls []opCall, at, size int, all bool) (rest []opCall, ok bool) {
	var now []int32 // by old slot: the new one, or -1
	var kinds []*base
	last := len(calls) - 1
	for i, c := range calls {
		args := slices.Clone(c.args)
		keep := i < at || i >= at+size
		next := 0
		for _, d := range c.op.plan.draws {
			if d.result || !keep {
				continue
			}
			a := &args[next]
			if next++; a.kind != argSlot {
				continue
			}
			if slot := now[a.slot]; slot >= 0 || all {
				a.slot, keep = slot, slot >= 0
			} else {
				a.slot, keep = latest(kinds, d.pool)
			}
		}
		if !keep && i == last {
			return nil, false
		}
		for _, d := range c.op.plan.draws {
			switch {
			case !d.result:
			case keep:
				now = append(now, int32(len(kinds)))
				kinds = append(kinds, d.pool)
			default:
				now = append(now, -1)
			}
		}
		if keep {
			rest = append(rest, opCall{op: c.op, args: args})
		}
	}
	return rest, true
}

// latest returns the last result that can be an argument from a pool.
func latest(kinds []*base, p *base) (slot int32, ok bool) {
	for i := len(kinds) - 1; i >= 0; i-- {
		if slices.Contains(p.sources, kinds[i]) {
			return int32(i), true
		}
	}
	return -1, false
}

// simplify tries simpler arguments.
func (g *generator) simplify(f *found, try func(calls []opCall)) {
	for i := 0; i < len(f.calls); i++ {
		next := 0
		for _, d := range f.calls[i].op.plan.draws {
			if d.result {
				continue
			}
			k := next
			next++
			for _, simpler := range g.simpler(f.calls, i, d.pool, f.calls[i].args[k]) {
				calls := slices.Clone(f.calls)
				calls[i].args = slices.Clone(calls[i].args)
				calls[i].args[k] = simpler
				try(calls)
				if now := f.calls[i].args[k]; now.kind == simpler.kind && now.slot == simpler.slot {
					break
				}
			}
		}
	}
}

// simpler returns arguments that are simpler than one of the i-th call, the simplest first.
func (g *generator) simpler(calls []opCall, i int, p *base, a arg) (list []arg) {
	switch a.kind {
	case argSlot:
		slot := int32(0)
		for _, c := range calls[:i] {
			for _, d := range c.op.plan.draws {
				if !d.result {
					continue
				}
				if slot < a.slot && slices.Contains(p.sources, d.pool) && len(list) < 4 {
					list = append(list, arg{kind: argSlot, slot: slot})
				}
				slot++
			}
		}
		if p.hasLits {
			list = append(list, g.shorterLiterals(p, "")...)
		}
	case argLiteral:
		list = g.shorterLiterals(p, fmt.Sprint(a.lit))
	case argCode:
		if a.slot > 0 {
			list = append(list, arg{kind: argCode})
		}
	}
	return list
}

// shorterLiterals returns some literals, the shortest text first: those whose text is shorter
// than text, or as long and less, unless text is empty.
func (g *generator) shorterLiterals(p *base, text string) (list []arg) {
	type textual struct {
		arg
		text string
	}
	less := func(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b }
	var some []textual
	for range 8 {
		a := newLiteral(p, g.rand)
		t := textual{a, fmt.Sprint(a.lit)}
		if (text == "" || less(t.text, text)) && !slices.ContainsFunc(some, func(x textual) bool { return x.text == t.text }) {
			some = append(some, t)
		}
	}
	slices.SortFunc(some, func(a, b textual) int {
		if less(a.text, b.text) {
			return -1
		}
		return 1
	})
	for _, t := range some {
		list = append(list, t.arg)
	}
	return list
}
