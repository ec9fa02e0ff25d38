package api

import (
	"strings"

	"golang.org/x/exp/slices"
)

// maxErrors bounds the classes of errors in a suite.
const maxErrors = 100

// suite returns the tests.
func (g *generator) suite() Suite {
	s := Suite{Stats: g.stats}
	some := g.errors[:min(len(g.errors), maxErrors)]
	for _, f := range some {
		g.minimize(f)
	}
	flaky := map[*found]bool{}
	for range 3 { // what depends on order, time or chance shows
		shuffled := slices.Clone(some)
		g.rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for _, f := range shuffled {
			flaky[f] = flaky[f] || !g.fails(f, f.sequence)
		}
	}
	for _, f := range some {
		if test := g.errorTest(f); flaky[f] {
			s.Flaky = append(s.Flaky, test)
		} else {
			s.Errors = append(s.Errors, test)
		}
	}
	s.Regressions = g.regressions()
	return s
}

// errorTest returns an error as a test.
func (g *generator) errorTest(f *found) Test {
	e := g.traceRun(f.sequence, f.contract)
	defer g.untrace()
	now := g.now()
	if e.class == Error && e.message != "" {
		f.message = e.message
	}
	if now.violated = e.violated; e.violated == nil {
		now.failure = f.message
	}
	r := g.traced()
	t := Test{Calls: r.calls(), Code: strings.Join(r.failure(), "\n"), Op: f.op, Message: f.message, Class: f.class, Place: f.place, Found: f.count}
	if e.violated != nil {
		t.Message = e.violated.message(r.nameOf)
	}
	return t
}
