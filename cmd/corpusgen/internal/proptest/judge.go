package proptest

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// How much is spent on mistakes.
const (
	maxTried   = 200             // mistakes
	maxJudging = 2 * time.Minute // of CPU time
	fewValues  = 300             // under each
)

// A judged is a property under mistakes.
type judged struct {
	*apigen.Property
	cpu     time.Duration // without a mistake
	turns   int64
	reaches map[int]bool
	notices map[int]bool
}

// judge drops the properties that notice no mistake of the package, by what they say of it and not
// by a panic, or none that laws before them of the same call do not notice. A weak one must notice
// some that no other does.
func (c *check) judge(ctx context.Context) error {
	laws, err := c.reach(ctx)
	if err != nil {
		return err
	}
	noticed, err := c.try(ctx, laws)
	if err != nil {
		return err
	}
	c.tried, c.noticed = noticed, 0
	seen, by := map[int]bool{}, map[string]map[int]bool{} // by all, and by laws of one call
	for _, q := range laws {
		first := q.Calls[0]
		if by[first] == nil {
			by[first] = map[int]bool{}
		}
		known := by[first]
		if q.Weak {
			known = seen
		}
		news := 0
		for n := range q.notices {
			if !known[n] {
				news++
			}
		}
		switch {
		case len(q.notices) > 0 && news == 0,
			len(q.notices) == 0 && (q.Weak || c.tried > 0 && len(q.reaches) > 0):
			c.props.Drop(q.Name, "")
			continue
		}
		for n := range q.notices {
			seen[n], by[first][n] = true, true
		}
	}
	c.noticed = len(seen)
	return nil
}

// reach runs each law alone, to learn which mistakes it reaches.
func (c *check) reach(ctx context.Context) (laws []*judged, err error) {
	for _, q := range c.props.All {
		if q.Rest {
			continue
		}
		j := &judged{Property: q, reaches: map[int]bool{}, notices: map[int]bool{}}
		laws = append(laws, j)
		if len(c.mistakes) == 0 || c.left() < c.time/4 {
			continue
		}
		c.Status("running %s", q.Name)
		order := mistake.Order{File: "told"}
		p, err := c.process(ctx, []string{q.Name}, order, time.Minute/slowest,
			brief(seeded, fewValues)...)
		if err != nil {
			return nil, err
		}
		if p.exit.Err == nil {
			j.reaches, j.turns = mistake.Told(p.told)
			j.cpu = p.exit.CPU
		}
	}
	return laws, nil
}

// try makes mistakes, each in a process of its own, under all laws that reach it. It returns how
// many it has made.
func (c *check) try(ctx context.Context, laws []*judged) (tried int, err error) {
	var list []made
	for _, m := range c.mistakes {
		if slices.ContainsFunc(laws, func(q *judged) bool { return q.reaches[m.Number] }) {
			list = append(list, m)
		}
	}
	if len(list) > 0 {
		c.Phase("trying the laws of %s with %s", c.pkg.Path,
			session.Count(min(len(list), maxTried), "small mistake", "small mistakes"))
	}
	spent := time.Duration(0)
	for _, i := range spreadOut(len(list)) {
		if tried >= maxTried || spent > maxJudging || c.left() < c.time/4 {
			break
		}
		tried++
		c.Status("%s: mistake %d of %d", c.pkg.Path, tried, min(len(list), maxTried))
		cpu, err := c.make(ctx, list[i], laws)
		if err != nil {
			return tried, err
		}
		spent += cpu
	}
	return tried, nil
}

// spreadOut returns the numbers from 0 to n-1 so that the first ones are far from each other.
func spreadOut(n int) (order []int) {
	step := 1
	for step*step < n {
		step++
	}
	for from := range step {
		for i := from; i < n; i += step {
			order = append(order, i)
		}
	}
	return order
}

// make makes a mistake. Tests that end the process are not asked again.
func (c *check) make(ctx context.Context, m made, laws []*judged) (spent time.Duration, err error) {
	var names []string
	turns, cpu := int64(0), time.Duration(0)
	for _, q := range laws {
		if q.reaches[m.Number] {
			names = append(names, q.Name)
			turns, cpu = turns+q.turns, cpu+q.cpu
		}
	}
	o := mistake.Order{Number: m.Number}.Within(turns, cpu, 0)
	for len(names) > 0 {
		p, err := c.process(ctx, names, o, time.Minute/slowest, brief(seeded, fewValues)...)
		if err != nil {
			return spent, err
		}
		spent += p.exit.CPU
		v := verdictsOf(p.output)
		for _, q := range laws {
			passed, ended := v.passed[q.Name]
			text := v.text[q.Name]
			says := !strings.Contains(text, "panic: ") && !strings.Contains(text, "fewer than")
			if ended && !passed && says {
				q.notices[m.Number] = true
			}
		}
		at := slices.Index(names, v.last)
		if _, ended := v.passed[v.last]; ended || at < 0 {
			break
		}
		names = names[at+1:]
	}
	return spent, nil
}
