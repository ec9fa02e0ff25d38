package api

import (
	"cmp"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
)

const (
	maxErrors = 100 // classes of errors in a suite
)

// suite returns the tests.
func (g *generator) suite() Suite {
	s := Suite{Stats: g.stats}
	for _, f := range g.errors[:min(len(g.errors), maxErrors)] {
		g.minimize(f)
		s.Errors = append(s.Errors, g.errorTest(f))
	}
	s.Regressions = g.regressions()
	all := g.allRefused()
	all = append(all[:min(len(all), maxCandidates/4)], g.unextended()...)
	for _, c := range all[:min(len(all), maxCandidates)] {
		s.Candidates = append(s.Candidates, entryOf(c.tree, len(c.calls)))
	}
	return s
}

// errorTest returns an error as a test.
func (g *generator) errorTest(f *found) Test {
	e := g.traceRun(f.sequence, f.contract)
	checked := g.quiet.failed // by an operation of the harness
	now := g.now()
	if e.class == Error && e.message != "" {
		f.Message = e.message
	}
	if now.violated = e.violated; e.violated == nil {
		now.failure = f.Message
	}
	r := g.report()
	if e.violated != nil {
		f.Op, f.Place = g.fault(e.violated), e.violated.place
		f.Message = "contract of " + e.violated.message(r.namesOf(e.violated.slots))
	}
	f.Calls, f.Code, f.Writes = f.calls, r.failure(), g.write(f.calls)
	if f.Steps = r.steps; f.odd && !checked && g.oddFor(f) {
		f.Doubt = oddNumber
	}
	if checked || e.violated != nil && e.violated.code == nil { // only the harness has what tests it
		f.Code = "// " + strings.ReplaceAll(strings.Join(r.steps, "\n"), "\n", "\n// ") + "\n" +
			g.opts.harness + ".Run(t, " + g.literal(f.calls) + ")"
	}
	return f.Test
}

// regressions returns tests of what sequences of the archive return, those that are too long only if
// there are too few others.
func (g *generator) regressions() (tests []Test) {
	var long []Test
	for _, s := range g.unextended() {
		if len(tests) >= g.opts.MaxRegressions || g.over(g.closing()) {
			break
		}
		if t, ok := g.regression(s); !ok {
			continue
		} else if t.statements > maxStatements {
			long = append(long, t)
		} else {
			tests = append(tests, t)
		}
	}
	missing := max(g.opts.MaxRegressions-len(tests), 0)
	return append(tests, long[:min(missing, len(long))]...)
}

// unextended returns the sequences of the archive that have not been extended, and those that have
// reached new code, as many for each operation that ends them, the shortest first. Tests of those
// that write files would do so where the package is.
func (g *generator) unextended() (all []*sequence) {
	known := map[uint64]bool{}
	add := func(s *sequence) {
		if !s.used && !g.write(s.calls) && !known[s.sum()] {
			known[s.sum()] = true
			all = append(all, s)
		}
	}
	g.archive.Each(add)
	if g.code.link != nil {
		g.code.kept.Each(func(s *sequence) {
			if s.passed {
				add(s)
			}
		})
	}
	slices.SortStableFunc(all, func(a, b *sequence) int { return len(a.calls) - len(b.calls) })
	turn, next := map[*sequence]int{}, map[string]int{}
	for _, s := range all {
		turn[s] = next[s.last()]
		next[s.last()]++
	}
	slices.SortStableFunc(all, func(a, b *sequence) int {
		return cmp.Or(turn[a]-turn[b], g.byName[a.last()]-g.byName[b.last()])
	})
	return all
}

// write reports whether one of some calls may write files.
func (g *generator) write(calls callseq.Calls) bool {
	return slices.ContainsFunc(calls, func(c callseq.Call) bool {
		return g.ops[g.byName[nameOf(c)]].writes
	})
}

// regression returns a test of what a sequence returns, unless that differs from run to run.
func (g *generator) regression(s *sequence) (t Test, ok bool) {
	names := titles(s.calls, false)
	t.Op, t.Titles = names[0], names[1:]
	c := g.candidate(g.observing(s), 0, fewRuns)
	if c == nil {
		return t, false
	}
	t.Calls = c.calls
	t.Code, ok = g.codeOf(c, func(p place) bool {
		return c.want[p.call][p.result] != any(present{}) // there is no mistake that says so
	})
	t.statements = statementsOf(t.Code)
	return t, ok
}

// observing returns a sequence of the archive as a test has it, with calls that observe what it has
// made, or nil.
func (g *generator) observing(s *sequence) *sequence {
	switch e := g.run(s); {
	case e.class == Passed:
		return g.tidied(g.observed(s))
	case g.completes(s, e):
		return g.tidied(s)
	}
	return nil
}

// tidied returns a sequence in which only results that calls use have names, or nil.
func (g *generator) tidied(s *sequence) *sequence {
	tree := slices.Clone(s.tree)
	g.renumber(tree, true)
	s, _, _ = g.remake(tree)
	return s
}

// traceRun runs a sequence and traces it. If contract is set, it is checked at the end.
func (g *generator) traceRun(s *sequence, contract string) ending {
	g.tracing, g.refers = true, true
	defer func() { g.tracing, g.refers = false, false }()
	return g.runWith(s, contract)
}
